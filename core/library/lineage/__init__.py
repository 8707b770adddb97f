"""Follow each clause through the editions of its family, whatever its number or its words."""
