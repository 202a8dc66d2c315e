"""The words beside a time that belong to it: prepositions, 之前 and 以来, the possessive, fillers such as 那天.

Owns the two shapes. A group named like one of `BOUNDS` (or so with `_zh`) bounds the time; `bad` says that it is not meant;
every other word is only taken along.
"""

from __future__ import annotations

import re

LEFT = re.compile(
    r"(?<!\w)(?:(?P<bad>not|except|besides|excluding|older\s+than|unless)|(?P<week>(?:the\s+)?week\s+of)"
    r"|(?P<before>before|prior\s+to|earlier\s+than)|(?P<after>after|later\s+than)"
    r"|(?P<since>(?:ever\s+)?since|starting(?:\s+(?:from|on))?|less\s+than)"
    r"|(?P<until>(?:up\s+)?(?:until|till)|up\s+to|by|no\s+later\s+than|more\s+than)"
    r"|(?P<plain>on|(?:back\s+)?in|at|from|during|over|around|about|for|within|throughout|of|as\s+of|between))"
    r"\s+(?:(?:about|around|roughly|approximately|maybe|some\s?time)\s+)?(?P<the>the\s+)?$"
    r"|(?P<bad_zh>不是|除了|并非)\s*$|(?P<until_zh>截至|截止到?|直到)\s*$|(?P<since_zh>自从|(?<![服])从|(?<![各来独])自)\s*$"
    r"|(?P<before_zh>早于)\s*$|(?P<after_zh>晚于)\s*$|(?P<plain_zh>(?<![现存实所])在|大概|大约|差不多|约)\s*$"
)
RIGHT = re.compile(
    r"(?P<possessive>'s(?!\w))|\s+(?P<since>onwards?|(?:and|or)\s+later|and\s+after)(?!\w)|\s+(?P<until>(?:and|or)\s+(?:earlier|before))(?=\s*(?:$|[,.?!]))"
    r"|\s+or\s+so(?!\w)"
    r"|(?P<around_zh>左右|前后)?(?:[这那](?:一)?(?:天|周|个?月|几天|会儿?|阵子?|段时间|次|时候?)|期间|当天|的?时候|里(?!面|程|程碑)|之间|以内|之内)?"
    r"(?:(?P<before_zh>之前|以前|前(?!端|面|台|缀|后|者|任|提|置|沿|半|[几些两]天))|(?P<after_zh>之后|以后|后(?!端|台|面|续|来|缀|期|天|果|悔|门|置|半))"
    r"|(?P<since_zh>(?:一直)?(?:以来|之?起(?![来因草步])|开始|至今|到现在|到今天|到目前(?:为止)?))|(?P<until_zh>为止))?(?P<of_zh>的(?![确士话]))?"
)
BOUNDS = ("before", "after", "since", "until")
LEFT_MOST = 32
"""Characters before a time that `LEFT` is given."""
