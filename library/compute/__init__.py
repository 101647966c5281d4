"""Computing with figures, in an interpreter or a container that can do no harm."""
