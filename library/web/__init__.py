"""Asking the network: which urls, over which connections, how often, and how much is taken."""
