"""Redaction: every shape goes, everything that only looks like one stays. All values here are made up."""

from __future__ import annotations

import json

import pytest
from growth import grows_with_length_only
from hypothesis import given
from hypothesis import strategies as st

from tray_app.text.redact import explain, redact

A20 = "Zq8ttLm4Xw9Rb2Nc7Vd5"
A36 = "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
HEX32 = "0123456789abcdef0fedcba987654321"
DASHES = "-" * 5
PEM = f"{DASHES}BEGIN RSA PRIVATE KEY{DASHES}\nMIIEvFakeFakeLine1xyz\nFakeLine2abc==\n{DASHES}END RSA PRIVATE KEY{DASHES}"
JWT = "eyJ" + "hbGciOiJIUzI1NiJ9.eyJ" + "zdWIiOiIxMjM0NTY3ODkwIn0.dBjftJeZ4CVP-mB92K27uhbUJU1p1r"
ISSUED = [
    "sk-" + "proj-" + A36,
    "ghp" + "_" + A36,
    "AKIA" + "QX7MFAKEFAKE4TES",
    "npm" + "_" + A36,
    JWT,
    "SG" + "." + A20 + "." + A36,
    PEM,
]

NAMED = [
    ("export FOO_TOKEN=ab12cd34ef56", "export FOO_TOKEN=[secret: token]"),
    ("password: hunter2x", "password: [secret: password]"),
    ("DB_PASSWORD=Summer-Rain!", "DB_PASSWORD=[secret: password]"),
    ("DB_PASS=s3cr3tPw", "DB_PASS=[secret: password]"),
    ("passwd = 'p@ssw0rd9'", "passwd = '[secret: password]'"),
    ('"client_secret": "Planted9f8e7d6c"', '"client_secret": "[secret: secret]"'),
    (
        '{\\"client_secret\\":\\"Planted9f8e7d6c\\",\\"note\\":\\"inner\\"}',
        '{\\"client_secret\\":\\"[secret: secret]\\",\\"note\\":\\"inner\\"}',
    ),
    ('\\\\\\"api_key\\\\\\":\\\\\\"Planted9f8e7d6c\\\\\\"', '\\\\\\"api_key\\\\\\":\\\\\\"[secret: api key]\\\\\\"'),
    ("api_key=abcd1234efgh5678", "api_key=[secret: api key]"),
    ("apikey: abcd1234efgh5678", "apikey: [secret: api key]"),
    ("X-API-Key: abcd1234efgh5678", "X-API-Key: [secret: api key]"),
    ("aws_secret_access_key = " + "wJalrXUtnFAKE/K7MDENG/" + "bPxRfiCYzzzzzzzKEY", "aws_secret_access_key = [secret: secret]"),
    ("AccountKey=Ab12Cd34Ef56Gh78==;Endpoint=x", "AccountKey=[secret: api key];Endpoint=x"),
    ("https://h.io/cb?access_token=a1b2c3d4e5f6&x=1", "https://h.io/cb?access_token=[secret: token]&x=1"),
    ("WX_APP_SECRET=" + HEX32, "WX_APP_SECRET=[secret: secret]"),
    ('pve_api_token: "root@pam!ansible=11111111-2222-3333-4444-555555555555"', 'pve_api_token: "[secret: token]"'),
    ("密码: abc12345", "密码: [secret: password]"),
    ("密码是 Ab12345!", "密码是 [secret: password]"),
    ("密码：123456", "密码：[secret: password]"),
    ("密钥=9f8e7d6c5b4aXY", "密钥=[secret: secret]"),
    ("mqtt user mast pass Qw-mqtt-8731-xyzzy here", "mqtt user mast pass [secret: password] here"),
    ("the password is Hunter2!x.", "the password is [secret: password]."),
    ("postgres://admin:s3cr3tPw@db.local/x", "postgres://admin:[secret: url password]@db.local/x"),
    ("redis://:longword@cache:6379", "redis://:[secret: url password]@cache:6379"),
    ("Authorization: Bearer abcdef1234567890", "Authorization: Bearer [secret: authorization]"),
    ("-H 'Authorization: Basic dXNlcjpwYXNzd29yZA=='", "-H 'Authorization: Basic [secret: authorization]'"),
    ('"authorization":"Bearer abcdef1234567890"', '"authorization":"Bearer [secret: authorization]"'),
    ("POSTGRES_PASSWORD=tr0ub4dor&3x", "POSTGRES_PASSWORD=[secret: password]"),
    ("DB_PASSWORD=Kd83jd92k&& ./run", "DB_PASSWORD=[secret: password]&& ./run"),
    ("mysql --password=Xy12zW89 -u root", "mysql --password=[secret: password] -u root"),
    ("_authToken=abcd-1234-efgh", "_authToken=[secret: token]"),
    ("SECRET_KEY = 'django-x8#kq!2mz'", "SECRET_KEY = '[secret: secret]'"),
    ("WEATHER_KEY=" + HEX32, "WEATHER_KEY=[secret: api key]"),
    ('"maps-key": "' + A20 + '"', '"maps-key": "[secret: api key]"'),
    # addresses
    ("mongodb+srv://app:s3cr3tPw@cluster0.ab.mongodb.net/x", "mongodb+srv://app:[secret: url password]@cluster0.ab.mongodb.net/x"),
    ("amqp://worker:s3cr3tPw@mq:5672//", "amqp://worker:[secret: url password]@mq:5672//"),
    ("git clone https://oauth2:abcd1234efgh@git.local/a.git", "git clone https://oauth2:[secret: url password]@git.local/a.git"),
    ("https://0a1b2c3d4e5f60718293a4b5@git.local/a.git", "https://[secret: url password]@git.local/a.git"),
    ("jdbc:postgresql://db/x?user=app&password=s3cr3tPw&ssl=1", "jdbc:postgresql://db/x?user=app&password=[secret: password]&ssl=1"),
    ("Server=db;User Id=sa;Password=s3cr3tPw;Encrypt=1", "Server=db;User Id=sa;Password=[secret: password];Encrypt=1"),
    ("https://hooks.slack.com/services/T00000000/B00000000/" + A20, "https://hooks.slack.com/services/[secret: webhook]"),
    ("https://discord.com/api/webhooks/123456789012345678/" + A36, "https://discord.com/api/webhooks/[secret: webhook]"),
    ("https://hooks.zapier.com/hooks/catch/1234567/ab1cd2e/", "https://hooks.zapier.com/hooks/catch/[secret: webhook]/"),
    ("https://open.feishu.cn/open-apis/bot/v2/hook/" + "1a2b3c4d-11aa-22bb-33cc-0123456789ab", "https://open.feishu.cn/open-apis/bot/v2/hook/[secret: webhook]"),
    ("https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=" + "1a2b3c4d-11aa-22bb-33cc-0123456789ab", "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=[secret: webhook]"),
    ("https://ci.local/webhook/" + A20, "https://ci.local/webhook/[secret: webhook]"),
    ("https://oapi.dingtalk.com/robot/send?access_token=" + HEX32, "https://oapi.dingtalk.com/robot/send?access_token=[secret: token]"),
    ("https://x.blob.core.windows.net/c?sv=2024&sig=" + A36 + "%2BabC%3D", "https://x.blob.core.windows.net/c?sv=2024&sig=[secret: signature]"),
    ("https://b.s3.amazonaws.com/k?a=1&X-Amz-Signature=" + HEX32 * 2, "https://b.s3.amazonaws.com/k?a=1&X-Amz-Signature=[secret: signature]"),
    ("db.local:5432:shop:app:s3cr3tPw", "db.local:5432:shop:app:[secret: password]"),
    # headers and files
    ("Set-Cookie: session=abcdef123456789; Path=/; HttpOnly", "Set-Cookie: session=[secret: cookie]; Path=/; HttpOnly"),
    ("Cookie: lang=en; connect.sid=s%3Aabcdef123456; theme=dark", "Cookie: lang=en; connect.sid=[secret: cookie]; theme=dark"),
    ('"auths":{"ghcr.io":{"auth":"dXNlcjpmYWtlcGFzczE="}}', '"auths":{"ghcr.io":{"auth":"[secret: authorization]"}}'),
    ("//registry.local/:_auth=dXNlcjpmYWtlcGFzczE=", "//registry.local/:_auth=[secret: authorization]"),
    ("machine api.local login bob password hunter2x", "machine api.local login bob password [secret: password]"),
    ("machine api.local\n  login bob\n  password hunter2x\n", "machine api.local\n  login bob\n  password [secret: password]\n"),
    ("client-key-data: " + A36 * 2, "client-key-data: [secret: api key]"),
    ("user:\n  token: fake0123abcd4567", "user:\n  token: [secret: token]"),
    ("curl https://api.telegram.org/bot" + "1234567890:AA" + A36[:33] + "/getMe", "curl https://api.telegram.org/bot[secret: bot token]/getMe"),
    ("TWILIO=AC" + HEX32 + ":" + HEX32[::-1], "TWILIO=AC" + HEX32 + ":[secret: twilio token]"),
    ("heroku_api_key: 01234567-89ab-4cde-8f01-23456789abcd", "heroku_api_key: [secret: api key]"),
    ("AZURE_STORAGE_KEY=" + A36 + A36 + "abcd/efg+0123A==", "AZURE_STORAGE_KEY=[secret: api key]"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "redacted"), NAMED)
