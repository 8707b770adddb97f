"""Word files: the parts of a package, styles, numbers, and the text as blocks of lines."""
