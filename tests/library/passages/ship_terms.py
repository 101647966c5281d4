"""Words of a glossary, in the alphabet's order."""

SHIP_TERMS = (
    "Anchor", "Ballast", "Bow", "Buoy", "Deck", "Draught", "Fender", "Galley", "Hull", "Keel", "Mast", "Oar",
)  # fmt: skip
