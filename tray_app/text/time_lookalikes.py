"""What looks like a time and is none: what recurs, what is to come, what is kept for so long, what is called 'today'.

Owns the shapes that swallow such words before they are taken for a reference; what follows them at once is swallowed too
(every Tuesday at 3pm), unless it names a stretch by itself (every day, yesterday too).
"""

from __future__ import annotations

import re

from tray_app.text.numerals import CHINESE
from tray_app.text.time_forms import Form, Mark, Meaning
from tray_app.text.time_spans import Asked

_NAMED_DAY = (
    "(?:today|yesterday|tonight|weekend|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april"
    "|may|june|july|august|september|october|november|december)"
)


def _none(match: re.Match[str], asked: Asked) -> Meaning:
    return Mark.VOID


def _en(keys: str, shape: str) -> Form:
    return Form(keys, rf"(?<!\w)(?:{shape})(?!\w)", _none)


ENGLISH_LOOKALIKES = (
    _en(
        "every each per next upcoming following daily weekly nightly monthly hourly yearly tomorrow coming",
        r"(?:every|each|per|next|upcoming|following|daily|weekly|nightly|monthly|hourly|yearly|tomorrow|coming)"
        r"(?:\s+(?:other|single|day|week|weekend|month|quarter|year|hour|night|morning|evening))*",
    ),
    _en("date", r"(?:yesterday|today|tomorrow)'s\s+date"),
    _en("runs scheduled fires executes", r"(?:runs|scheduled|fires|executes)\s+(?:at|on|for)"),
    _en(
        "named called titled label field column variable enum constant param flag",
        rf"(?:named|called|titled|labell?ed|field|column|variable|enum|constant|param|parameter|flag)\s+{_NAMED_DAY}",
    ),
    _en(
        "column field button variable flag tab enum constant keyword macro param widget label filter",
        rf"{_NAMED_DAY}\s+(?:column|field|button|variable|flag|tab|enum|constant|keyword|macro|param|parameter|widget|label|filter)s?",
    ),
)
CHINESE_LOOKALIKES = (
    Form(
        "每 天天 隔",
        r"(?:每|隔)(?:一|两|三|隔)?个?(?:天|日|周|星期|礼拜|月份?|季度|年|晚|早|夜|小时|分钟|逢)?(?:[一二三四五六日天](?![直起个次]))?|天天",
        _none,
    ),
    Form(
        "下 明 后天 未来 将来",
        r"下+一?个?(?:周末?|星期|礼拜|月|季度|年)(?:[一二三四五六日天](?![直个次]))?|明(?:天|早|晚|年)|(?<!之|以)大?后天|(?:未来|今后|接下来的?)",
        _none,
    ),
    Form("一", r"[一两三二]天[一两三二几]次|三天打鱼|两天晒网|一天到晚|有一天|那一天", _none),
    Form(
        "保留 超过 大于 早于 删除 清理 过期 超时",
        rf"(?:保留|超过|大于|早于|删除|清理|过期|超时)(?:了|掉)?\s*{CHINESE}\s*(?:分钟|个?小时|天|周|个?星期|个月|年)(?:之前|以前|前)?",
        _none,
    ),
    Form(
        "字段 变量 列名 函数 方法 参数 枚举 名为 叫",
        r"(?:字段|变量|列名|函数|方法|参数|枚举|名为|名叫|叫做)[名叫为是]?\s*(?:今天|昨天|前天|本周|上周|周末|本月|上月)",
        _none,
    ),
)
