"""What the words of a question and of a rule say: stems, amounts and limits. It judges no draft."""
