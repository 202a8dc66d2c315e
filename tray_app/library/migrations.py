"""The schema of index.duckdb and how an older file becomes a current one.

The index is derived from the sessions, so a migration may also say 'throw it away' (`REBUILD_BELOW`). A newer major
schema is refused, never touched. The full-text part follows the layout of DuckDB's own index (schema `fts_main_passages`
with dict, docs, stats), with the occurrences replaced by sorted postings, so that the stock `match_bm25` still answers
over the view `terms` and can prove ours right.
"""

from __future__ import annotations

from pathlib import Path

import duckdb

SCHEMA = 3
REBUILD_BELOW = 2
FTS = "fts_main_passages"

TABLES = ("meta", "files", "sessions", "messages", "copies", "chunks", "usage", "problems", f"{FTS}.post")


class NewerSchema(duckdb.Error):
    """The file was made by a newer program."""


_TABLES = """
create table meta(key varchar primary key, value varchar);
create table files(
    id integer not null, path varchar not null, agent varchar not null, root varchar not null, unit varchar not null,
    size bigint, mtime_ns bigint, inode ubigint, others varchar,
    "offset" bigint, guard blob, lines bigint, seq integer, state blob, continuable boolean,
    adapter_version integer, pipeline_version integer,
    status varchar, reason varchar, session_id integer,
    skipped integer, unknown integer, repeated integer, redacted integer, truncated boolean, over_budget integer,
    records bigint, recognised bigint, growing boolean, shift integer, bytes bigint);
create table sessions(
    id integer not null, agent varchar not null, native varchar not null, title varchar, title_rank integer,
    cwd varchar, project varchar, "start" bigint, "end" bigint, model varchar, branch varchar, version varchar,
    kind varchar, parent varchar, archived boolean, gone boolean, messages integer, open_round integer);
create table messages(
    id bigint not null, session_id integer not null, seq integer not null, native varchar not null, role varchar not null,
    tool varchar, time bigint, text varchar, identity bigint not null, "offset" bigint, files varchar);
create unique index messages_id on messages(id);
create table copies(session_id integer not null, message_id bigint not null, seq integer not null);
create table chunks(
    id integer not null, session_id integer not null, round integer not null, kind varchar not null, time bigint,
    pieces blob not null, size integer);
create unique index chunks_id on chunks(id);
create table usage(session_id integer not null, key varchar, time bigint, model varchar, input bigint, output bigint,
    cache_read bigint, cache_write bigint);
create table problems(file_id integer not null, path varchar, agent varchar, line bigint, "offset" bigint, kind varchar,
    reason varchar);
"""

_MEANING = """
create table if not exists vector_spaces(id integer not null, key varchar not null, dims integer not null, facts blob, calibration blob);
create table if not exists vectors(chunk_id integer not null, part integer not null, space integer not null, language tinyint not null,
    mark bigint not null, vector blob not null);
create table if not exists refused(chunk_id integer not null, space integer not null, reason varchar);
create table if not exists topics(day integer not null, mark varchar not null, maker varchar not null, card varchar not null);
"""
"""`facts`: what the library knows of a space (language means, background), `calibration`: the vectors of the fixed questions and
statements, both as msgpack. `vector`: float16, little endian, of length one; `language` as in `text.languages`; `mark` is never given
twice, while the id of a passage that is gone may be. `topics.day`: proleptic ordinal of a local day; `mark` says of which passages the card was made."""

_POSTINGS = f"""
create table {FTS}.post(termid integer, docid integer, tf integer, len integer);
create view {FTS}.terms as
    select docid, 0::bigint as fieldid, termid from (select docid, termid, unnest(range(tf)) from {FTS}.post);
create index passages_term on {FTS}.dict(term);
"""

_BY_HAND = f"""
create schema {FTS};
create table {FTS}.docs(docid bigint, name bigint, len bigint);
create table {FTS}.dict(termid bigint, term varchar, df bigint);
create table {FTS}.fields(fieldid bigint, field varchar);
create table {FTS}.stats(num_docs bigint, avgdl double);
create table {FTS}.stopwords(sw varchar);
insert into {FTS}.stats values (0, null);
insert into {FTS}.fields values (0, 'search_text');
"""


def migrate(connection: duckdb.DuckDBPyConnection, path: Path, *, fts: bool) -> None:
    """Bring an open file to the current schema. Raises NewerSchema."""
    known = connection.execute(
        "select count(*) from duckdb_tables() where database_name = 'library' and schema_name = 'main' and table_name = 'meta'"
    ).fetchone()
    if known and known[0]:
        row = connection.execute("select value from meta where key = 'schema'").fetchone()
        found = int(row[0]) if row else 0
        if found > SCHEMA:
            raise NewerSchema(f"schema {found}")
        if found >= REBUILD_BELOW:
            if found < SCHEMA:
                _raise(connection)
            return
        _drop_everything(connection)
    _create(connection, fts)


def _create(connection: duckdb.DuckDBPyConnection, fts: bool) -> None:
    connection.execute("begin")
    try:
        connection.execute(_TABLES)
        if fts:
            connection.execute("create table passages(id bigint, search_text varchar)")
            connection.execute(
                "pragma create_fts_index('passages', 'id', 'search_text', stemmer='none', stopwords='none', "
                "ignore='(\\x00)+', strip_accents=0, lower=0)"
            )
            connection.execute(f"drop table {FTS}.terms")
        else:
            connection.execute(_BY_HAND)
        connection.execute(_POSTINGS)
        connection.execute(_MEANING)
        connection.execute("insert into meta values ('schema', ?)", [str(SCHEMA)])
        connection.execute("commit")
    except BaseException:
        connection.execute("rollback")
        raise
    connection.execute("checkpoint")


def _raise(connection: duckdb.DuckDBPyConnection) -> None:
    """Schema 2 knew no vectors: its table for them was never filled."""
    connection.execute("begin")
    try:
        connection.execute("drop table if exists embeddings")
        connection.execute(_MEANING)
        connection.execute("update meta set value = ? where key = 'schema'", [str(SCHEMA)])
        connection.execute("commit")
    except BaseException:
        connection.execute("rollback")
        raise
    connection.execute("checkpoint")


def _drop_everything(connection: duckdb.DuckDBPyConnection) -> None:
    """Drop all of ours one by one: `drop_fts_index` leaves a log that cannot be replayed after a kill (measured)."""
    for kind, column in (("view", "view_name"), ("table", "table_name")):
        rows = connection.execute(
            f"select schema_name, {column} from duckdb_{kind}s() where database_name = 'library' and not internal"
        ).fetchall()
        for schema, name in rows:
            connection.execute(f'drop {kind} "{schema}"."{name}"')
    for schema, name in connection.execute(
        "select schema_name, function_name from duckdb_functions() where database_name = 'library' and function_type like '%macro%' "
        "and not internal"
    ).fetchall():
        connection.execute(f'drop macro if exists "{schema}"."{name}"')
    connection.execute(f"drop schema if exists {FTS}")
