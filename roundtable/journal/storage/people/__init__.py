"""Whose sessions these are: accounts, who may read or change what, and how much each may use."""
