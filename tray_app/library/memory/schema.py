"""The schema of memory.duckdb, and how rows of an older one become rows of this.

What the file holds is small, so a migration reads the old rows and writes a new file; the rows in the journal and in
snapshots take the same steps. A newer schema is refused, never touched.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from tray_app.library.memory.rows import TABLES, Row, declarations

MEMORY_SCHEMA = 1

Fields = dict[str, Any]
Step = Callable[[str, Fields], tuple[str, Fields] | None]

STEPS: dict[int, Step] = {}
"""By the schema they start from: (table, fields of a row) as that schema had them -> as the next has them, None where the row
is no more. Columns that are no more hold what the file held: lists and mappings as JSON text."""

WORDS = {"memories": "memory_words", "paragraphs": "page_words"}
"""The schema of the words of a table, in the layout that `library.postings` reads."""


def upgraded(table: str, fields: Fields, schema: int) -> tuple[str, Row] | None:
    """A row of an older schema as one of this, with its table. Raises msgspec.ValidationError where it is none."""
    for step in range(schema, MEMORY_SCHEMA):
        if step in STEPS:
            made = STEPS[step](table, fields)
            if made is None:
                return None
            table, fields = made
    return (table, msgspec.convert(fields, TABLES[table])) if table in TABLES else None


def definition(*, derived: bool) -> str:
    """All tables, as SQL; without those of words and vectors where they are not `derived`."""
    parts = ["create table meta(key varchar primary key, value varchar)"]
    parts += [f'create table "{table}"({declarations(table)})' for table in TABLES]
    if not derived:
        return ";\n".join(parts)
    parts.append(
        "create table vectors(memory bigint not null, space varchar not null, mark varchar not null, vector blob not null)"
    )
    for schema in WORDS.values():
        parts += [
            f"create schema {schema}",
            f"create table {schema}.docs(docid bigint, name bigint, len bigint)",
            f"create table {schema}.dict(termid bigint, term varchar, df bigint)",
            f"create table {schema}.stats(num_docs bigint, avgdl double)",
            f"insert into {schema}.stats values (0, null)",
            f"create table {schema}.post(termid integer, docid integer, tf integer, len integer)",
            f"create view {schema}.terms as select docid, 0::bigint as fieldid, termid "
            f"from (select docid, termid, unnest(range(tf)) from {schema}.post)",
            f"create index {schema}_term on {schema}.dict(term)",
        ]
    return ";\n".join(parts)
