"""`python -m core`: the command line."""

from core.command.cli import main

main()
