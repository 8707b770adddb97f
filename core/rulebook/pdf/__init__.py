"""What is drawn on the pages of a PDF: placed and coloured glyphs, rules, images. PDF libraries live here."""
