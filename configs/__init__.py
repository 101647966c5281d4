"""Presets: files of settings that come with the program, used by name with `--preset`."""
