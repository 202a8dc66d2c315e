"""Redaction: every shape goes, everything that only looks like one stays. All values here are made up."""

from __future__ import annotations

import json
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tray_app.text.redact import redact

A20 = "Zq8ttLm4Xw9Rb2Nc7Vd5"
A36 = "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
HEX32 = "0123456789abcdef0fedcba987654321"
PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEvFakeFakeLine1xyz\nFakeLine2abc==\n-----END RSA PRIVATE KEY-----"
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dBjftJeZ4CVP-mB92K27uhbUJU1p1r"

ISSUED = [
    ("sk-" + A36, "openai key"),
    ("sk-proj-" + A36 + "_x", "openai key"),
    ("sk-" + HEX32, "openai key"),
    ("sk-ant-api03-" + A36 + "-AA", "anthropic key"),
    ("ghp_" + A36, "github token"),
    ("gho_" + A36, "github token"),
    ("ghs_" + A36, "github token"),
    ("github_pat_11ABCDEFG0" + A36, "github token"),
    ("AKIA" + "QX7MFAKEFAKE4TES", "aws key id"),
    ("ASIA" + "QX7MFAKEFAKE4TES", "aws key id"),
    ("xoxb-" + "123456789012-abcdefghijkl", "slack token"),
    ("xoxp-" + "123456789012-abcdefghijkl", "slack token"),
    ("xapp-1-" + A20, "slack token"),
    ("AIza" + A36[:35], "google key"),
    ("ya29." + A36, "google token"),
    ("GOCSPX-" + A20, "google token"),
    ("sk_live_" + A20, "stripe key"),
    ("rk_test_" + A20, "stripe key"),
    ("whsec_" + A36, "webhook secret"),
    ("npm_" + A36, "npm token"),
    ("pypi-" + A36 + A36, "pypi token"),
    ("glpat-" + A20, "gitlab token"),
    ("hf_" + A36, "hugging face token"),
    (JWT, "jwt"),
    ("dop_v1_" + HEX32 * 2, "digitalocean token"),
    ("shpat_" + HEX32, "shopify token"),
    ("dckr_pat_" + A36, "docker token"),
    ("gsk_" + A36, "groq key"),
    ("hvs." + A36, "vault token"),
    ("SG." + A20 + "." + A36, "sendgrid key"),
    ("LTAI" + "5tFake8Xy7Qw3Rt2", "aliyun key id"),
    ("AGE-SECRET-KEY-1" + "Q9FAKE" * 10, "age key"),
    (PEM, "private key"),
    (PEM.replace("\n", "\\n"), "private key"),
]


@pytest.mark.parametrize(("value", "name"), ISSUED)
@pytest.mark.parametrize("around", ["{}", "my key is {} ok", '{{"k":"{}"}}', "中文{}。", "line\\n{}\\nnext", "({})"])
def test_issued_shapes_go(value: str, name: str, around: str) -> None:
    assert redact(around.format(value)) == (around.format(f"[secret: {name}]"), 1)


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
    ("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzzKEY", "aws_secret_access_key = [secret: secret]"),
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
    ("mysql --password=Xy12zW89 -u root", "mysql --password=[secret: password] -u root"),
    ("_authToken=abcd-1234-efgh", "_authToken=[secret: token]"),
    ("SECRET_KEY = 'django-x8#kq!2mz'", "SECRET_KEY = '[secret: secret]'"),
]


@pytest.mark.parametrize(("text", "redacted"), NAMED)
def test_named_values_go(text: str, redacted: str) -> None:
    assert redact(text) == (redacted, 1)


