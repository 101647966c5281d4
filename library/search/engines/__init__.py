"""Search engines that want a key: each a module of data and two functions."""
