"""What is drawn on the pages of a PDF: glyphs, rules, images. Only here PDF libraries are used."""
