"""The commands, one module each; nothing heavy is imported before a command that needs it runs."""
