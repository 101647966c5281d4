"""What of a text is cut into passages, and the cutting."""
