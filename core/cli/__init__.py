"""SPEAK: the command line, what it shows in a terminal, and the JSON that scripts rely on."""
