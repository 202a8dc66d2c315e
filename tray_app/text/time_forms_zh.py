"""The Chinese time forms: a table of shapes and what each means; traditional characters are folded before.

Owns the words only; how they join, 之前 and 以来 behind them and what is taken is `timeref`'s. Chinese has no borders of words,
so that a shape says what may not stand beside it: 上周期, 目前天气, 3号机, 三点原因.
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

from tray_app.text import time_spans as spans
from tray_app.text.numerals import CHINESE, Amount, read_chinese, whole_chinese
from tray_app.text.time_forms import Form, Mark, Meaning, Resolve, Weak, ago, lately, stretch_or_mark
from tray_app.text.time_spans import DAY, HALF, HOUR, MINUTE, MONTH, QUARTER, WEEK, YEAR, Asked, Cycle, Part, Share, Stretch

_DAYS_BACK = {"大前": 3, "前": 2, "昨": 1, "今": 0, "当": 0}
_PARTS = {
    **dict.fromkeys(("早上", "早晨", "清晨", "大清早", "一大早", "上午", "早"), Part(5, 12)),
    **dict.fromkeys(("中午", "午间", "正午"), Part(11, 14)),
    **dict.fromkeys(("下午", "午后"), Part(12, 18)),
    **dict.fromkeys(("傍晚", "黄昏"), Part(17, 21)),
    **dict.fromkeys(("晚上", "晚间", "夜里", "夜晚", "晚", "夜"), Part(18, 29)),
    **dict.fromkeys(("半夜", "大半夜", "深夜", "后半夜"), Part(22, 29, past=True)),
    **dict.fromkeys(("凌晨",), Part(0, 6)),
}
_UNITS = (
    *(("分钟", MINUTE), ("小时", HOUR), ("钟头", HOUR), ("天", DAY), ("日", DAY), ("星期", WEEK), ("礼拜", WEEK), ("周", WEEK)),
    *(("月", MONTH), ("季度", QUARTER), ("年", YEAR)),
)
_SHARES = {"初": 0, "上旬": 0, "中": 1, "中旬": 1, "底": 2, "末": 2, "下旬": 2, "尾": 2}
_SEASONS = {"春": 3, "夏": 6, "秋": 9, "冬": 12}
_WEEKDAYS = (
    {character: number for number, character in enumerate("一二三四五六日")} | {"天": 6} | {str(n + 1): n for n in range(7)}
)
_LUNAR = {
    "春节": {2024: (2, 10), 2025: (1, 29), 2026: (2, 17), 2027: (2, 6), 2028: (1, 26), 2029: (2, 13), 2030: (2, 3)},
    "端午": {2024: (6, 10), 2025: (5, 31), 2026: (6, 19), 2027: (6, 9), 2028: (5, 28), 2029: (6, 16), 2030: (6, 5)},
    "中秋": {2024: (9, 17), 2025: (10, 6), 2026: (9, 25), 2027: (9, 15), 2028: (10, 3), 2029: (9, 22), 2030: (9, 12)},
}
_LUNAR["过年"] = _LUNAR["春节"]
"""The day itself, in the years for which the office publishes them or the almanac is known."""
_FIXED = {
    "国庆": (10, 1, 10, 8), "十一": (10, 1, 10, 8), "元旦": (1, 1, 1, 3), "五一": (5, 1, 5, 5), "清明": (4, 4, 4, 6),
    "圣诞": (12, 24, 12, 26),
}  # fmt: skip

_UPTO = rf"(?P<n>{CHINESE})(?:\s*(?:-|~|到|至|、|或)\s*(?P<upto>{CHINESE}))?"
_UNIT = r"(?P<unit>多?分钟|多?个?[半多]?小时|多?个[半多]?钟头|[多来]?天|多?个?多?星期|多?个?多?礼拜|多?周|多?个[半多]?月|多?个季度|多?年多?)"
_WEEK = r"(?:周|星期|礼拜)"
_WEEK_ENDS = r"(?!末|期|转|边|围|密|全|刊|会|长|率|年庆|一(?![直起共些样下定个次条点段种旦])|[二三四五六](?![个次条点段种十百分])|报(?:$|[表里的\s]))"
_WEEKDAY = (
    r"(?P<weekday>一(?![直起共些样下定个次条点段周种旦])|[二三四五六](?![个次条点段种十百分])|日(?![志期记常程])|天(?![气天])"
    r"|[1-7](?![\d个次条天月号日点:./-]))"
)
_PART = r"(?P<part>大清早|一大早|早上|早晨|清晨|上午|中午|午间|正午|下午|午后|傍晚|黄昏|晚上|晚间|夜里|夜晚|后半夜|大半夜|半夜|深夜|凌晨|[早晚](?=\s?[\d一二三四五六七八九十]{1,3}\s?点)|(?<=[一二三四五六日天号])晚(?![上间点会餐了饭于些]))"
_MONTH = r"(?P<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])"
_DAY = r"(?P<day>3[01]|[12]\d|0?[1-9]|三十一?|[二廿]?十[一二三四五六七八九]?|廿[一二三四五六七八九]|[一二三四五六七八九])"
_LAST = _DAY.replace("<day>", "<last>")
_TO = r"\s*(?:到|至|-|~|—|–)\s*"
_SIGN = r"(?:号|日(?![志期记常程均活]))"
_NOT_BEFORE_DAY = r"(?<![\w第.#\-十百千万点])"
_DAY_ENDS = (
    r"(?=$|[\s,，。.?？!！、;；:：)）的我你他她咱早晚上下中凌傍当之前后以起说聊定改做讨写发修提问开跟和到至左]"
    r"|那(?:天|次|晚|会|个|时)|出(?:的|了)|部署|报错|崩)"
)
_DAY_NEVER = r"(?!的?(?:机|店|楼|线|桌|位|库|卡|文件|服务|端口|节点|工位))"
_CLOCK_NEVER = r"(?![原建要问意理结注优缺特区差改内赞击位名开心子餐数线播滴])"


_ALONE_MONTH = rf"(?<![\w十个第.]){_MONTH}\s?月(?!份?(?:[\d一二三四五六七八九十饼球亮光薪报活度票卡嫂天子均租]|之?内))"


def _zh(keys: str, shape: str, resolve: Resolve, *, sure: float = 0.9) -> Form:
    return Form(keys, shape, resolve, sure=sure)


def _unit(match: re.Match[str]) -> int:
    return next(unit for name, unit in _UNITS if match["unit"].removesuffix("多").endswith(name))


# --- days and parts of them --------------------------------------------------------------------------------------------
def _day(match: re.Match[str], asked: Asked) -> Meaning:
    return spans.days(spans.back(asked, _DAYS_BACK[match["day"]]), 1)


def _day_part(match: re.Match[str], asked: Asked) -> Meaning:
    """今晚 asked in the small hours is the night that is running."""
    count, part = _DAYS_BACK[match["day"]], _PARTS[match["part"]]
    if match["day"] == "今" and part.last > 24 and asked.wall.hour < spans.NIGHT_ENDS:
        count = 1
    return spans.part_of(spans.days(spans.back(asked, count), 1), part, asked)


def _part(match: re.Match[str], asked: Asked) -> Meaning:
    return Weak(_PARTS[match["part"]])


def _clock(match: re.Match[str], asked: Asked) -> Meaning:
    hour, minute = whole_chinese(match["hour"]), 0
    if hour is None or hour > 24:
        return None
    if match["minute"]:
        minute = (
            {"半": 30, "一刻": 15, "三刻": 45}.get(match["minute"]) or whole_chinese(match["minute"].removesuffix("分")) or 0
        )
    value = spans.Clock(hour % 24, min(minute, 59), hour > 12 or hour == 0)
    return value if match["sign"] else Weak(value)


def _clock_around(match: re.Match[str], asked: Asked) -> Meaning:
    return spans.Clock(int(match["hour"]), int(match["minute"]), len(match["hour"]) == 2)


# --- counts ------------------------------------------------------------------------------------------------------------
def _amount(match: re.Match[str]) -> Amount | None:
    first = read_chinese(match["n"])
    last = read_chinese(match["upto"]) if match["upto"] else first
    if first is None or last is None or first.least > last.most:
        return None
    half = 0.5 if "半" in match["unit"] else 0
    more = 0 if not {"多", "来"} & set(match["unit"]) else 5 if first.least >= 10 else min(1, first.least)
    return Amount(first.least + half, last.most + half + more)


def _ago(match: re.Match[str], asked: Asked) -> Meaning:
    amount, unit = _amount(match), _unit(match)
    if amount and unit == QUARTER:
        return ago(MONTH, Amount(amount.least * 3, amount.most * 3), asked)
    return amount and ago(unit, amount, asked)


def _lately(match: re.Match[str], asked: Asked) -> Meaning:
    amount, unit = _amount(match), _unit(match)
    if amount and unit == QUARTER:
        return lately(MONTH, Amount(amount.least * 3, amount.most * 3), asked)
    return amount and lately(unit, amount, asked)


def _span_back(first: int, last: int) -> Resolve:
    """From the one many days back to the other, both included."""
    return lambda match, asked: spans.days(spans.back(asked, first), first - last + 1, WEEK)


# --- weeks to years ----------------------------------------------------------------------------------------------------
def _unit_back(match: re.Match[str], asked: Asked) -> Meaning:
    return spans.unit_back(_unit(match), match["which"].count("上"), asked)


def _weekday_of(match: re.Match[str], asked: Asked) -> Meaning:
    week = spans.unit_back(WEEK, match["which"].count("上"), asked)
    return spans.within(spans.weekday(_WEEKDAYS[match["weekday"]]), week, asked)


def _weekday(match: re.Match[str], asked: Asked) -> Meaning:
    return spans.weekday(_WEEKDAYS[match["weekday"]])


def _weekend(match: re.Match[str], asked: Asked) -> Meaning:
    """周末 is the latest that has begun; 上周末 that of last week, Monday to Sunday."""
    which = match["which"] or ""
    if which and "上" in which:
        return spans.within(spans.weekend(), spans.unit_back(WEEK, which.count("上"), asked), asked)
    return spans.weekend()


def _year_back(match: re.Match[str], asked: Asked) -> Meaning:
    count = {"今": 0, "本": 0, "这一": 0, "去": 1, "上": 1, "前": 2, "大前": 3}[match["year"]]
    return spans.unit_back(YEAR, count, asked)


def _year(match: re.Match[str], asked: Asked) -> Meaning:
    text = match["year"]
    number = int(
        text if text.isascii() else "".join(str("〇一二三四五六七八九".index(digit.replace("零", "〇"))) for digit in text)
    )
    number += 2000 if number < 100 else 0
    return spans.unit_back(YEAR, asked.today.year - number, asked) if 2000 <= number <= asked.today.year + 1 else None


def _share(match: re.Match[str], asked: Asked) -> Meaning:
    return Weak(Share(_SHARES[match["share"]], is_edge=True))


def _share_of_unit(match: re.Match[str], asked: Asked) -> Meaning:
    unit, share = YEAR if match["unit"] == "年" else MONTH, Share(_SHARES[match["share"]], is_edge=True)
    return Cycle(
        unit, lambda first: spans.share_of(Stretch(spans.at(first), spans.at(spans.move(unit, first, 1)), unit), share), WEEK
    )


def _half(match: re.Match[str], asked: Asked) -> Meaning:
    first, second = match["which"] == "上", match["unit"] == "月"
    if second:
        return Cycle(
            MONTH,
            lambda day: spans.days(
                day if first else day.replace(day=16), 15 if first else (spans.move(MONTH, day, 1) - day).days - 15, WEEK
            ),
            WEEK,
        )
    return spans.year_months(1 if first else 7, 6, HALF)


# --- months and dates --------------------------------------------------------------------------------------------------
def _number(match: re.Match[str], group: str) -> int:
    return whole_chinese(match[group]) or 0


def _month(match: re.Match[str], asked: Asked) -> Meaning:
    return spans.year_months(_number(match, "month"), 1, MONTH)


def _month_day(match: re.Match[str], asked: Asked) -> Meaning:
    return stretch_or_mark(spans.year_day(_number(match, "month"), _number(match, "day")))


def _month_days(match: re.Match[str], asked: Asked) -> Meaning:
    month = _number(match, "month")
    return stretch_or_mark(spans.year_days(month, _number(match, "day"), month, _number(match, "last")))


def _day_only(match: re.Match[str], asked: Asked) -> Meaning:
    return spans.month_day(_number(match, "day"))


def _days_only(match: re.Match[str], asked: Asked) -> Meaning:
    first, last = _number(match, "day"), _number(match, "last")
    if first >= last:
        return None
    return Cycle(
        MONTH,
        lambda month: (
            Stretch(start, stop, WEEK) if (start := _in_month(first, month)) and (stop := _in_month(last + 1, month)) else None
        ),
        WEEK,
    )


def _in_month(day: int, first: date) -> datetime | None:
    size = (spans.move(MONTH, first, 1) - first).days
    return spans.at(first + timedelta(days=day - 1)) if day - 1 <= size else None


def _quarter(match: re.Match[str], asked: Asked) -> Meaning:
    return spans.year_months(3 * _number(match, "n") - 2, 3, QUARTER)


def _season(match: re.Match[str], asked: Asked) -> Meaning:
    return spans.year_months(_SEASONS[match["season"]], 3, QUARTER)


def _holiday(match: re.Match[str], asked: Asked) -> Meaning:
    """Only said as a time: 国庆期间, 春节前; 国庆活动 is a thing."""
    name = match["holiday"]
    if name in _FIXED:
        cycle = spans.year_days(*_FIXED[name])
    else:
        days, before, length = _LUNAR[name], *((1, 9) if name in ("春节", "过年") else (0, 3))
        cycle = Cycle(
            YEAR,
            lambda first: (
                spans.days(date(first.year, *days[first.year]) - timedelta(days=before), length, WEEK)
                if first.year in days
                else None
            ),
            WEEK,
        )
    is_time = match["sign"] or match.end() == len(match.string) or _TIME_AFTER.match(match.string, match.end())
    return cycle if cycle is None or is_time else Weak(cycle, _HOLIDAY_NEEDS)


_HOLIDAY_NEEDS = frozenset({"before", "after", "since", "until"})
_TIME_AFTER = re.compile(r"[\s,，。.?？!！]|[我改写做修定搞调弄]|上线|部署|前后")


def _vague(match: re.Match[str], asked: Asked) -> Meaning:
    return Mark.VAGUE


_BACKWARD = r"(?:之前|以前|前)(?!端|面|台|缀|者|[几些两]天)"
CHINESE_FORMS = (
    # days
    _zh("天 日 儿", r"(?<![目之以提当])(?P<day>大前|前|昨|今)(?:天(?![气空线])|儿个?|日(?![志期记常程头活]))", _day),
    _zh("当天", r"当天(?=早|上|中|下|晚|凌)", lambda m, asked: Weak(spans.days(asked.today, 1)), sure=0.5),
    _zh(
        "早 晚 夜",
        r"(?<![目之以提])(?P<day>大前|昨|今|前)(?P<part>早|晚|夜)(?:上(?![线传报周月次游下一])|间|里)?(?![报])",
        _day_part,
    ),
    _zh(
        "晨",
        r"(?P<day>今|昨)(?P<part>晨)",
        lambda m, asked: spans.part_of(spans.days(spans.back(asked, _DAYS_BACK[m["day"]]), 1), _PARTS["早上"], asked),
    ),
    _zh("午 早 晚 夜 晨 黄昏", rf"{_PART}(?!茶|餐|市)", _part),
    _zh(
        "点",
        rf"(?<![\w.一二三四五六七八九十百几])(?P<hour>[12]?\d|二?十[一二三四]?|[零一二两三四五六七八九])\s?点(?!\d{{3}})(?P<minute>半|[一三]刻|[0-5]?\d分?|[一二三四五]?十[一二三四五六七八九]?分?)?(?P<sign>多?钟|整|左右|前后|多(?![个条次]))?{_CLOCK_NEVER}",
        _clock,
        sure=0.7,
    ),
    _zh(":", r"(?<![\w:.])(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)(?::[0-5]\d)?\s?(?:左右|前后)", _clock_around, sure=0.7),
    # a few days
    _zh("前 天", r"(?<![目之以])[前头](?:几|两三|三四|些)天|几天(?:之|以)?前(?![端面台])", _span_back(6, 2), sure=0.8),
    _zh("两天 两日", r"(?<![目之以])[前头]两[天日]", _span_back(4, 1), sure=0.8),
    _zh("天 日", r"(?:这|最近|近)(?:几|些|两三|三五)[天日]", _span_back(6, 0), sure=0.8),
    _zh("这两", r"这两[天日]", _span_back(2, 0), sure=0.8),
    _zh("前 阵 段", r"(?<![目之以])前(?:一)?(?:阵(?:子|儿)?|段(?:时间|日子))", _span_back(60, 5), sure=0.5),
    # counts
    _zh(
        "前",
        rf"(?<![\w.第半])(?:(?:大概|大约|差不多|将近|约)\s*)?{_UPTO}\s*{_UNIT}(?:左右)?(?:的时间)?{_BACKWARD}",
        _ago,
    ),
    _zh(
        "前 半",
        r"(?<![\w一二两三四五六七八九十几个])(?P<n>半)(?P<upto>)(?P<unit>年多?|天|个?多?小时|个钟头|个?多?月)(?:左右)?(?:之前|以前|前)(?!端|面|台)",
        _ago,
    ),
    _zh(
        "近 过去 这",
        rf"(?:(?:最近|过去|近|在过去)的?这?|这(?!一天))\s*{_UPTO}\s*{_UNIT}(?:以?来|里|之?内|以内|间)?(?![后个前])",
        _lately,
    ),
    _zh("刚 方才", r"刚刚|刚才|方才", lambda m, asked: lately(HOUR, Amount(3, 3), asked), sure=0.6),
    _zh(
        "近 这阵 这段",
        r"最近(?!最少|最久|邻|一次|使用|公共|的?祖先)|近期|近来|近日|这阵子?|这段(?:时间|日子)",
        _vague,
        sure=0.5,
    ),
    _zh(
        "前",
        r"(?:很|好|老|挺)(?:久|早|长时间)(?:之|以)?前|好久(?:之|以)?前|(?<!以)前不久|不久(?:之|以)?前(?!端)|(?<![一两三四五六七八九十半])多年(?:之|以)?前|早些时候",
        _vague,
        sure=0.5,
    ),
    # weeks to years
    _zh("周 星期 礼拜", rf"(?P<which>上+|[这本])一?个?{_WEEK}{_WEEKDAY}", _weekday_of),
    _zh("周 星期 礼拜", rf"(?<![每下这本上一二两三四五六七八九十几个半\d]){_WEEK}{_WEEKDAY}", _weekday),
    _zh("周 星期 礼拜", rf"(?P<which>上+|[这本])一?个?(?P<unit>周|星期|礼拜){_WEEK_ENDS}", _unit_back),
    _zh("周末", r"(?P<which>上+个?|[这本]个?)?(?<![每下])周末", _weekend, sure=0.8),
    _zh("月", r"(?P<which>上+|[这本])一?个?(?P<unit>月)(?![饼球亮光薪报活度])", _unit_back),
    _zh("季度", r"(?P<which>上+|[这本])一?个?(?P<unit>季度)", _unit_back),
    _zh("年", r"(?<![目之以])(?P<year>大前|前|去|今|本|上(?=年度))年(?:度)?(?![会龄轻])", _year_back),
    _zh(
        "年",
        r"(?<![\w.])(?P<year>20\d\d|二[〇零]\d?[一二三][〇零一二三四五六七八九]|二[〇零][〇零一二三四五六七八九]{2}|2\d(?=年\s?\d{1,2}\s?月))\s?年",
        _year,
    ),
    _zh(
        "旬 初 底 末 中 尾",
        r"(?<=[月年份])\s?(?P<share>上旬|中旬|下旬|初(?![始次级])|底(?![层部座])|末(?![尾])|尾|中(?![国文间心午途断央台的了]))",
        _share,
        sure=0.8,
    ),
    _zh("年", r"(?<=年)年(?P<share>初|底|末|尾|中(?!国))", _share, sure=0.8),
    _zh(
        "月 年 旬",
        r"(?<![\d一二三四五六七八九十个])(?P<unit>[月年])(?P<share>初(?![始次级])|底(?![层部座])|末|中(?![国文间心午途断央台旬的了]))",
        _share_of_unit,
        sure=0.7,
    ),
    _zh("旬", r"(?<![月三七八九六五四])(?P<unit>)(?P<share>上旬|中旬|下旬)", _share_of_unit, sure=0.7),
    _zh("半", r"(?<!\w)(?P<which>[上下])半(?P<unit>[年月])", _half, sure=0.8),
    _zh("季", r"(?:第\s?)?(?P<n>[1-4一二三四])\s?季度", _quarter),
    _zh("春 夏 秋 冬", r"(?P<season>[春夏秋冬])(?:天|季(?!度))", _season, sure=0.5),
    # months and dates
    _zh(
        "月",
        _ALONE_MONTH + r"(?=份|[的里初底中末上下那之以前后开至到起我你改写做修定搞调弄发加说聊讨，,。.?？!！\s]|$)份?",
        _month,
    ),
    _zh("月", _ALONE_MONTH + r"份?", _month, sure=0.5),  # 九月毛利 may be what it is about
    _zh("月", rf"(?<![\w十个第.]){_MONTH}\s?月\s?{_DAY}\s?{_SIGN}", _month_day),
    _zh("月", rf"(?<![\w十个第.]){_MONTH}\s?月\s?{_DAY}\s?(?:{_SIGN})?{_TO}{_LAST}\s?{_SIGN}", _month_days),
    _zh("号 日", rf"{_NOT_BEFORE_DAY}{_DAY}\s?{_SIGN}{_DAY_ENDS}{_DAY_NEVER}", _day_only, sure=0.8),
    _zh("号 日", rf"{_NOT_BEFORE_DAY}{_DAY}\s?(?:{_SIGN})?{_TO}{_LAST}\s?{_SIGN}{_DAY_NEVER}", _days_only, sure=0.8),
    _zh(
        "国庆 十一 元旦 五一 清明 圣诞 春节 过年 端午 中秋",
        r"(?<![第\d二三四五六七八九])(?P<holiday>国庆|十一(?=放假|假期|长假|期间)|元旦|五一(?=劳动|节|放假|假期|期间|前|后|之|以)|清明|圣诞|春节|过年|端午|中秋)(?:劳动节|节)?"
        r"(?P<sign>(?:放假|假期|小?长假|期间|那(?:天|几天|会儿?|阵子?|时候?)|当天|(?:的)?时候?)*)",
        _holiday,
        sure=0.8,
    ),
    _zh("现在 今 目前 如今", r"现在|目前|如今|至今|今(?![天日早晚年晨夜])", lambda m, asked: Mark.NOW),
)
