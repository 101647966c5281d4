"""From files and pages to sources, in worker processes that can crash alone."""
