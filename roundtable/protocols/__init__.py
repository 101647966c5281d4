"""Sessions for other programs: the Model Context Protocol, and OpenAI's way of asking."""
