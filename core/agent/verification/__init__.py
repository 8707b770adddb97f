"""What code can check of a draft: quotes, numbers, duties, values and limits. No model here."""
