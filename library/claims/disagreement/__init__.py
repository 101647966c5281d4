"""Which claims disagree: of one subject, in one measure, at one time."""
