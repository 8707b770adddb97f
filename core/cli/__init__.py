"""SPEAK: the command line, and the JSON that scripts rely on."""

from core.cli.app import main
