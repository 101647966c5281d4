"""What speakers work with: models, searches, pages and notes, journalled as they use them."""
