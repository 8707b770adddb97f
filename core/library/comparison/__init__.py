"""What changed between two documents: which clause became which, and word by word."""
