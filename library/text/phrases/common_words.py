"""Everyday English words, so that they weigh little also where nothing has been read yet to count them in."""

_OFTEN = """
    one two three first second new year time day people make made include including according report
    reported part world work way know state number well good long high great place back name number early
    late come came take took go went give given become set show end start began begin follow following found
    find call called later month week use used man woman home country city public group member large small
    different important change information
    """
_SOMETIMES = """
    four five six seven eight nine ten third fourth last next old young big little major minor main million
    thousand hundred area case company system service program question government national international
    local general special common human social political economic history book water money person child
    family friend house school student life hand side head line point form level order result reason problem
    idea fact example kind type thing lot bit today tomorrow yesterday morning night hour minute date period
    century decade january february march april june july august september october november december monday
    tuesday wednesday thursday friday saturday sunday think thought believe want wanted need needed try
    tried ask asked tell told feel felt leave left keep kept let put turn turned help helped play played run
    ran move moved live lived hold held bring brought happen happened write wrote written provide provided
    sit stand stood lose lost pay paid meet met continue continued learn learned lead led understand watch
    watched stop stopped create created speak spoke read allow allowed add added grow grew open opened walk
    win won offer offered remember consider considered appear appeared buy wait serve served die died send
    sent expect expected build built stay fall fell cut reach reached kill killed remain remained suggest
    suggested raise raised pass passed sell sold require required decide decided return returned explain
    explained hope develop developed carry carried break broke receive received agree agreed support
    supported hit produce produced eat cover covered catch draw choose chose describe described note noted
    state stated announce announced release released publish published confirm confirmed claim claimed add
    cause caused involve involved base based relate related available possible able sure likely similar
    certain several single own same full free real right left true whole clear recent hard easy strong best
    better far near close low short top bottom north south east west northern southern eastern western
    american british english european official total additional current former original increase decrease
    rate percent share page article section chapter table figure list content site website link news press
    media story image photo video view
    """


def _shares() -> dict[str, float]:
    shares = dict.fromkeys(_SOMETIMES.split(), 0.03)
    shares.update(dict.fromkeys(_OFTEN.split(), 0.1))
    return shares


SHARES = _shares()
"""Folded word to the share of passages of general English that hold it, roughly."""
