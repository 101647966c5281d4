"""What is done with sessions as wholes: copied, forked, taken in, removed, saved from damage."""
