"""Work on the page that is no session: asked for, made beside others, kept, and shown."""
