"""Tables and charts whose every figure names its passage."""
