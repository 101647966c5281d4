"""Plain text: its encoding and kind, its front matter, and the links of note-taking programs."""
