"""From what is drawn to what is read: lines, marks, tables and equations in reading order, with words mended."""
