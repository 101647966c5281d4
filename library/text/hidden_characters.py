"""Characters that nobody sees: what is dropped when text is read, quoted, or shown in a terminal.

Four patterns, for four ends. They differ where writing needs a character that hides nothing there. Prompts
drop by Unicode's categories, and more (`models.prompting.untrusted_text`): a model reads what no font shows.
"""

import re

# Nobody sees these, a model reads them: zero-width and bidirectional controls, soft hyphens, variation
# selectors of the supplement, the tags block U+E0000, interlinear annotation, control characters but tab
# and line feed. Halves of surrogate pairs, which escapes in JSON bring, can be written to no file.
_UNSEEN = (
    "\u0000-\u0008\u000b-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
# The joiners are spelling in Arabic, Persian and Indic scripts and glue in emoji; elsewhere they only hide.
_JOINED = "\u0600-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18af\u2190-\u2bff\ufe0f\U0001f000-\U0001faff"
UNSEEN = re.compile(f"[{_UNSEEN}]|(?<![{_JOINED}])[\u200c\u200d]+|[\u200c\u200d]+(?![{_JOINED}\u200c\u200d])")
"""What is dropped when a text is read."""

# C0 and C1 controls, zero-width signs and invisible operators, direction overrides and isolates, tags,
# noncharacters, lone surrogates.
# U+200C to U+200F stay: Persian, Indic and Hebrew writing needs the joiners and marks.
HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u200b\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ufdd0-\ufdef\ufffe\uffff"
    "\U000e0000-\U000e007f\ud800-\udfff]"
)
"""What neither a quotation nor a report holds."""

# CSI and the string sequences (OSC, DCS, APC, PM, SOS) with their contents, in 7-bit and in 8-bit form; what
# is left of them, and every other control character, goes one by one afterwards.
ESCAPE_SEQUENCE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x90\x98\x9c-\x9f]*(?:\x07|\x1b\\|\x9c|$)"
    r"|\x1b[ -/]*[0-~]"
)
"""What a terminal acts on, whole: without its first sign the rest would stand there as text."""

# Bounded, and on one line: what is never ended takes nothing of a text with it, and costs no time.
WRITTEN_SEQUENCE = re.compile(
    r"\x1b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\x07\x1b\n]{0,2000}(?:\x07|\x1b\\))"
)
"""What tells a terminal to do something, in a text (a coloured log): a control sequence, or a command."""

UNSHOWN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f\ud800-\udfff]"
)
"""What no line in a terminal holds, beside the sequences that begin with an escape."""

STEERING = re.compile("[\u202a-\u202e\u2066-\u2069\u200e\u200f\ufeff]")
"""Marks that turn the direction of what follows them: a title of the map must not reach beyond itself."""
