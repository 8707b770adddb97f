"""What the words of a question and of a rule say: their stems, amounts and limits. Nothing here judges a draft."""
