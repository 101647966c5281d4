"""What is measured on: a model and a web that take their time, and made texts. The same each time."""
