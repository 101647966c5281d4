"""Pictures to text: how a model that sees takes them, and what it is asked."""
