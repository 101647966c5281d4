"""A session whose sources want to do harm, in every language that exports are written in."""

import hashlib

from library.evidence import Evidence, Passage, Source
from reports.document import Back, Cell, Chart, Front, Report, Section, Sentence, Table

ATTACKS = [
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "![track](https://evil.example/pixel.png) [click](javascript:alert(1)) <https://evil.example>",
    "`code` **bold** # heading\n# heading\n- item\n> quote\n\n---\n\n| a | b |",
    "\\input{/etc/passwd} \\write18{id} $\\csname x\\endcsname$ % comment {unclosed",
    '#read("/etc/passwd") #image("https://evil.example/a.png") $x$ @ref <label> */ /* "]',
    '=HYPERLINK("https://evil.example","x") =cmd|\'/C calc\'!A0 +1 -1 @SUM(1)',
    "safe\u202egnp.exe\u202c \u2066isolated\u2069 zero\u200bwidth nul\x00byte esc\x1b[31mred",
    "&lt;b&gt; &amp; &#60;i&#62; ]]> <!-- --> <![CDATA[x]]> </w:t></w:r>",
    '[p1] [1] [^1] [1]: https://evil.example "t" \n[p1]: javascript:alert(1)',
    "\ud800 lone surrogate \ufffe \uffff noncharacters",
]
URLS = [
    "javascript:alert(document.cookie)",
    "data:text/html,<script>alert(1)</script>",
    'https://evil.example/a)b"onmouseover="alert(1)<script>',
    "https://user:password@evil.example/",
    "https://good.example/a_b*c?x=[1]&y=~z#part",
    "file:///etc/passwd",
    "vbscript:msgbox(1)",
    "https://[::1/broken",
    "HTTPS://good.example/UPPER%20case",
    "\u202ehttps://evil.example/x",
]


def hostile() -> tuple[Report, Evidence]:
    """Return a report and its evidence in which every text is an attack."""
    evidence = Evidence()
    for n, (url, attack) in enumerate(zip(URLS, ATTACKS, strict=True), 1):
        sha = hashlib.sha256(attack.encode("utf-8", "surrogatepass")).hexdigest()
        evidence.sources[sha] = Source(
            sha, url, attack, attack, author=attack, published=attack, retrieved=attack
        )
        evidence.passages[f"p{n}"] = Passage(sha, 0, len(attack), attack, url, attack, id=f"p{n}")
    sentences = [
        Sentence(
            text=attack,
            citations=[f"p{n}"],
            support="unsupported" if n % 2 else "quoted",
            paragraph=n % 3 == 0,
        )
        for n, attack in enumerate(ATTACKS, 1)
    ]
    table = Table(
        title=ATTACKS[0],
        columns=ATTACKS[2:4],
        rows=[[Cell(text=a, citations=["p1"]), Cell(text=a)] for a in ATTACKS],
    )
    # A chart whose every text is an attack; the checker would have refused it.
    spec: dict[str, object] = {
        "mark": "bar",
        "data": {"values": [{ATTACKS[1]: a, ATTACKS[0]: n, "passage": "p1"} for n, a in enumerate(ATTACKS)]},
        "encoding": {
            "x": {"field": ATTACKS[1], "type": "ordinal"},
            "y": {"field": ATTACKS[0], "type": "quantitative"},
        },
    }
    chart = Chart(title=ATTACKS[4], spec=spec, citations=["p1"])
    report = Report(
        title=ATTACKS[0] + ATTACKS[3],
        topic=ATTACKS[1],
        front=Front(note=ATTACKS[2]),
        sections=[
            Section(
                heading=ATTACKS[4],
                level=1,
                node="n1",
                opening=ATTACKS[5],
                sentences=sentences,
                tables=[table],
                charts=[chart],
            ),
            *[Section(heading=attack, level=2, node=None, sentences=sentences[:1]) for attack in ATTACKS],
        ],
        back=Back(open_questions=ATTACKS, made=ATTACKS),
    )
    return report, evidence
