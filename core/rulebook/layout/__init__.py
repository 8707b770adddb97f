"""What is drawn becomes what is read: lines, tables, figures and equations in reading order."""
