from __future__ import annotations

import pytest

from agents.faults import translate
from agents.redaction import HIDDEN, redacted, secret_in_address


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ("Authorization: Bearer abcdefghijklmnop", f"Authorization: Bearer {HIDDEN}"),
        ('{"authorization": "Basic dXNlcjpwYXNzd29yZA=="}', f'{{"authorization": "Basic {HIDDEN}"}}'),
        ("x-goog-api-key: some_key_1", f"x-goog-api-key: {HIDDEN}"),
        ("GET /v1?alt=sse&api_key=abc&b=1", f"GET /v1?alt=sse&api_key={HIDDEN}&b=1"),
        ("at https://me:word@there/v1", f"at https://{HIDDEN}@there/v1"),
        (
            "Incorrect API key provided: sk-proj-0123456789abcdefghij.",
            f"Incorrect API key provided: {HIDDEN}.",
        ),
        ("key AIzaSyA0123456789012345678901234567890", f"key {HIDDEN}"),
        ("a bearer of good news, basic as bread", "a bearer of good news, basic as bread"),
        ("write to me@there.org", "write to me@there.org"),
        ("", ""),
    ],
)
def test_what_looks_like_a_key_is_hidden_and_nothing_else(told: str, shown: str) -> None:
    assert redacted(told) == shown


def test_keys_of_the_environment_are_hidden_wherever_they_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "plain-words-only")
    monkeypatch.setenv("OTHER_API_KEY", "none")
    monkeypatch.setenv("OPENAI_BASE_URL", "https://user%20name:hunter%2122@there/v1?token=abcdefgh1")
    told = "plain-words-only, none, user name, hunter!22, hunter%2122, abcdefgh1"
    hidden = ", ".join([HIDDEN, "none", *[HIDDEN] * 4])
    assert redacted(told) == hidden
    assert redacted("Bearer abcdefghijklmnop", by_shape=False) == "Bearer abcdefghijklmnop"


@pytest.mark.parametrize(
    ("address", "what"),
    [
        ("https://there/v1?api-version=2024-10-21", ""),
        ("https://there:8000/v1", ""),
        ("https://there/v1?key=", "the parameter key"),
        ("https://there/v1?a=1&Access_Token=x", "the parameter Access_Token"),
        ("https://name@there/v1", "the user's name"),
        ("https://name:word@there/v1", "the password"),
    ],
)
def test_what_in_an_address_may_be_secret_is_named(address: str, what: str) -> None:
    assert secret_in_address(address) == what


def test_a_key_at_the_place_where_a_message_is_cut_is_hidden_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "planted-0123456789")

    class Refusal(Exception):  # noqa: N818
        status_code = 500

    Refusal.__module__ = "openai"
    for before in range(280, 302):
        error = translate(Refusal(f"{'x' * before}planted-0123456789"), model="openai:m")
        assert "planted" not in str(error)
