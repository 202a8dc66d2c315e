"""Words around which labels are made: data for `key_phrases`. Owns lists only.

Beginnings that say nothing of the matter are taken off a sentence; breaks are where a long sentence may be cut; weak words
count little, since they stand in every talk about programs.
"""

from __future__ import annotations

LEAD_ENGLISH = (
    r"(?:(?:ok(?:ay)?|yes|yeah|yep|yup|hmm+|hm|oh|ah|uh|hi|hello|hey|thanks|thank you|thx|ty|please|pls|plz|sorry|actually|btw|by the way|lol|"
    r"alright|sure|also|and|but|so|then|hence|again|anyway|basically|maybe|perhaps)(?![\w'’-])[\s,.!:;–-]*"
    r"|(?:no|nope|well|now|next|first|second|finally|good|great|nice|cool|perfect|fine|right|works|worked|done|wait|look|agreed|correct|exactly)"
    r"(?:[,.!:;–-]+\s*|$)|now (?=(?:the|a|i|we|it) )"
    r"|(?:can|could|would|will) (?:you|we|u) (?:please |pls |also |just )?(?:help (?:me|us) (?:to )?)?"
    r"|help me (?:to )?|(?:is it possible|is there (?:a|any) way) to "
    r"|(?:i|we)(?:'d| would)? (?:have|like|am trying|are trying|am going|are going|was trying) (?:you )?to "
    r"|(?:(?:i|we) )?(?:want|need)(?: you)?(?: to)? |(?:i|we)(?:'ve| have)(?: got)? "
    r"|(?:i'm|we're) (?:trying|going) to |let(?:'|’)?s |let us |(?:i think|i guess|i see|it seems(?: that)?|looks like|(?:i'm|i am|we are|we're|i keep|we keep) getting|(?:i|we) (?:get|see)) "
    r"|(?:the|a|an|my|our) )"
)
TAIL_ENGLISH = (
    r"(?:[\s,.;:!-]*(?<![\w'’-])(?:please|pls|plz|thanks|thank you|thx|btw|lol|ok|for me|right now|too|as well|then)[.!]*)$"
)

LEAD_CHINESE = (
    r"(?:(?:好的?|行|嗯+|哦|对|可以|可以了|好了|行了|没事|谢谢|你好|您好|ok|okay)(?:[，,。！!、:：；; ]+|$)"
    r"|我?(?:现在|目前)?(?:有|遇到了?)(?:一?个|点|些)?(?:小?(?:需求|问题|情况|想法|疑问|事情?))(?:[，,：: ]|就是|是)+"
    r"|对了[，, ]*|就是说?|那就|那么|那个|那|然后|另外|还有|顺便|所以|但是|不过|其实|而且|接着|接下来|首先|现在|刚才|刚刚|目前|继续[，, ]+"
    r"|请问|请你?|麻烦你?|我想问一?下|想问一?下|问一?下|帮我|帮忙|你帮我|你先|我想要?|我要|我需要|我们需要|我们要|我们想|需要你|希望(?:能够?)?|能不能|可不可以|能否|可否"
    r"|(?:看|查|试|找|弄|搞)一?下(?!面)|先|再)[，, ]*"
)
TAIL_CHINESE = r"(?:[，, ]*(?:谢谢|多谢|吧|呀|啊|哈|嘛|哦|呗|咯|啦|哎)+[~～]*)$"

BREAKS_ENGLISH = """
and or but because so when while which who whose where whether if after before since until unless although though as than then
with without within into onto from for in on at by off about between through during via per against like using instead under
over behind inside outside upon among across except despite once due
"""
"""A label may end before one of these."""
LATE_BREAKS_ENGLISH = "of to that is are was were"
"""Or of these, if it must."""
WISHES_ENGLISH = "want wants need needs have has going able try trying tries like used supposed how what ought seem seems"
"""None ends between one of these and 'to'."""
STARTS_ENGLISH = "and but because so when while which that if after before since until unless although though then or"
"""A label may begin after one of these."""
ASKING_ENGLISH = """
add allow ban build bump change choose clean compare convert copy create cut debug delete deploy describe design document
drop enable disable explain export extract figure find fix generate handle implement import improve install integrate
investigate keep limit log make measure merge migrate mock move optimise optimize parse patch pick plan port prepare print
profile publish reduce refactor release remove rename render replace reproduce restore retry return reverse review rewrite run
send set ship show simplify skip sort speed split start stop store strip support switch sync test trace translate try turn
update upgrade upload use validate verify wire wrap write
"""
"""A sentence that begins with one of these says what is to be done."""
CLOSED_ENGLISH = """
a an the my our your his her its their this that these those and or but because so when while which who whose where if
after before since until unless although though as than with without within into onto from for in on at by of off to
about between through during via per against like using instead under over behind inside outside upon among across except
is are was were be been being am do does did has have had will would can could should may might must not no very too just
i we you he she it they one ones there here every each any some all both more most much many such only also it's that's don't i'm
still already always never ever
"""
"""No label is cut behind one of these, and none begins with one behind a cut."""
LOOSE_ENGLISH = "and or but with the a an just because so when that of my our your to is are was were if than"
"""These are taken off the end of a label, however it came there."""

BREAKS_CHINESE = (
    "的时候 以后 之后 之前 然后 但是 因为 所以 如果 不过 而且 并且 或者 还是 就是 总是 还要 以及 而是 可是 于是 为了 关于 由于 虽然 只要 只有 除了 "
    "以为 我想 我们 想要 帮我 需要 应该 发现 希望 知道 觉得 看看 结果 并 又 却"
)

FUNCTION_CHARACTERS = (
    "的了吗呢吧啊呀是在就都也很和与或把被让给不没有这那哪我你他她它们么个些之其而且但又还再才只会能可要想说到去来过着得地为以于从对向跟等"
    "什怎几多少咱嘛哦嗯呗啦哈先好行嘞"
)
"""No pair with one of these carries a matter by itself."""

WEAK_ENGLISH = """
add change check clean code continue create debug delete do done error fail failed failing fails file files find fine fix
fixed function good great help idea implement improve issue line lines list look make method move name new nice number
ok old option options please problem project put question read refactor remove rename replace repo review run running
script set show simple start step stop stuff support task test tests time update version way work works working write
wrong app bug build change changes class command commit data day default folder implement input key level output page
part place plan point possible result right same second setting side size text today tomorrow tool type user value
yesterday bit case different end first following happen happens keep long next single small thing two three one better
best bad big decision rule note later long short left seems never always still instead
"""
WEAK_CHINESE = """
代码 文件 问题 报错 错误 修改 添加 增加 删除 检查 测试 运行 功能 项目 函数 方法 实现 优化 更新 创建 处理 使用 支持 改成 改一 一下 加上 加个
继续 完成 开始 结束 现在 今天 明天 昨天 时候 东西 地方 方式 情况 需要 可以 看看 一个 一些 这样 那样 怎样 比较 直接 自动 全部 所有 部分 里面
上面 下面 前面 后面 之前 之后 以后 以前 起来 出来 下去 问下 帮忙 数据 页面 接口 用户 内容 名字 名称 版本 结果 决定 原因 办法 建议 方案
"""
