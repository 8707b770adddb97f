"""SPEAK: the command line, and the JSON that scripts rely on."""

from core.cli.main import main
