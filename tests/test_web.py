"""The one way out: what is sent, what comes back, every way it can go wrong, and that keys and texts are in none of it."""

from __future__ import annotations

import datetime
import ipaddress
import logging
import math
import socket
import ssl
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from stub_server import Reply, Stub, running

from tray_app import __version__, web, wire
from tray_app.web import Answer, Client, ServiceFault

KEY = "sk-KEYKEYKEY-0123456789"
TEXT = "THE-TEXT-OF-THE-PERSON"


class Doc(msgspec.Struct):
    value: float | None


@pytest.fixture
def stub() -> Iterator[Stub]:
    with running() as made:
        yield made


@pytest.fixture(autouse=True)
def without_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def client(stub: Stub) -> Iterator[Client]:
    made = Client(stub.url + "/v1/", KEY)
    yield made
    made.close()


def fault_of(client: Client, *, seconds: float = 5.0, limit: int = 1_000_000) -> ServiceFault:
    with pytest.raises(ServiceFault) as caught:
        client.post("/x", {"input": TEXT}, seconds=seconds, limit=limit)
    client.close()
    fault = caught.value
    told = f"{fault!s} {fault!r} {fault.hint} {fault.__cause__!r} {'' if fault.__suppress_context__ else fault.__context__!r}"
    assert KEY not in told
    assert TEXT not in told
    return fault


# --- an exchange that works ------------------------------------------------------------------------------------------------
def test_json_goes_out_and_comes_back(stub: Stub, client: Client) -> None:
    stub.answer = lambda _seen: Reply(body={"value": 1, "unknown": [1, 2]}, headers={"X-Thing": "a"})
    answer = client.post("/x", {"input": "数据 a"}, seconds=5)
    assert (answer.status, answer.read(Doc), answer.headers["x-thing"]) == (200, Doc(1.0), "a")
    seen = stub.seen[0]
    assert (seen.method, seen.path, seen.body) == ("POST", "/v1/x", {"input": "数据 a"})
    assert seen.headers["authorization"] == f"Bearer {KEY}"
    assert seen.headers["user-agent"] == f"Backscroll/{__version__}"
    assert seen.headers["content-type"] == "application/json"
    assert seen.headers["host"] == f"127.0.0.1:{stub.port}"


def test_without_a_key_none_is_sent(stub: Stub) -> None:
    client = Client(stub.url)
    client.get("/a b?q=1 2", seconds=5)
    client.close()
    assert "authorization" not in stub.seen[0].headers
    assert (stub.seen[0].method, stub.seen[0].path) == ("GET", "/a%20b?q=1%202")


def test_half_a_character_is_sent_as_a_question_mark(stub: Stub, client: Client) -> None:
    client.post("/x", {"input": ["a\ud800字"]}, seconds=5)
    assert stub.seen[0].body == {"input": ["a?字"]}


def test_a_key_may_be_pasted_with_its_bearer(stub: Stub) -> None:
    client = Client(stub.url, f"  Bearer {KEY}\n")
    client.get("/", seconds=5)
    client.close()
    assert stub.seen[0].headers["authorization"] == f"Bearer {KEY}"


def test_the_connection_is_kept(stub: Stub, client: Client) -> None:
    for _ in range(3):
        client.post("/x", {}, seconds=5)
    assert stub.connections == 1
    client.close()
    client.post("/x", {}, seconds=5)
    assert stub.connections == 2


def test_a_kept_connection_that_was_closed_is_replaced(stub: Stub, client: Client) -> None:
    stub.replies(Reply(body={}), Reply(silent=True), Reply(body={"value": 2}))
    client.post("/x", {}, seconds=5)
    assert client.post("/x", {}, seconds=5).read(Doc) == Doc(2.0)
    assert stub.connections == 2


