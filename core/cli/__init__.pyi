"""What other rooms may use of `core.cli`."""

from .app import main as main, run_for_client as run_for_client
from .warm_server import ADDRESS_FILE as ADDRESS_FILE, sign_program as sign_program
