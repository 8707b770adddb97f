"""`python -m core`: the command line."""

from core.cli import main

main()
