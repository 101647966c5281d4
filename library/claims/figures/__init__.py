"""Numbers and dates of a text, and small counts that it makes itself."""
