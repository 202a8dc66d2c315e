"""Every shape of the table, each found in the surroundings in which it is met. All values are made up, and put together here."""

from __future__ import annotations

import base64
import re

import pytest

from tray_app.text.redact import explain, redact, shapes

MIXED = "Zq8ttLm4Xw9Rb2Nc7Vd5Hs1Kp6Gy3Jf0Tz8Bn4Qe7Wm2Ua5Cx9Dv1Po6Ri3Sk8Yl0Eh4Fg7Mj2Nb5Vc9Xz1La6Kd3" * 4
HEX = "0fake1a2b3c4d5e6f7" * 20
DIGITS = "1234567890123456"


def mixed(size: int, skip: int = 0) -> str:
    return MIXED[skip : skip + size]


def hexa(size: int, skip: int = 0) -> str:
    return re.sub("[k]", "", HEX)[skip : skip + size]


def upper(size: int) -> str:
    return re.sub("[^A-Z0-9]", "", MIXED)[:size]


def in_base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def block(kind: str) -> str:
    head, tail = ("-" * 5 + f"{word} {kind}" + "-" * 5 for word in ("BEGIN", "END"))
    return f"{head}\nMII{mixed(40)}\n{mixed(30, 7)}==\n{tail}"


ISSUED = [
    ("sk-" + "ant-api03-" + mixed(90) + "-AA", "anthropic key"),
    ("sk-" + "ant-oat01-" + mixed(80), "anthropic key"),
    ("sk-" + "or-v1-" + hexa(64), "openrouter key"),
    ("sk-" + "lf-" + "12345678-1a2b-4c3d-8e9f-0a1b2c3d4e5f", "langfuse key"),
    ("sk-" + "proj-" + mixed(60) + "-" + mixed(60, 3), "openai key"),
    ("sk-" + "svcacct-" + mixed(60), "openai key"),
    ("sk-" + mixed(48), "openai key"),
    ("sk-" + hexa(32), "openai key"),
    ("gsk" + "_" + mixed(52), "groq key"),
    ("xai" + "-" + mixed(80), "xai key"),
    ("pplx" + "-" + mixed(48), "perplexity key"),
    ("r8" + "_" + mixed(37), "replicate token"),
    ("csk" + "-" + mixed(48).lower(), "cerebras key"),
    ("fw" + "_" + mixed(24), "fireworks key"),
    ("nvapi" + "-" + mixed(64), "nvidia key"),
    ("tvly" + "-dev-" + mixed(32), "tavily key"),
    ("tgp" + "_v1_" + mixed(43), "together key"),
    ("jina" + "_" + mixed(60), "jina key"),
    ("pcsk" + "_" + mixed(6) + "_" + mixed(60), "pinecone key"),
    ("lsv2" + "_pt_" + hexa(32) + "_" + hexa(10), "langsmith key"),
    ("hf" + "_" + mixed(34), "hugging face token"),
    ("fc" + "-" + hexa(32), "firecrawl key"),
    (hexa(32) + "." + mixed(16), "zhipu key"),
    *((f"gh{kind}" + "_" + mixed(36), "github token") for kind in "pousr"),
    ("github" + "_pat_" + mixed(22) + "_" + mixed(59), "github token"),
    ("glpat" + "-" + mixed(20), "gitlab token"),
    ("glrt" + "-t1_" + mixed(20), "gitlab token"),
    ("ATATT3" + "xFfGF0" + mixed(170) + "=1A2B3C4D", "atlassian token"),
    ("npm" + "_" + mixed(36), "npm token"),
    ("pypi" + "-AgEIcHlwaS5vcmc" + mixed(120), "pypi token"),
    ("rubygems" + "_" + hexa(48), "rubygems key"),
    ("dckr" + "_pat_" + mixed(27), "docker token"),
    ("sqp" + "_" + hexa(40), "sonar token"),
    ("AKIA" + "QX7MFAKEFAKE4TES", "aws key id"),
    ("ASIA" + "QX7MFAKEFAKE4TES", "aws key id"),
    ("AIza" + mixed(35), "google key"),
    ("GOCSPX" + "-" + mixed(28), "google token"),
    ("ya29" + "." + "a0" + mixed(120), "google token"),
    ("1/" + "/0" + mixed(60), "google token"),
    ("AAAA" + mixed(7) + ":" + mixed(140), "firebase key"),
    (mixed(3) + "8Q" + "~" + mixed(34), "azure client secret"),
    ("LTAI" + "5tFake8Xy7Qw3Rt2Zz9Aa8Bb", "aliyun key id"),
    ("AKID" + mixed(32), "tencent key id"),
    ("AKLT" + mixed(40), "volcengine key id"),
    ("dop" + "_v1_" + hexa(64), "digitalocean token"),
    ("HRKU" + "-AA" + mixed(58), "heroku key"),
    ("cfut" + "_" + mixed(48), "cloudflare token"),
    ("dapi" + hexa(32) + "-2", "databricks token"),
    ("vcp" + "_" + mixed(56), "vercel token"),
    ("sbp" + "_" + hexa(40), "supabase token"),
    ("sb" + "_secret_" + mixed(31), "supabase token"),
    ("pscale" + "_tkn_" + mixed(43), "planetscale token"),
    ("pscale" + "_pw_" + mixed(43), "planetscale token"),
    ("nfp" + "_" + mixed(36), "netlify token"),
    ("napi" + "_" + mixed(64).lower(), "neon key"),
    ("rnd" + "_" + mixed(28), "render key"),
    ("fm2" + "_" + mixed(90), "fly token"),
    ("pul" + "-" + hexa(40), "pulumi token"),
    ("pnu" + "_" + mixed(36), "prefect key"),
    ("tskey" + "-auth-" + mixed(17) + "-" + mixed(32), "tailscale key"),
    ("hvs" + "." + mixed(90), "vault token"),
    ("dp" + ".pt." + mixed(43), "doppler token"),
    (mixed(14) + ".atlasv1" + "." + mixed(64, 3), "terraform token"),
    ("glsa" + "_" + mixed(32) + "_" + hexa(8), "grafana token"),
    ("sntryu" + "_" + hexa(64), "sentry token"),
    ("NRAK" + "-" + upper(27), "new relic key"),
    ("phx" + "_" + mixed(43), "posthog key"),
    ("lin" + "_api_" + mixed(40), "linear key"),
    ("ntn" + "_" + DIGITS[:11] + mixed(35), "notion token"),
    ("secret" + "_" + mixed(43), "notion token"),
    ("pat" + mixed(14) + "." + hexa(64), "airtable token"),
    ("figd" + "_" + mixed(40), "figma token"),
    ("PMAK" + "-" + hexa(24) + "-" + hexa(34), "postman key"),
    ("CFPAT" + "-" + mixed(43), "contentful token"),
    ("sk" + "_live_" + mixed(24), "stripe key"),
    ("rk" + "_test_" + mixed(24), "stripe key"),
    ("whsec" + "_" + mixed(32), "webhook secret"),
    ("sk" + "_" + hexa(48), "elevenlabs key"),
    ("shpat" + "_" + hexa(32), "shopify token"),
    ("shpss" + "_" + hexa(32), "shopify token"),
    ("sq0atp" + "-" + mixed(22), "square token"),
    ("EAAA" + mixed(60), "square token"),
    ("xoxb" + "-123456789012-123456789012-" + mixed(24), "slack token"),
    ("xapp" + "-1-A0FAKE-123456789012-" + hexa(64), "slack token"),
    ("SK" + hexa(32), "twilio key"),
    ("key" + "-" + hexa(32), "mailgun key"),
    ("SG" + "." + mixed(22) + "." + mixed(43, 2), "sendgrid key"),
    ("xkeysib" + "-" + hexa(64) + "-" + mixed(16), "brevo key"),
    ("re" + "_" + mixed(8) + "_" + mixed(24), "resend key"),
    (DIGITS[:10] + ":AA" + mixed(33), "bot token"),
    ("MT" + mixed(22) + "." + mixed(6) + "." + mixed(38, 5), "bot token"),
    ("eyJ" + "hbGciOiJIUzI1NiJ9" + ".eyJ" + "zdWIiOiIxMjM0NTY3ODkwIn0." + mixed(43), "jwt"),
    ("AGE-SECRET" + "-KEY-1" + "Q9FAKE" * 10, "age key"),
    ("ops" + "_eyJ" + mixed(200), "one password token"),
    (in_base64("-----BEGIN" + " RSA PRIVATE KEY-----\nfake"), "private key in base64"),
    (in_base64("-----BEGIN" + " EC PRIVATE KEY-----\nfake"), "private key in base64"),
    (in_base64("-----BEGIN" + " OPENSSH PRIVATE KEY-----\nfake"), "private key in base64"),
    (in_base64("-----BEGIN" + " PRIVATE KEY-----\nfake"), "private key in base64"),
    *((block(f"{kind}PRIVATE KEY"), "private key") for kind in ("", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED ")),
    (block("PGP PRIVATE KEY BLOCK"), "private key"),
    (block("RSA PRIVATE KEY").replace("\n", "\\n"), "private key"),
    (mixed(32), "random string"),
    (mixed(43, 11), "random string"),
    (mixed(11) + "/" + mixed(22, 9) + "+" + mixed(5), "random string"),
    (mixed(40) + "+" + mixed(45, 4) + "==", "random string"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "name"), ISSUED)
@pytest.mark.parametrize(
    "around", ["{}", "my key is {} ok", '{{"k":"{}"}}', "中文{}。", "({})", "export K='{}'", "use {}, then go"]
)
def test_issued_shapes_go(value: str, name: str, around: str) -> None:
    assert redact(around.format(value)) == (around.format(f"[secret: {name}]"), 1)


@pytest.mark.parametrize(("value", "name"), [pair for pair in ISSUED if "\n" not in pair[0]])
@pytest.mark.parametrize("around", ["line\\n{}\\nnext", 'x\\t{}\\"'])
def test_issued_shapes_go_from_quoted_json(value: str, name: str, around: str) -> None:
    assert redact(around.format(value)) == (around.format(f"[secret: {name}]"), 1)


@pytest.mark.parametrize("before", ["_", "**_", "%3D", "\\u003d", "\\u001b[32m", "0;31m"])
def test_marks_and_escapes_before_a_key_do_not_hide_it(before: str) -> None:
    assert redact("x [" + before + "ghp" + "_" + mixed(36) + " y") == (f"x [{before}[secret: github token] y", 1)


@pytest.mark.parametrize(("value", "name"), ISSUED)
def test_the_places_are_told(value: str, name: str) -> None:
    assert [tuple(found) for found in explain(f"see {value} there")] == [(name, 4, 4 + len(value))]


def test_the_table_holds_every_name_that_is_given() -> None:
    names = shapes()
    assert len(names) == len(set(names)) >= 80
    assert {name for _, name in ISSUED} < set(names)
    assert not [name for name in names if redact(f"a [secret: {name}]: Abc12345! b")[1]]


def test_many_in_one_text_are_counted() -> None:
    text = "\n".join(value for value, _ in ISSUED)
    redacted, count = redact(text)
    assert count == len(ISSUED)
    assert redacted == "\n".join(f"[secret: {name}]" for _, name in ISSUED)
    assert redact(redacted) == (redacted, 0)


def test_keys_without_a_gap_between_them_go_all() -> None:
    key = "ghp" + "_" + mixed(36)
    assert redact("-".join([key] * 4)) == ("-".join(["[secret: github token]"] * 4), 4)
