"""Sentences of a talk and what they do: decide, report something as done, ask, or merely greet.

Owns the cue words in English and Chinese. Gives quotations only: a sentence comes out as it was said, without the marks around
it. Pure functions on strings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tray_app.text.graphemes import cut_before

LOOKED_AT = 40_000
"""Characters of a message that are looked at, from its end: what it comes to stands there."""

_FENCED = re.compile(r"^[ \t]{0,8}(`{3,}+|~{3,}+)[^\n]*\n.*?(?:^[ \t]{0,8}\1[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_TAGGED = re.compile(r"<(system-reminder|environment_context|user_instructions)>.*?(?:</\1>|\Z)", re.DOTALL)
_LEAD = re.compile(r"\s*(?:[-*+•·]|#{1,6}|\d{1,2}[.)、])(?:\s+|(?<=[、)])(?=\S))(?:\[[ xX]\]\s+)?")
_EMPHASIS = re.compile(r"\*\*|__(?=\w)|(?<=\w)__|~~")
_END = re.compile(
    r"(?<=[.!?])(?<!\b[a-zA-Z]\.)(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)(?<!\betc\.)(?<!\bapprox\.)\s+(?=\S)"
    r"|(?<=[.!?][)\]\"'”’])\s+(?=\S)|(?<=[。！？!?；;])(?=[^\s)）」”])"
)
_PASTED = re.compile(
    r"\s*(?:[$❯➜]\s|>>> |\.\.\. |>\s|PS [A-Z]:|at [\w$.<>]+ ?\(|File \"|Traceback |--> |={3,}|-{3,}|\+{3} |@@ |\||\[?\d{4}-\d\d-\d\d|"
    r"\[?\d\d:\d\d:\d\d|\[\+\]|=> |[╭╰│┃┌└├─━]|(?:import|from|const|let|var|def|class|fn|func|return|#include)\b.*[;:({=]\s*$)"
)
"""Lines of a terminal, a log or a program: nobody said them."""

_WORD = re.compile(r"[^\W_][\w'./-]*")
_HAN = re.compile("[\u3400-\u9fff]")

_GREETING = re.compile(
    r"(?:hi|hello|hey|yo|hiya|howdy|good (?:morning|evening|afternoon|day)|test(?:ing)?|ping|thanks?(?: you)?|thx|bye|"
    r"how(?:'s it going| are you)|what'?s up|你好|您好|嗨|哈喽|哈啰|在吗|在么|早上好|下午好|晚上好|早|早安|晚安|谢谢|多谢|辛苦了|再见|测试)"
    r"(?:[\s,，]+(?:there|again|all|everyone|claude|codex|gemini|kimi|qwen|cursor|dsh|啊|呀|呢|你好|大家))?[\s!.,?~。！，？～…]*",
    re.IGNORECASE,
)
_ASSENT = re.compile(
    r"(?:ok(?:ay)?|k|yes|yep|yeah|y|no|nope|n|sure|go|go on|go ahead|continue|proceed|next|done|good|great|nice|perfect|cool|start|"
    r"lgtm|do it|yes please|please do|please continue|keep going|retry|try again|again|wait|stop|\w|"
    r"继续|接着|接着来|请继续|好|好的|好吧|行|可以|是|是的|嗯|嗯嗯|对|对的|没问题|同意|确认|开始|开始吧|来吧|下一步|再试试|再试一次|停|等等)"
    r"[\s!.,。！，~]*",
    re.IGNORECASE,
)
_SLASH = re.compile(r"/[\w:.-]*(?:\s[^\n]*)?")
_PLACEHOLDERS = re.compile(r"\[(?:image|document|file|audio|video|attachment|图片|文件)[^\[\]\n]{0,80}\]", re.IGNORECASE)

_DECIDED = re.compile(
    r"\b(?:we|i|you)(?:'ve| have)? (?:decided|agreed|settled|chose|picked)\b|\bdecision\b[^:?.]{0,60}[:：]|\bdecision \d+ (?:replaces|supersedes|reverses)\b|\bdecided (?:to|on|that|against|not)\b"
    r"|\bagreed (?:on|to|that)\b|\bsettled on\b|\b(?:we'll|we will|let'?s) (?:go with|stick (?:with|to))\b|\bgoing with\b"
    r"|\bthat settles it\b|\b(?:rule|lesson|convention|policy)\b[^:?.]{0,40}:\s|\bfrom now on\b|\bwe (?:keep|never|always)\b"
    r"|(?<![未没待再来你需要没有])决定(?!是否|要不要|怎么|如何)|改用|采用|统一(?:用|使用|成|为)|敲定|选定|定为|定下|定了|推翻|不再用|达成一致|(?:结论|约定|规定|规则|教训)(?:是|[:：])",
    re.IGNORECASE,
)
"""What says so whoever says it."""
_DECIDED_BY_PERSON = re.compile(
    r"\b(?:we'll|we will|i'll|i will|let'?s|let us) (?:use|keep|switch|do|have|make it)\b|\b(?:use|using|go with|choose|pick|keep|switch to)\b"
    r".{0,80}\b(?:instead|rather than|because)\b|\binstead of\b.{0,80}\b(?:use|go with|keep)\b|\b(?:don'?t|do not|never) (?:use|want)\b"
    r"|\bagreed\b[.,!]|\bwe don'?t (?:use|want|need)\b|\bexplicitly (?:don'?t )?want\b|\b(?:i|we)(?:'d| would) rather\b"
    r"|就用|就选|选用|选择了|选了|改成|统一|不要用|别用|以后都|以后一律|按.{1,30}(?:做|来|执行|处理|办)(?:[。，,!！]|$)"
    r"|(?:用|选|留).{0,40}(?:因为|而不是)|(?:因为|而不是).{0,40}(?:用|选|留)",
    re.IGNORECASE,
)
"""What is a decision where the person says it: an agent says the like of its next step."""
_OPEN_STILL = re.compile(
    r"\b(?:need(?:s)? to|have to|has to|should|let me|help (?:you|me)|you can|up to you to|before (?:we|you)) (?:be )?(?:decide|agree|settle)"
    r"|\b(?:if|whether|once|until|when) (?:we|you|i) (?:have |had )?(?:decided|agree)|n't (?:been )?(?:decided|agreed|settled)"
    r"|\bnot (?:yet )?(?:been )?(?:decided|agreed|settled)|what we need to decide|还没决定|尚未决定|未决定|待定|需要决定|由你决定|你来决定|再决定|是否决定",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"(?:what|which|when|where|why|who|how|did|do|does|is|are|was|were|can|could|should|would|will|have|has)\b", re.IGNORECASE
)
_ASKING_ZH = re.compile(r"什么|哪[个些里一]|怎么|为什么|为何|是否|多少|几[个时点号]|吗|谁|要不要|能不能|可不可以|行不行|有没有")

_DONE = re.compile(
    r"\b(?<!-)(?:added|fixed|implemented|created|updated|removed|renamed|refactored|migrated|moved|wrote|rewrote|built|replaced|converted|"
    r"deleted|finished|completed|committed|pushed|merged|set up|wired|changed|extracted|split|bumped|documented|resolved|installed|"
    r"configured|enabled|disabled|switched|introduced|adjusted|corrected|cleaned up|reverted|rebased|patched)\b(?!-)"
    r"|\b(?:tests?|suite|builds?|checks?|lint(?:er)?|typecheck|ci|everything|all)\b[^.!?]{0,50}\b(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)?|clean)\b"
    r"|\b(?:now|all) (?:passes|pass|works?|done|has|have|uses?|reads?|listens?|runs?|returns?|shows?|answers?|prints?|handles?|supports?)\b"
    r"|\b(?:is|are) now\b|\b(?:is|are|was|were) (?:written|marked|stored|deployed|released)\b|^\W*(?:done|fixed|finished|completed)\b"
    r"|已(?:经)?[^，。；,]{0,16}?(?:添加|新增|加|修复|修|完成|实现|更新|删除|删|修改|改|写|创建|建|替换|换|迁移|重命名|移除|移|提交|推送|合并|拆|配置|接入|补)(?!的)"
    r"|(?:修|改|写|做|加|补|建|配|换|删|跑)(?:好|完)了|完成了|搞定"
    r"|(?:添加|新增|修复|实现|更新|删除|修改|创建|替换|迁移|移除|重写|改写|补充)了|(?:测试|用例|构建|检查|编译)[^，。；]{0,16}(?:通过|全绿|成功)",
    re.IGNORECASE,
)
_NOT_DONE_BEFORE = re.compile(
    r"\b(?:will|would|should|could|must|may|might|let me|let'?s|i'll|we'll|you'll|need(?:s|ed)? to|going to|to be|if|once|when|before|want|plan|"
    r"try|can|be|please|you|next|todo|not|never|cannot|until|after|how|instead of|how to|failed to)\b|n't\b|将|需要|应该|准备|打算|如果|接下来|下一步|计划|建议|可以|请|(?<![主重摘概必简])要|若|等待",
    re.IGNORECASE,
)
_NOT_DONE = re.compile(
    r"\bnot (?:yet|done|fixed|work|pass)|n't (?:work|pass|been|fix)|\bstill (?:fail|broken|need|not)|(?<!\bnone )(?<!\bno )(?<!\b0 )(?<!\bnever )\bfail(?:s|ed|ing|ures?)\b|\b(?:looks? like|seems?|appears?|already|might|probably|maybe|hmm+|what's|things? to be)\b|\bbut\b.{0,60}\bfail"
    r"|未|没有?(?:完|修|改|写|通|成)|失败|仍然|还需|还没|尚",
    re.IGNORECASE,
)
_ONE_WORD = re.compile(
    r"\W*(?:done|fixed|updated|finished|completed|reverted|removed|perfect|great|all set|好了|好的|完成了?|已完成|搞定了?|改好了|修好了)\W*",
    re.IGNORECASE,
)
_OFFER = re.compile(
    r"anything else|(?:how|what else) (?:can|may|could) i (?:help|assist|do)|what would you like (?:to do|me to do)(?: next)?|"
    r"let me know|what'?s next|is there (?:anything|something)|还有(?:什么|其他|别的)|需要我(?:做什么|帮)|有什么(?:可以|能|需要)|"
    r"does (?:that|this) (?:help|make sense|answer)",
    re.IGNORECASE,
)


def sentences(text: str) -> Iterator[str]:
    """What somebody said as sentences, with their end marks; no code, no tables, no pasted lines. Headings count as one."""
    for line in said_lines(text):
        for part in _END.split(_bare(line)):
            sentence = part.strip(" \t\u3000") if part else ""
            if sum(map(str.isalnum, sentence)) >= 4:
                yield sentence


def statements(text: str) -> Iterator[str]:
    """The same, with what belongs together in one: 'Done. It reads the file now.', and what is listed under an announcement:
    'Added: this; that'."""
    lines = list(said_lines(text))
    at, lead = 0, ""
    while at < len(lines):
        line = _bare(lines[at])
        at += 1
        items: list[str] = []
        if line.endswith((":", "：")):
            while at < len(lines) and _LEAD.match(lines[at]):
                items.append(_bare(lines[at]))
                at += 1
        for sentence in [f"{line} {'; '.join(items)}"] if items else _END.split(line):
            said = f"{lead} {sentence or ''}".strip(" \t\u3000")
            lead = ""
            if _ONE_WORD.fullmatch(said):
                lead = said
            elif sum(map(str.isalnum, said)) >= 4:
                yield said


def said_lines(text: str) -> Iterator[str]:
    """Lines that somebody wrote as such, with their leads."""
    bare = _FENCED.sub("\n", _TAGGED.sub("\n", text[-LOOKED_AT:]))
    return (line for line in bare.split("\n") if line.strip() and not _PASTED.match(line))


def _bare(line: str) -> str:
    """A line without its bullet, number or heading mark and without emphasis."""
    lead = _LEAD.match(line)
    return _EMPHASIS.sub("", line[lead.end() :] if lead else line).strip()


def is_request(text: str) -> bool:
    """Whether a message of the person asks for something: no greeting, no assent, no slash command, no lone picture."""
    bare = _PLACEHOLDERS.sub("", text).strip()
    if not any(map(str.isalnum, bare)):
        return False
    return not any(kind.fullmatch(bare) for kind in (_GREETING, _ASSENT, _SLASH))


def is_question(sentence: str) -> bool:
    """Whether a sentence asks, with or without a mark."""
    bare = sentence.rstrip(" \t)）\"'”’*_`")
    if bare.endswith(("?", "？")):
        return True
    return _ASKING.match(bare) is not None or (_ASKING_ZH.search(bare) is not None and not bare.endswith(("。", "！")))


def asks_openly(sentence: str) -> bool:
    """Whether a sentence ends with a question mark and is no mere offer of help."""
    return sentence.rstrip(" \t)）\"'”’*_`").endswith(("?", "？")) and _OFFER.search(sentence) is None


def decides(sentence: str, *, by_person: bool) -> bool:
    """Whether a sentence says a decision."""
    if is_question(sentence) or (sentence.endswith((":", "：")) and not by_person) or _OPEN_STILL.search(sentence):
        return False
    return _DECIDED.search(sentence) is not None or (by_person and _DECIDED_BY_PERSON.search(sentence) is not None)


def reports_done(sentence: str) -> bool:
    """Whether a sentence of an agent says that something was finished, not that it will be, or was not."""
    found = _DONE.search(sentence)
    if found is None or is_question(sentence) or _NOT_DONE.search(sentence) or not _says_what(sentence):
        return False
    return _NOT_DONE_BEFORE.search(sentence[: found.start()]) is None


def _says_what(sentence: str) -> bool:
    """More than 'Done!' or 'Updated:': at least three words, or six characters of an unspaced script."""
    return len(_WORD.findall(sentence)) >= 3 or len(_HAN.findall(sentence)) >= 6


def shortened(text: str, most: int) -> str:
    """On one line, at most so many characters, whole words where there are any; an ellipsis says that it was cut."""
    folded = " ".join(text.split())
    if len(folded) <= most:
        return folded
    cut = folded[: cut_before(folded, most - 1)]
    space = cut.rfind(" ", most * 3 // 4)
    return (cut[:space] if space > 0 else cut).rstrip(" ,，、;；:：") + "…"


def said_by_person(text: str, most: int) -> str:
    """A request to be quoted, on one line: what the person wrote before the first pasted lines, or all of it where nothing was."""
    spoken: list[str] = []
    for line in _FENCED.sub("\n", text).split("\n"):
        if _PASTED.match(line):
            break
        if line.strip():
            spoken.append(line.strip())
    words = " ".join(spoken)
    return shortened(words if any(map(str.isalnum, words)) else text, most)


def joined(parts: Iterable[str]) -> str:
    """Sentences in one line; a dot in the middle where one has no end mark."""
    text = ""
    for part in parts:
        text += (
            (" " if text.endswith((".", "!", "?", ":", ";")) else "" if text[-1:] in "。！？；：…" else " · ") + part
            if text
            else part
        )
    return text