def test_an_old_connection_is_not_used(stub: Stub, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    client.post("/x", {}, seconds=5)
    monkeypatch.setattr(web, "IDLE_S", 0.0)
    client.post("/x", {}, seconds=5)
    assert stub.connections == 2


def test_an_answer_before_everything_is_sent_is_heard(client: Client) -> None:
    """A service that finds the message too big says so and hangs up."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        import threading

        def refuse() -> None:
            peer, _ = listening.accept()
            with peer:
                peer.recv(1000)
                peer.sendall(b"HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n")
                peer.shutdown(socket.SHUT_WR)
                while peer.recv(65_536):
                    pass

        thread = threading.Thread(target=refuse)
        thread.start()
        other = Client(f"http://127.0.0.1:{listening.getsockname()[1]}", KEY)
        assert other.post("/x", {"input": TEXT * 200_000}, seconds=10).status == 413
        other.close()
        thread.join(5)


# --- what is forbidden -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("value", ["1", "true"])
def test_offline_forbids_this_machine_too(stub: Stub, client: Client, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("BACKSCROLL_OFFLINE", value)
    fault = fault_of(client)
    assert (fault.code, fault.final, stub.connections) == ("service_offline", True, 0)


@pytest.mark.parametrize("value", ["", "0", " "])
def test_offline_that_is_not_set(stub: Stub, client: Client, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("BACKSCROLL_OFFLINE", value)
    assert client.post("/x", {}, seconds=5).status == 200


@pytest.mark.parametrize("key", ["sk-a\r\nX-Evil: 1", "sk-a b", "密钥", "sk-\x00"])
def test_a_key_that_would_break_the_headers_is_not_sent(stub: Stub, key: str) -> None:
    with pytest.raises(ServiceFault) as caught:
        Client(stub.url, key).post("/x", {}, seconds=5)
    assert (caught.value.kind, caught.value.final, stub.connections) == ("refused_key", True, 0)
    assert key not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        *("", "api.example.com/v1", "ftp://api.example.com", "http://", "https://a b/", "http://host:port/", "http://[::1"),
        *("http://host:99999", "http://user:secret@api.example.com/v1", "https://" + "a" * 64 + "。com", "http://h\r\nX: 1/"),
        "http://a/..@b",
    ],
)
def test_an_address_that_cannot_be_asked(url: str) -> None:
    with pytest.raises(ServiceFault) as caught:
        Client(url, KEY).post("", {}, seconds=5)
    assert caught.value.final or url == "http://a/..@b"
    assert caught.value.kind in ("bad_address", "unreachable")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "host"),
    [
        *(
            ("http://127.0.0.1:11434", ""),
            ("http://localhost:1234/v1", ""),
            ("http://[::1]:80/", ""),
            ("http://0.0.0.0:11434", ""),
        ),
        *(("http://127.8.9.1", ""), ("http://LOCALHOST.", ""), ("http://[::ffff:127.0.0.1]", ""), ("http://a.localhost", "")),
        *(("https://api.siliconflow.cn/v1", "api.siliconflow.cn"), ("https://api.siliconflow.cn:443", "api.siliconflow.cn")),
        *(("http://192.168.1.5:11434", "192.168.1.5:11434"), ("http://[fe80::1]:80", "[fe80::1]"), ("http://h:443", "h:443")),
        *(("http://localhost.example.com", "localhost.example.com"), ("https://例子.com", "xn--fsqu00a.com")),
    ],
)
def test_where_texts_are_sent(url: str, host: str) -> None:
    assert web.remote_host(url) == host


# --- no answer -------------------------------------------------------------------------------------------------------------
def test_nothing_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    fault = fault_of(Client(f"http://127.0.0.1:{port}", KEY))
    assert (fault.kind, fault.final) == ("unreachable", False)
    assert fault.message == f"127.0.0.1:{port} is not reached: nothing listens there."


def test_a_name_that_is_not_found() -> None:
    fault = fault_of(Client("https://service.invalid/v1", KEY))  # the tests' own guard refuses the look-up
    assert fault.message == "service.invalid is not reached: its name is not found."


def test_a_name_that_is_looked_up_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_kwargs: time.sleep(1.5))
    start = time.monotonic()
    fault = fault_of(Client("https://service.invalid/v1", KEY), seconds=0.2)
    assert fault.message == "service.invalid is not reached: looking up its name takes too long."
    assert time.monotonic() - start < 1.2


def test_a_slow_answer(stub: Stub, client: Client) -> None:
    stub.answer = lambda _seen: Reply(delay_s=5)
    start = time.monotonic()
    fault = fault_of(client, seconds=0.3)
    assert (fault.kind, fault.final, time.monotonic() - start < 3) == ("slow", False, True)
    assert fault.message == f"127.0.0.1:{stub.port} gave no answer within 0.3 s."


def test_an_answer_that_drips_ends_in_time_too(stub: Stub, client: Client) -> None:
    stub.answer = lambda _seen: Reply(body={"value": 1}, drip_s=0.1)
    start = time.monotonic()
    assert fault_of(client, seconds=0.35).kind == "slow"
    assert time.monotonic() - start < 3


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (Reply(silent=True), "unreachable"),
        (Reply(body={"value": 1}, short=10), "bad_answer"),
        (Reply(body={"value": 1}, chunked=True, short=1), "bad_answer"),
        (Reply(raw=b"SSH-2.0-OpenSSH\r\n"), "bad_answer"),
        (Reply(raw=b"HTTP/1.1 200 OK\r\n" + b"A: " + b"b" * 70_000 + b"\r\n\r\n"), "bad_answer"),
        (Reply(body=b"x" * 2_000), "bad_answer"),
        (Reply(body=b"x" * 2_000, chunked=True), "bad_answer"),
    ],
)
def test_answers_that_are_none(stub: Stub, client: Client, reply: Reply, kind: str) -> None:
    stub.answer = lambda _seen: reply
    fault = fault_of(client, limit=1_000)
    assert (fault.kind, fault.final) == (kind, False)
    stub.answer = lambda _seen: Reply(body={"value": 3})
    assert client.post("/x", {}, seconds=5).read(Doc) == Doc(3.0)


@pytest.mark.parametrize(
    "body", [b"", b"<html>login</html>", b'{"value": ', b'{"value": "a"}', b"[" * 100_000, b"\xff\xfe", b'{"a": NaN']
)
def test_what_is_not_the_json_that_was_asked_for(stub: Stub, client: Client, body: bytes) -> None:
    stub.answer = lambda _seen: Reply(body=body)
    answer = client.post("/x", {}, seconds=5)
    with pytest.raises(ServiceFault) as caught:
        answer.read(Doc)
    assert caught.value.kind == "bad_answer"
    assert "login" not in str(caught.value) + repr(answer)


def test_not_a_number_is_read_as_one() -> None:
    answer = Answer(200, {}, "h", b'{"value": NaN}')
    value = answer.read(Doc).value
    assert value is not None
    assert math.isnan(value)


# --- redirects -------------------------------------------------------------------------------------------------------------
def test_a_redirect_to_another_host_gets_neither_key_nor_texts(stub: Stub, client: Client) -> None:
    with running() as other:
        stub.answer = lambda _seen: Reply(status=307, headers={"Location": other.url + "/v1/x"})
        fault = fault_of(client)
        assert (fault.kind, other.seen, other.connections) == ("bad_answer", [], 0)
        assert f"a redirect to 127.0.0.1:{other.port}" in fault.message


def test_a_redirect_within_the_host_is_followed(stub: Stub, client: Client) -> None:
    stub.answer = lambda seen: (
        Reply(body={"value": 4}) if seen.path == "/v2/x" else Reply(status=308, headers={"Location": "/v2/x"}, body={})
    )
    assert client.post("/x", {"a": 1}, seconds=5).read(Doc) == Doc(4.0)
    assert [(seen.method, seen.body) for seen in stub.seen] == [("POST", {"a": 1})] * 2


@pytest.mark.parametrize("place", ["/v1/x", "", "http://[", "/v1/x/"])
def test_redirects_that_lead_nowhere(stub: Stub, client: Client, place: str) -> None:
    stub.answer = lambda seen: Reply(status=302, headers={"Location": place + ("y" if place.endswith("/") else "")}, body={})
    assert fault_of(client).kind == "bad_answer"
    assert len(stub.seen) <= web.REDIRECTS + 1


# --- proxies and TLS -------------------------------------------------------------------------------------------------------
def test_this_machine_is_never_asked_through_a_proxy(stub: Stub, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    assert client.post("/x", {}, seconds=5).status == 200


def test_others_are_asked_through_the_system_s_proxy(stub: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", f"http://me:p%40ss@127.0.0.1:{stub.port}")
    stub.answer = lambda _seen: Reply(body={"value": 1})
    client = Client("http://service.invalid:8080/v1", KEY)
    assert client.post("/x", {}, seconds=5).read(Doc) == Doc(1.0)
    client.close()
    seen = stub.seen[0]
    assert (seen.path, seen.headers["host"]) == ("http://service.invalid:8080/v1/x", "service.invalid:8080")
    assert seen.headers["proxy-authorization"] == "Basic bWU6cEBzcw=="


def test_no_proxy_is_honoured(stub: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", stub.url)
    monkeypatch.setenv("no_proxy", "service.invalid")
    assert "name is not found" in fault_of(Client("http://service.invalid", KEY)).message
    assert stub.seen == []


@pytest.mark.parametrize(
    ("status", "why"),
    [(407, "the proxy wants a name and a password"), (403, "the proxy refuses (HTTP 403)")],
)
def test_a_proxy_that_lets_nothing_through(stub: Stub, monkeypatch: pytest.MonkeyPatch, status: int, why: str) -> None:
    monkeypatch.setenv("https_proxy", f"127.0.0.1:{stub.port}")
    stub.answer = lambda _seen: Reply(status=status, body={})
    fault = fault_of(Client("https://service.invalid", KEY))
    assert fault.message == f"service.invalid is not reached: {why}."
    assert "authorization" not in stub.seen[0].headers


def test_a_proxy_that_is_none(stub: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{stub.port}")
    stub.answer = lambda _seen: Reply(raw=b"hello\r\n")
    assert "the proxy does not answer as one" in fault_of(Client("https://service.invalid", KEY)).message


@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:1080", "http://[", "https://proxy.invalid"])
def test_a_proxy_of_a_kind_that_is_not_spoken(monkeypatch: pytest.MonkeyPatch, proxy: str) -> None:
    monkeypatch.setenv("https_proxy", proxy)
    assert "system's proxy" in fault_of(Client("https://service.invalid", KEY)).message


def test_a_proxy_for_all_counts_where_we_speak_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("all_proxy", "socks5://127.0.0.1:1080")
    assert wire.proxy_for("https", "service.invalid") is None
    monkeypatch.setenv("all_proxy", "http://127.0.0.1:1080")
    assert wire.proxy_for("https", "service.invalid") == ("127.0.0.1", 1080, {})


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """Of service.invalid and 127.0.0.1, signed by itself."""
    x509 = pytest.importorskip("cryptography.x509")
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "service.invalid")])
    now = datetime.datetime.now(datetime.UTC)
    names = [x509.DNSName("service.invalid"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    file = tmp_path / "certificate.pem"
    file.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    return file


@pytest.fixture
def secure(certificate: Path) -> Iterator[Stub]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with running(context) as made:
        made.answer = lambda _seen: Reply(body={"value": 5})
        yield made


@pytest.fixture
def trusted(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    wire._context.cache_clear()
    yield
    wire._context.cache_clear()


def test_a_certificate_that_nobody_vouches_for(secure: Stub) -> None:
    fault = fault_of(Client(secure.url, KEY))
    assert fault.kind == "unreachable"
    assert "its certificate is not trusted" in fault.message
    assert secure.seen == []


@pytest.mark.usefixtures("trusted")
def test_tls(secure: Stub) -> None:
    client = Client(secure.url, KEY)
    assert client.post("/x", {}, seconds=5).read(Doc) == Doc(5.0)
    assert client.post("/x", {}, seconds=5).read(Doc) == Doc(5.0)
    client.close()
    assert secure.connections == 1


@pytest.mark.usefixtures("trusted")
def test_tls_through_a_proxy(stub: Stub, secure: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", f"http://me:pass@127.0.0.1:{stub.port}")
    stub.tunnels["service.invalid:443"] = secure.port
    client = Client("https://service.invalid/v1", KEY)
    assert client.post("/x", {}, seconds=5).read(Doc) == Doc(5.0)
    client.close()
    assert [(seen.method, seen.path) for seen in stub.seen] == [("CONNECT", "service.invalid:443")]
    assert stub.seen[0].headers["proxy-authorization"] == "Basic bWU6cGFzcw=="
    assert "authorization" not in stub.seen[0].headers
    assert (secure.seen[0].path, secure.seen[0].headers["authorization"]) == ("/v1/x", f"Bearer {KEY}")
    assert "proxy-authorization" not in secure.seen[0].headers


def test_tls_where_none_is_spoken(stub: Stub) -> None:
    fault = fault_of(Client(f"https://127.0.0.1:{stub.port}", KEY))
    assert fault.message.endswith("no TLS is spoken there; the address may have to begin with http://.")


# --- small things ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": " 1.5 "}, 1.5),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "Mon, 30 Nov 2026 10:00:30 GMT", "date": "Mon, 30 Nov 2026 10:00:00 GMT"}, 30.0),
        ({"retry-after": "Mon, 30 Nov 2026 10:00:00 GMT", "date": "Mon, 30 Nov 2026 10:00:30 GMT"}, 0.0),
        ({"retry-after": "Mon, 30 Nov 1970 10:00:00 GMT", "date": "now"}, 0.0),
    ],
)
def test_how_long_a_service_asks_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    assert Answer(429, headers, "h").wait() == seconds


def test_nothing_is_logged_and_nothing_shown(stub: Stub, client: Client, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    stub.answer = lambda _seen: Reply(body={"echo": KEY + TEXT})
    answer = client.post("/x", {"input": TEXT}, seconds=5)
    assert repr(answer) == f"Answer(200 of 127.0.0.1:{stub.port}, {len(answer.body)} bytes)"
    assert KEY not in repr(client) + str(client)
    assert caplog.records == []
