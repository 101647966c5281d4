"""The sections of pages: which answers a question, and what stands beside a passage in its own."""
