"""Words that say how something is asked, not what: data for `segment`.

Owns two lists. English words are written as people type them; Chinese phrases as they stand in a sentence, and words that
hold one of the particles by chance, which therefore must not be cut there.
"""

from __future__ import annotations

ENGLISH = """
a about again ago all already also am an and any anyone anything are aren't around as ask asked at be because been before
being both but by can can't cannot could couldn't did didn't do does doesn't doing don't done each else ever every find for
from gave get give go going gonna got had has hasn't have haven't having he hello help her here hey hi him his how i i'd i'll
i'm i've if in into is isn't it it's its just kind know last let let's like likely looking lot made make many may maybe me
mean mention mentioned might mine more most much must my need no now of off ok okay on once one only or other our ours out
over own please quite really recall remember remind said same saw say see seen shall she should show so some somehow someone
something somewhere sort still stuff such tell than thanks that that's the their them then there there's these they thing
things think this those thought through to told too try trying up us use used using very want wanted was wasn't way we we'd
we'll we're we've well went were weren't what what's when where where's which while who why will with won't would wouldn't
yes yet you you're your yours
decide decided discuss discussed talk talked earlier previously recently
"""

CHINESE = """
我们 我 你们 你 您 他们 她们 它们 它 咱们 咱 大家 自己 这个 那个 这些 那些 这样 那样 这里 那里 这边 那边 这次 那次 这种 那种 这 那
哪个 哪些 哪里 哪儿 哪次 哪天 哪一天 哪 什么 什么时候 啥 啥时候 怎么 怎么样 怎样 怎么办 怎么做 怎么弄 怎么回事 如何 为什么 为啥 为何 多少 几个 谁
是不是 有没有 能不能 可不可以 会不会 要不要 用什么 用哪个 用的什么 该怎么 该用 在弄 在做 在搞 说要 定的 用的 做的 写的 改的
是 不是 没有 在 了 的 吗 呢 吧 啊 呀 嘛 哦 嗯 呗 啦
和 跟 以及 或者 还是 还有 但是 不过 然后 所以 因为 如果 而且 并且 就是 就 都 也 很 比较 非常 有点 一下 一个 一些 一点 一次
把 被 让 对于 关于 为了 按照 根据
上次 上回 之前 以前 当时 那时 那时候 的时候 时候 刚才 刚刚 后来 现在 曾经 记得 还记得 记不记得 想起来 想不起来 忘了 好像 似乎 应该 可能 大概 到底 究竟 其实 貌似
说过 说的 讲过 聊过 聊到 聊的 提到 提过 讨论 讨论过 讨论的 决定 决定的 问过 问的 告诉 帮我 帮忙 请问 麻烦 找一下 找到 看看 看一下 查一下 想要 可以 需要 知道 觉得
来着 最后 一开始 那段 那会儿 那条 那句 那句话 事情 东西
"""

KEPT_WHOLE = """
目的 的确 的士 了解 了结 明了 内在 存在 所在 在线 在建 是否 于是 总和 和谐 跟踪 跟随 把手 被动 转让 让出 就绪 成就 首都 都市 也许
自我 我方 你好 那曲 哪吒 谁家 呀哈 酒吧 网吧 最后一 可能性 需要量 决定权
"""
