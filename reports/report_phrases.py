"""The words that a report says by itself, in each language that it can say them in."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReportPhrases:
    """One language's words. Names in braces are filled with `str.format`."""

    lead: str
    disagree: str
    disagree_opening: str
    disagree_columns: tuple[str, str, str]
    value: str
    share: str
    year: str
    date: str
    name: str
    asked: str
    open: str
    made: str
    bibliography: str
    more: str
    found: str
    quotations_note: str
    stopped_note: str
    empty_note: str
    retrieved: str
    undated: str
    undated_short: str
    passages: str
    contents: str
    live: str
    unsupported: str
    quoted_under: str
    no_answer: str
    nearest: str
    experts: str
    work: str
    requests: str
    embedded: str
    cost: str
    unpriced: str
    limits: str
    checked: str
    inferred: str
    unchecked: str
    all_quoted: str
    dropped: str
    resting: str
    unsaid: str
    unsaid_and: str
    left_unsupported: str
    left_untold: str
    left_unchosen: str
    comma: str
    colon: str
    stop: str


ENGLISH = ReportPhrases(
    lead="In brief",
    disagree="Where sources disagree",
    disagree_opening="The sources differ on the following points.",
    disagree_columns=("Point", "Source", "What it says"),
    value="Value",
    share="Share (%)",
    year="Year",
    date="Date",
    name="Name",
    asked="What do the sources say about “{title}”?",
    open="What the sources do not say",
    made="How this was made",
    bibliography="Sources",
    more="Further findings",
    found="What the sources say",
    quotations_note=(
        "This report is an annotated collection of quotations: sentences chosen from the sources by "
        "statistics of their words and ordered by a mind map. No language model wrote or judged any of it."
    ),
    stopped_note="The discussion was stopped early ({reason}); the report holds what was found until then.",
    empty_note="Nothing that was read says enough about the topic to be quoted.",
    retrieved="read {date}",
    undated="no date",
    undated_short="n.d.",
    passages="Passages",
    contents="Contents",
    live="on the live page",
    unsupported="not supported by the passages cited",
    quoted_under="{title}, under “{heading}”",
    no_answer="The documents do not seem to answer this.",
    nearest="What is nearest",
    experts="At the table: {names}.",
    work="They took {turns} turns, searched {searches} times and read {sources} sources.",
    requests="Language model: {models}; {requests} requests and {tokens} tokens.",
    embedded="No language model was used: everything was done by statistics of the text.",
    cost="Cost: ${cost:.2f}.",
    unpriced="The cost is not known.",
    limits="Limits: {limits}",
    checked=(
        "Of {sentences} sentences {cited} cite a passage; {quoted} are quotations found word for word in the "
        "archived text, {supported} are supported, {partial} partly, {unsupported} not."
    ),
    inferred="{inferred} are conclusions marked as such, whose premises are cited.",
    unchecked="{unchecked} could not be checked beyond their numbers, dates and names.",
    all_quoted="All {sentences} sentences are quotations found word for word in the archived text.",
    dropped="{dropped} more were left out, because no passage supported them or none was cited.",
    resting="The report tells {told} of the {resting} passages that the discussion's answers rest on.",
    unsaid="The sources do not say {parts}.",
    unsaid_and="; nor ",
    left_unsupported="no sentence could be written that it supports",
    left_untold="the writer left it out",
    left_unchosen="other passages say more on the topic",
    comma=", ",
    colon=": ",
    stop=".",
)

CHINESE = ReportPhrases(
    lead="概要",
    disagree="各方说法不一之处",
    disagree_opening="以下各点，来源的说法并不一致。",
    disagree_columns=("要点", "来源", "说法"),
    value="数值",
    share="占比（%）",
    year="年份",
    date="日期",
    name="名称",
    asked="关于“{title}”，来源怎么说？",
    open="来源没有说明的问题",
    made="本报告的来历",
    bibliography="来源",
    more="其他发现",
    found="来源所述",
    quotations_note="本报告是带注释的引文集：句子由文本统计从来源中选出，并按思维导图排列；没有语言模型撰写或评判其中内容。",
    stopped_note="讨论提前结束（{reason}）；报告只包含此前的发现。",
    empty_note="读到的内容不足以就此主题引用。",
    retrieved="读取于 {date}",
    undated="无日期",
    undated_short="无日期",
    passages="段落",
    contents="目录",
    live="在原网页中查看",
    unsupported="所引段落不支持此说",
    quoted_under="{title}，“{heading}”",
    no_answer="这些资料似乎没有回答这个问题。",
    nearest="最接近的内容",
    experts="参加讨论：{names}。",
    work="共发言 {turns} 次，检索 {searches} 次，阅读来源 {sources} 个。",
    requests="语言模型：{models}；请求 {requests} 次，共 {tokens} 个词元。",
    embedded="未使用语言模型：全部由文本统计完成。",
    cost="费用：{cost:.2f} 美元。",
    unpriced="费用未知。",
    limits="局限：{limits}",
    checked=(
        "{sentences} 句中有 {cited} 句注明出处；{quoted} 句为存档文本中的逐字引文，{supported} 句得到支持，"
        "{partial} 句部分得到支持，{unsupported} 句未得到支持。"
    ),
    inferred="{inferred} 句为标明的推断，并注明其前提的出处。",
    unchecked="{unchecked} 句除数字、日期和名称外无法核查。",
    all_quoted="全部 {sentences} 句均为存档文本中的逐字引文。",
    dropped="另有 {dropped} 句因没有段落支持或未注明出处而被删去。",
    resting="讨论中的回答所依据的 {resting} 个段落，报告用到了 {told} 个。",
    unsaid="来源没有说明{parts}。",
    unsaid_and="；也没有说明",
    left_unsupported="未能写出它所支持的句子",
    left_untold="撰写者未采用",
    left_unchosen="其他段落与主题关系更密切",
    comma="、",
    colon="：",
    stop="。",
)


def phrases_for(language: str) -> ReportPhrases:
    """Return the words for a language code; English ones for languages that have none."""
    return CHINESE if language.lower().split("-")[0].split("_")[0] == "zh" else ENGLISH