KEPT = [
    "private_key: PKCS7PrivateKeyTypes,",
    "token: TextGenerationStreamOutputToken",
    "git://[path-to-repo[:]][ref@]path",
    "password = readPassword2",
    'START = b"-----BEGIN OPENSSH PRIVATE KEY-----"\nEND = b"-----END OPENSSH PRIVATE KEY-----"\n',
    "a file that begins with -----BEGIN PRIVATE KEY----- is refused",
    "commit 9f1c2e7ab4d05c3e8f7a6b5c4d3e2f1a0b9c8d7e",
    "id 123e4567-e89b-12d3-a456-426614174000",
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "[data image/png 3 MB] and [base64 12 kB]",
    "version v1.2.3 and 3.11.7-rc1",
    "token = get_token()",
    "token = self.token",
    "token: string;",
    "const token: Optional[str] = null",
    "password: required",
    "password = None",
    "password = os.environ['DB_PASSWORD']",
    "apiKey: process.env.OPENAI_API_KEY",
    "api_key=<your-key>",
    "api_key = 'your-api-key-here'",
    "API_KEY=${API_KEY}",
    "API_KEY=$OPENAI_API_KEY",
    "password: {{ vault_password }}",
    "password=xxxxxxxx",
    "password: ********",
    "api_key: sk-xxxxxxxxxxxxxxxxxxxxxxxx",
    "secret = settings.SECRET_KEY",
    "secret: changeme",
    "max_tokens: 4096",
    "tokens: 123456789",
    "total tokens = 12345678",
    "token_count=12345678",
    "tokenizer: bert-base-uncased-v2",
    "the token was expired_v2 again",
    "secret/data/path: /etc/app/secret_file1",
    "token_url: https://auth.example.org/oauth2/token",
    "password_file=/run/secrets/db_password1",
    "tests pass test_config_v2_loader",
    "all tests pass 2026-11-25T10:00",
    "pass gpt-4o-2024-08-06 as model",
    "bypass: abcd1234xyz",
    "keyboard: qwerty1234",
    "primary key: user_id12345",
    "task-force-number-one-and-two-and-three",
    "disk-usage-report-2026-11-25-final-copy",
    "postgres://user:password@localhost/db",
    "https://example.org:8080/path@2x.png",
    "git@github.com:owner/repo.git",
    "Bearer token is missing",
    "Authorization: Bearer <token>",
    "Authorization: Bearer ${TOKEN}",
    "我忘了密码，怎么重置",
    "密码错误: 请重新输入",
    "密钥管理方案是什么",
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
    "if token == tokens[index1234]:",
    "csrfToken: getCookie('csrftoken1')",
    "secrets: inherit",
    "credentials: include",
    "next_token = parser.next_token2()",
]


@pytest.mark.parametrize("text", KEPT)
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    assert redact(text) == (text, 0)


def test_a_key_without_an_end_goes_with_its_lines() -> None:
    text = PEM.rpartition("\n")[0] + "\n\n中文 after"
    assert redact(text) == ("[secret: private key]中文 after", 1)


def test_all_of_a_long_value_goes() -> None:
    assert redact("token=" + "a1B2" * 400 + " end") == ("token=[secret: token] end", 1)


def test_many_in_one_text_are_counted() -> None:
    text = "\n".join(value for value, _ in ISSUED) + "\n" + "\n".join(text for text, _ in NAMED)
    redacted, count = redact(text)
    assert count == len(ISSUED) + len(NAMED)
    assert not [value for value, _ in ISSUED if value in redacted]
    assert redact(redacted) == (redacted, 0)


def test_secrets_in_json_inside_json_go() -> None:
    inner = json.dumps({"client_secret": "PlantedClient9f8e7d6c", "key": "ghp_" + A36})
    for _ in range(3):
        assert "Planted" not in redact(inner)[0]
        assert A36 not in redact(inner)[0]
        inner = json.dumps({"text": inner})


PIECES = st.sampled_from(
    [
        *(value for value, _ in ISSUED[::4]),
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
    ]
)


@given(st.lists(PIECES, max_size=20).map("".join))
def test_a_second_pass_finds_nothing(text: str) -> None:
    redacted, _ = redact(text)
    assert redact(redacted) == (redacted, 0)


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
    ],
)
def test_time_grows_with_the_length_only(unit: str) -> None:
    """Ratios, not a clock: eight times the text may not take forty times as long (quadratic would be 64)."""

    def cost(size: int) -> float:
        text = (unit * (size // len(unit) + 1))[:size]
        best = 9.0
        for _ in range(3):
            start = process_time()
            redact(text)
            best = min(best, process_time() - start)
        return best

    assert cost(64_000) < 40 * max(cost(8_000), 0.0005)
