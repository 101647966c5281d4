"""Words that say nothing about what a text is about.

English is complete; of other languages only function words are listed that are not English words
themselves, so that one list serves a mixed collection and a query needs no language. Chinese and Japanese
function words are pairs of characters, as they meet the index (`library.text.tokenize`).
"""

import re
import unicodedata

_ENGLISH_TEXT = """
    a about above across after afterwards again against all almost along already also although
    always am among amongst an and another any anyone anything are aren around as at away be became
    because become becomes been before beforehand behind being below beside besides between beyond
    both but by can cannot could couldn d did didn do does doesn doing don done down during each
    either else enough especially etc even ever every everyone everything except few for from
    further had hadn has hasn have haven having he hence her here hers herself him himself his how
    however i if in indeed instead into is isn it its itself just last latter least less let
    likewise ll many may maybe me mean might mine more moreover most mostly much must my myself
    namely nearly neither never nevertheless no nobody none nor not nothing now nowhere of off often
    on once one only onto or other others otherwise our ours ourselves out over own per perhaps
    quite rather re really s said same say says see seem seemed seems several shall she should
    shouldn since so some somehow someone something sometimes somewhat soon still such t than that
    the their theirs them themselves then there thereafter thereby therefore therein these they this
    those though through throughout thus to together too toward towards under unless until up upon
    us used using various ve very via was wasn we well were weren what whatever when whenever where
    whereas wherever whether which while who whoever whole whom whose why will with within without
    won would wouldn yet you your yours yourself yourselves
"""
ENGLISH = frozenset(_ENGLISH_TEXT.split())

_OTHERS_TEXT = """
    der das und ist nicht mit von dem den des ein eine einer eines einem einen fur auf im sich auch
    als wird werden wurde sind aus bei nach uber oder aber zur zum durch sein seine ihre wie nur
    noch kann haben hatte le les des une est dans que qui sur avec pas aux ses sont cette ces leur
    mais nous vous ils elle ete el los las del por una para como su sus pero mas fue entre sobre
    esta este tambien desde il lo gli di che della delle dei nel nella sono con una per anche alla
    dal os um uma ao aos pela pelo nao mais foi dos das em het een van niet zijn voor ook aan naar
    wordt bij werd och att det som av ett inte ar pa til og den
"""
_OTHERS = frozenset(_OTHERS_TEXT.split())

_OTHER_SCRIPTS_TEXT = """
    и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее мне было
    вот от меня еще нет о из ему теперь когда даже ну ли если уже или ни быть был него до вас опять вам
    ведь там потом себя ничего ей может они тут где есть надо ней для мы тебя их чем была сам чтоб без
    будто чего раз тоже себе под будет ж тогда кто этот того потому этого какой ним здесь этом один
    почти мой тем чтобы нее были куда зачем всех при об это которые который как
    في من على الى إلى عن مع هذا هذه ذلك التي الذي ما لا او أو ان أن إن كان كانت هو هي قد لم كل بعد
    قبل بين كيف ماذا متى اين أين هل ثم حتى عند
    के का की को में है हैं और से पर यह वह एक इस उस ने कि जो भी नहीं तो ही था थे थी कर या लिए साथ तक
    अपने क्या कैसे कब कहाँ क्यों हो गया
    ο η το οι τα του της των τον την και σε να με για από που είναι δεν θα στο στη στην
"""
_OTHER_SCRIPTS = frozenset(
    unicodedata.normalize("NFC", re.sub("[\u0300-\u036f]", "", unicodedata.normalize("NFKD", word)))
    for word in _OTHER_SCRIPTS_TEXT.split()
)

STOP_WORDS = ENGLISH | _OTHERS | _OTHER_SCRIPTS
"""Single folded words that never become index terms."""

NAMES_TOO = frozenset(["will", "may", "who", "us", "it", "can", "mine", "might"])
"""Stop words that are names, or mean something, where they are written with a capital inside a sentence."""

VERB_PARTICLES = frozenset(["up", "down", "off", "out", "back", "over", "away"])
"""What makes one word with the verb before it: `back up`, `set up`, `roll back`, `shut down`."""

PARTICLES = frozenset("的了吗呢吧嘛啊呀着们")
"""Chinese characters whose pairs are dropped: they say nothing beyond the other character."""

_STOP_PAIRS_TEXT = """
    一个 一些 一种 这个 这些 这种 这样 那个 那些 那样 可以 可能 因为 所以 但是 如果 虽然 以及 并且
    或者 还有 没有 不是 就是 也是 都是 什么 怎么 怎样 哪些 哪个 如何 为何 为什 已经 而且 然后 其中
    其他 对于 关于 由于 通过 进行 之后 之前 以后 以前 同时 此外 另外 不过 只是 还是 不会 不能 自己
    我国 之间 之一 等等 非常 十分 比较 更加 由此 因此 于是 便是 而是 する して した され れる られ
    です ます まし した ある いる いう から まで こと もの った って ない には では とし によ より
    よる よう この その あの また およ おり なっ なる ため など これ それ とは とも にお おい ける
    いて てい った ので のは のが
"""
STOP_PAIRS = frozenset(_STOP_PAIRS_TEXT.split())
"""Pairs of characters that never become index terms."""
