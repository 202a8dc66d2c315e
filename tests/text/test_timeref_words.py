"""Which words are taken for a time, and which are not: other senses, several times in a question, what is cut and shown."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from tray_app.text.timeref import understand

FRIDAY = datetime(2026, 11, 20, 10, 0, tzinfo=ZoneInfo("Asia/Shanghai"))

# fmt: off
NO_TIME = [
    # words that are a month, a day or a season only sometimes
    "it may fail", "this may break", "how long may it last", "may 3 retries", "march on", "the march of progress",
    "the august one", "april wrote it", "sun java", "sat down with it", "mon daemon", "fri", "wed the two", "dec 10",
    "oct 17", "in dec", "Spring Boot 3", "in the spring config", "fall back", "in fall", "q3 model", "the second attempt",
    "by autumn", "a second", "one day", "day 1", "week", "weekly report", "monthly", "mondays", "todayish", "monday.com api",
    # what is code, a file, a version, a quotation
    '"yesterday" button', "'last week' label", "`today` column", "today() returns", "Date.today", "$today", "--since=yesterday",
    "field named today", "called yesterday", "a column monday", "today button", "yesterday_rows", "mon.example.com",
    "2026-report.txt", "backup-2026-11-03.tar", "path/2026-11-03/x", "v2026-11", "version 1.2.3", "10.0.3", "9f-11",
    "localhost:8080", "port 3111", "HTTP 404", "line 42", "app.js:12:30", "at 12:30", "error at 02:00", "15:30", "#11", "@today",
    # counts, ratios, durations, what is to come or recurs
    "3/4 of the tests", "11/03 tests passed", "24/7", "error 5 days", "for two weeks", "in 5 minutes", "after 3 days",
    "every day", "every Tuesday at 3pm", "each March", "next week", "next Tuesday morning", "tomorrow morning", "daily at 3am",
    "job runs at 3am", "timeout 30 s", "the last 5 commits", "last 30 s", "in 2048 bits", "after 2000 ms", "in 2025 rows",
    "the 5th argument", "on the 5th attempt", "older than 3 days ago", "how long ago", "these days", "until now", "since then",
    "a lot of late nights", "the last day of the month function", "get yesterday's date in bash", "5 to 7 retries", "from 3 to 5",
    'git log --since="2 weeks ago"', "git reset HEAD@{yesterday}", "cron 0 3 * * 1", "Windows 2000", "room 2019", "in 1999",
    "within a month", "3 times a week", "year 2038 problem", "strftime %B month names", "last 2d array",
    # no such day
    "2026-02-31", "2026-13-01", "February 30", "on 31/31", "2026年2月31日", "2月31号", "十三月", "0号", "32号", "3:75", "",
    # Chinese words that hold a time word
    "日志里", "账号", "端口号", "周期任务", "上周期", "周边", "周到", "周报模板", "周转", "月活", "月亮", "3月饼", "天气", "目前天气",
    "之前天天报错", "要提前天气预报", "年会", "三个", "三点", "三点原因", "几点建议", "两点区别", "上午", "晚上", "春联",
    "3号机", "3号店", "1号线", "第3号", "A3号的", "12个月", "2.3月", "一周年", "三天打鱼", "一天一次", "一天到晚", "这一天",
    "两周三次", "国庆活动页", "春节红包", "版本 3.2.1 发布", "最近最少使用", "最近邻", "五一广场",
    "每天", "每周三例会", "每月5号", "每天凌晨三点", "每个月", "天天", "隔天", "下周三", "下个月5号", "明天下午三点", "后天", "未来三天",
    "超时3天", "保留14天", "超过3天前", "3天后", "两周后", "三天内", "之前的方案", "我之前表过态", "以前", "之后再说",
    "下一步计划", "按周分区", "月度报表", "一周的数据怎么聚合", "夏令时处理", "30分钟自动取消", "token 两小时过期", "连续三天失败",
    "上次的方案", "凌晨跑批失败", "差一点就成功了", "今日头条爬虫", "前天线问题", "删除30天前的日志", "清理3天前的缓存",
    "3天内重试", "满 7 天", "一年四季", "十一个文件", "五一劳动奖", "日期格式 yyyy-MM-dd", "周杰伦", "半天没反应", "10号线程",
    "字段今天", "《昨天》", "「昨天」按钮", "“上周”这个词", "不是昨天", "除了上周",
]
# fmt: on


@pytest.mark.parametrize("query", NO_TIME)
def test_other_senses_are_left_alone(query: str) -> None:
    assert understand(query, FRIDAY) is None


@pytest.mark.parametrize("query", ["我想知道{}怎么处理", "帮我看{}的问题"])
@pytest.mark.parametrize(
    "words", ["日志", "账号", "周期任务", "三点原因", "每天", "3号机", "之前的方案", "天气", "保留14天", "月活"]
)
def test_other_senses_are_left_alone_in_a_sentence(query: str, words: str) -> None:
    assert understand(query.format(words), FRIDAY) is None


# fmt: off
CUT = [
    # query, what is taken, what is shown
    ("what changed on Monday", ["on Monday"], "Monday"),
    ("the bug from last week's deploy", ["from last week's"], "last week"),
    ("what did we break over the weekend?", ["over the weekend"], "the weekend"),
    ("errors since Monday morning", ["since Monday morning"], "since Monday morning"),
    ("notes of the week of March 3", ["the week of March 3"], "the week of March 3"),
    ("Yesterday's build", ["Yesterday's"], "Yesterday"),
    ("LAST  WEEK", ["LAST  WEEK"], "LAST  WEEK"),
    ("昨天的日志", ["昨天的"], "昨天"),
    ("昨天的确坏了", ["昨天"], "昨天"),
    ("在上周三的会上", ["在上周三的"], "上周三"),
    ("周三之前的方案", ["周三之前的"], "周三之前"),
    ("昨天前端报错", ["昨天"], "昨天"),
    ("周三后台发版", ["周三"], "周三"),
    ("昨晚上线的版本", ["昨晚"], "昨晚"),
    ("今天内存泄漏", ["今天"], "今天"),
    ("上周一直报错的那个", ["上周"], "上周"),
    ("周三日志里的报错", ["周三"], "周三"),
    ("国庆放假时候定的方案", ["国庆放假时候"], "国庆放假时候"),
    ("从昨天的日志看", ["昨天的"], "昨天"),
    ("从昨天开始报错", ["从昨天开始"], "从昨天开始"),
    # several stretches that narrow one another
    ("last week why did it fail on Tuesday", ["last week", "on Tuesday"], "last week Tuesday"),
    ("yesterday why did it crash in the morning", ["yesterday", "in the morning"], "yesterday morning"),
    ("昨天 logsift 下午崩了", ["昨天", "下午"], "昨天 下午"),
    ("上周的会 周三说了什么", ["上周的", "周三"], "上周 周三"),
    ("since March and before May", ["since March", "before May"], "since March before May"),
    ("why was the build slow in 2025, it was in March", ["in 2025", "in March"], "2025 March"),
    # a part of a name is none
    ("last week the morning standup bot broke", ["last week"], "last week"),
    ("上周的下午茶", ["上周的"], "上周"),
    # of several that do not go together the first, or the surer one
    ("yesterday it worked, 3 months ago it did not", ["yesterday"], "yesterday"),
    ("recently, I mean last week", ["last week"], "last week"),
    ("最近 上周那个", ["上周"], "上周"),
    ("not yesterday but the day before yesterday", ["the day before yesterday"], "the day before yesterday"),
    ("不是昨天，是前天", ["前天"], "前天"),
    ("every day it failed, yesterday too", ["yesterday"], "yesterday"),
    ("昨天每小时都报错", ["昨天"], "昨天"),
    ("九月毛利 上周算的", ["上周"], "上周"),
]
# fmt: on


@pytest.mark.parametrize(("query", "taken", "label"), CUT)
def test_what_is_cut_and_what_is_shown(query: str, taken: list[str], label: str) -> None:
    found = understand(query, FRIDAY)
    assert found
    assert [query[start:end] for start, end in found.spans] == taken
    assert (found.label, found.words, found.span) == (label, taken[0], found.spans[0])


@pytest.mark.parametrize(
    ("query", "first", "last"),
    [
        ("yesterday or the day before yesterday", "2026-11-18", "2026-11-20"),
        ("last week and yesterday", "2026-11-09", "2026-11-20"),
        ("昨天还是前天", "2026-11-18", "2026-11-20"),
        ("周一和周三", "2026-11-16", "2026-11-19"),
        ("since March and before May", "2026-03-01", "2026-05-01"),
        ("last week why did it fail on Tuesday", "2026-11-10", "2026-11-11"),
        ("上周的会 周三说了什么", "2026-11-11", "2026-11-12"),
        ("why was it slow in 2025, it was in March", "2025-03-01", "2025-04-01"),
        ("上周 那个 bug 下午", "2026-11-09", "2026-11-16"),
        ("Tuesday, March 3", "2026-03-03", "2026-03-04"),
        ("11月3号（周二）", "2026-11-03", "2026-11-04"),
    ],
)
def test_several_time_words_mean_one_range(query: str, first: str, last: str) -> None:
    found = understand(query, FRIDAY)
    assert found and found.start and found.end
    assert (found.start.date().isoformat(), found.end.date().isoformat()) == (first, last)


@pytest.mark.parametrize("query", ["recently", "lately", "ages ago", "a while back", "最近", "近期", "很久以前", "这段时间"])
def test_vague_words_have_no_range(query: str) -> None:
    found = understand(f"{query} changed", FRIDAY)
    assert found and (found.words, found.start, found.end) == (query, None, None)
    assert found.sure == 0.5


@pytest.mark.parametrize(
    ("query", "sure"),
    [
        ("2026-11-03", 1.0),
        ("yesterday", 0.9),
        ("the other day", 0.8),
        ("on 11/03", 0.6),
        ("九月毛利报表", 0.5),
        ("九月的报表", 0.9),
    ],
)
def test_how_sure_it_is(query: str, sure: float) -> None:
    found = understand(query, FRIDAY)
    assert found and found.sure == sure
