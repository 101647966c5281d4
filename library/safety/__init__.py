"""What is kept from harm: orders hidden in sources, and private words in queries."""
