"""What other rooms may use of `core.cli`."""

from .app import main as main