def test_named_values_go(text: str, redacted: str) -> None:
    assert redact(text) == (redacted, 1)


def test_a_key_without_an_end_goes_with_its_lines() -> None:
    text = PEM.rpartition("\n")[0] + "\n\n中文 after"
    assert redact(text) == ("[secret: private key]中文 after", 1)


def test_all_of_a_long_value_goes() -> None:
    assert redact("token=" + "a1B2" * 400 + " end") == ("token=[secret: token] end", 1)


def test_many_in_one_text_are_counted() -> None:
    redacted, count = redact("\n".join(text for text, _ in NAMED))
    assert count == len(NAMED)
    assert redacted == "\n".join(text for _, text in NAMED)
    assert redact(redacted) == (redacted, 0)


def test_secrets_in_json_inside_json_go() -> None:
    inner = json.dumps({"client_secret": "PlantedClient9f8e7d6c", "key": "ghp_" + A36})
    for _ in range(3):
        assert "Planted" not in redact(inner)[0]
        assert A36 not in redact(inner)[0]
        inner = json.dumps({"text": inner})


@pytest.mark.parametrize("filler", ["word and word\n", "word and word ", '{"a":1},', "字词。\n", "x"])
@pytest.mark.parametrize("size", [65_000, 65_536, 200_000])
def test_long_texts_lose_what_short_texts_lose(filler: str, size: int) -> None:
    """Windows may end anywhere: secrets about their ends, of one line and of many, go whole."""
    wanted: list[str] = []
    text = ""
    for value in (*ISSUED, "password: hunter2x", "token:\n  a1b2c3d4e5f6"):
        text += filler * ((size // len(ISSUED)) // len(filler)) + f" {value} "
        wanted.append(value)
    redacted, count = redact(text)
    assert count == len(wanted)
    assert (
        not [value for value in ISSUED if value in redacted] and "hunter2x" not in redacted and "a1b2c3d4e5f6" not in redacted
    )
    assert redact(redacted) == (redacted, 0)


def test_the_places_are_those_of_the_text_itself() -> None:
    text = "a password: hunter2x and " + "ghp" + "_" + A36 + "-" + "npm" + "_" + A36 + " end"
    assert [(found.name, text[found.start : found.end]) for found in explain(text)] == [
        ("password", "hunter2x"),
        ("github token", "ghp" + "_" + A36),
        ("npm token", "npm" + "_" + A36),
    ]


def put_marks(text: str) -> str:
    out, at = "", 0
    for name, start, end in explain(text):
        assert at <= start < end <= len(text)
        out += text[at:start] + f"[secret: {name}]"
        at = end
    return out + text[at:]


PIECES = st.sampled_from(
    [
        *ISSUED,
        *(text for text, _ in NAMED[::3]),
        "token",
        "=",
        ":",
        " ",
        "\n",
        '"',
        "\\",
        "key",
        "api_",
        "password",
        "eyJ",
        ".",
        "sk-",
        "://",
        "@",
        "Bearer ",
        "a1b2c3d4",
        "[secret: x]",
        "密码",
        "İ",
        "-----BEGIN PRIVATE KEY-----",
        "is",
        "auth",
        "cookie: ",
        "session=",
        "; ",
        "hooks/",
        "?sig=",
        ":5432:",
        "login bob ",
        "+",
        "/",
        "-",
        "_",
        "Zq8ttLm4Xw9Rb2Nc7Vd5Hs1Kp6Gy3Jf0",
    ]
)


@given(st.lists(PIECES, max_size=20).map("".join))
def test_a_second_pass_finds_nothing(text: str) -> None:
    redacted, count = redact(text)
    assert redact(redacted) == (redacted, 0)
    assert (put_marks(text), len(explain(text))) == (redacted, count)


@given(st.text(max_size=200))
def test_any_text_passes(text: str) -> None:
    redacted, count = redact(text)
    assert count or redacted == text


@pytest.mark.parametrize(
    "unit",
    [
        "eyJ",
        "eyJabcdefgh.",
        "sk-",
        "token=",
        "token:token ",
        "password",
        "key ",
        "-----BEGIN PRIVATE KEY-----",
        "://a:",
        "Bearer ",
        "authorization: ",
        "api_key='",
        '\\"',
        "a",
        "ghp_",
        "xoxb-1",
        "password is ",
        "密码 ",
        "ghp" + "_" + A36 + "-",
        "ghp" + "_" + A36 + "+",
        "Zq8ttLm4Xw9Rb2Nc7Vd5Hs1Kp6Gy3Jf0+",
        "Zq8ttLm4Xw9Rb2Nc7Vd5Hs1Kp6Gy3Jf0/",
        "a" * 40 + ".",
        "1" * 9 + ":AA",
        "://a?",
        "://a?b&",
        "://" + "a" * 30,
        "auth: ",
        "cookie: a=",
        "cookie: session=a1;",
        "hooks/a/",
        "x:5432:",
        "login a password ",
        "private key",
        "-" * 5 + "BEGIN PRIVATE KEY" + "-" * 5 + "\n" + "A" * 64 + "\n",
        "password=abc1234!",
    ],
)
def test_time_grows_with_the_length_only(unit: str) -> None:
    assert grows_with_length_only(redact, unit)
