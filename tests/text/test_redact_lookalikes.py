"""What only looks like a secret stays as it is: code, hashes, identities, places, placeholders, prose."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tray_app.text.redact import redact

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
    # hashes, identities, versions
    "git checkout 9f1c2e7ab4d05c3e8f7a6b5c4d3e2f1a0b9c8d7e -- src",
    "md5 d41d8cd98f00b204e9800998ecf8427e  empty.txt",
    "sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709",
    "image@sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    '"integrity": "sha512-Zq8ttLm4Xw9Rb2Nc7Vd5Hs1Kp6Gy3Jf0Tz8Bn4Qe7Wm2Ua5Cx9Dv1Po6Ri3Sk8Yl0Eh4Fg7Mj2Nb5Vc9Xz1La6Kd3+/a=="',
    "integrity sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    "pkg/core.py,sha256=-Zq8ttLm4Xw9Rb2Nc7Vd5Hs1Kp6Gy3Jf0Tz8Bn4Qe7,149005",
    'ETag: "Zq8ttLm4Xw9Rb2Nc7Vd5Hs1Kp6Gy3Jf0"',
    "SHA256:Zq8ttLm4Xw9Rb2Nc7Vd5Hs1Kp6Gy3Jf0Tz8Bn4Qe7Wm2",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIZq8ttLm4Xw9Rb2Nc7Vd5Hs1Kp6Gy3Jf0Tz8Bn4Qe7Wm2 me@host",
    "session 0199f2a1-7b3c-7d4e-8f5a-6b7c8d9e0f1a of today",
    "01JD8Z5X3Q4R6T7V8W9Y0ABCDE is a ULID",
    "toolu_01Zq8ttLm4Xw9Rb2Nc7Vd5Hs1K answered",
    "chatcmpl-Zq8ttLm4Xw9Rb2Nc7Vd5Hs1Kp6Gy3",
    "call_Zq8ttLm4Xw9Rb2Nc7Vd5Hs1Kp6Gy3Jf0",
    "msg_01Zq8ttLm4Xw9Rb2Nc7Vd5Hs1Kp6Gy3Jf0",
    "rollout-2026-11-25T10-20-30-0199f2a1-7b3c-7d4e-8f5a-6b7c8d9e0f1a.jsonl",
    "backscroll-1.2.3-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64.whl",
    "Change-Id: I9f1c2e7ab4d05c3e8f7a6b5c4d3e2f1a0b9c8d7e",
    "nix/store/0c4yhf3x2w1v9q8r7p6n5m4l3k2j1i0h-python3-3.11.9",
    "sha384-Zq8ttLm4Xw9Rb2Nc7Vd5Hs1Kp6Gy3J+0Tz8Bn4Qe7Wm2Ua5Cx9Dv1Po6Ri3Sk8Yl0",
    "FUSE_OF_THIS_fce680ab2cc467b6e072b8b5df1996b2",
    "cache_key = d41d8cd98f00b204e9800998ecf8427e",
    '"key": "reports/2026/11/summary-v2.parquet"',
    '"key": "d41d8cd98f00b204e9800998ecf8427e"',
    # addresses and places
    "https://docs.google.com/document/d/1Zq8ttLm4Xw9Rb2Nc7Vd5Hs1Kp6Gy3Jf0Tz8Bn4Qe7/edit",
    "https://github.com/owner/repo/blob/9f1c2e7ab4d05c3e8f7a6b5c4d3e2f1a0b9c8d7e/a.py#L10",
    "https://github.com/owner/repo/settings/hooks and /webhooks/github/receive",
    "https://www.youtube.com/watch?v=Zq8ttLm4Xw9",
    "https://user@host.example.org/path",
    "ssh://git@git.local:2222/a.git",
    "src/components/Button2/__tests__/Button2.snapshot.test.tsx",
    "C:\\Users\\me\\AppData\\Local\\Programs\\Python311\\python.exe",
    "use pre-commit hooks/useLocalStorageState2 for it",
    "localhost:5432:5432 is the port map",
    # code
    "getHTTPResponseCode2ForUser123WithIdAndName",
    "xmlSecKeyDataGostR3410_2012_256Id",
    "sz_xXF86OldVidModeDeleteModeLineReq",
    "#define ATTR_TOKEN 0x00000001L and TOKEN P11_KIT_URI_FOR_OBJECT",
    "digits 0123456789abcdEFGhHiIKlLnoPqrRsTuUvVwxyzZ",
    "Pass `-Dconfdir=no2` to the build",
    "WA_X11NetWmWindowTypeDropDownMenu",
    "SbkPySide6_QtOpenGLTypeConverters",
    "test_search_returns_the_newest_of_two_equal_hits_v2",
    "CONFIG_ARCH_SUPPORTS_INT128_AND_MORE_THAN_32_BITS",
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
    "function(a,b,c){return a1(b2,c3)||d4[e5]&&f6.g7(h8)}",
    "sk-learn-compatible-estimators-and-pipelines",
    "risk-assessment-of-the-2026-plan-for-all-teams",
    "task_manager_scheduler_service_v2_main_loop",
    "key-value-store-with-expiry-and-more-words-2",
    "re_compile_all_patterns_for_the_search_index1",
    "hf_hub_download_with_a_long_name_of_function",
    "npm_config_registry_for_all_the_scopes_of_us",
    "patches_are_applied_in_order_of_their_names",
    "dapiVersionNegotiationHandlerFactory",
    "AKIAIOSFODNN7EXAMPLE",
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "sk-ant-api03-xxxxxxxxxxxxxxxx and sk-proj-...",
    "sk-your-key-goes-here-1234567890",
    "glpat-EXAMPLEEXAMPLE123456",
    "xoxb-your-bot-token-here",
    "refresh access_token expires_in=7200",
    "fetch('TOKEN='+S[1]),claude(3)",
    "bearer of bad news",
    "author: Jane Doe, auth: required, oauth2: true",
    '"auth": "basic-authentication"',
    "Set-Cookie: theme=dark-mode-2; Path=/",
    "cookie: session=<session-id>",
    "login form and password field of page2",
    "user enters password correctly",
    'verify_token="eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9...",',
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4",
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t",
    "[secret: github token]: works as v1.2beta",
]


@pytest.mark.parametrize("text", KEPT)
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    assert redact(text) == (text, 0)


WORDS = (
    "get",
    "User",
    "Name",
    "HTTP",
    "response",
    "2",
    "Index",
    "of",
    "All",
    "json",
    "Parser",
    "v3",
    "Test",
    "Case",
    "id",
    "64",
    "Bit",
)


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=14), st.sampled_from(["", "_", "-", ".", "/"]))
def test_names_made_of_words_stay(words: list[str], sign: str) -> None:
    name = sign.join(words)
    assert redact(f"call {name} now") == (f"call {name} now", 0)


def test_hashes_of_all_lengths_stay() -> None:
    rng = random.Random(8)
    for size in (16, 20, 28, 32, 48, 64):
        for digest in (rng.randbytes(size).hex() for _ in range(50)):
            assert redact(f"see {digest} and {digest.upper()}")[1] == 0


def test_lines_of_a_file_in_base64_stay() -> None:
    text = "\n".join(["Zq8ttLm4Xw9Rb2Nc7Vd5Hs1Kp6Gy3Jf0Tz8Bn4Qe7Wm2Ua5Cx9Dv1Po6Ri3Sk8Yl0Eh4F/+w"] * 3)
    assert redact(f"cert:\n{text}\nend") == (f"cert:\n{text}\nend", 0)
