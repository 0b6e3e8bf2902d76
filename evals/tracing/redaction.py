"""Nothing leaves but words: frames and videos become small references, and keys are struck out.

The walk looks at values, not at the shapes of providers, so that a form of content that is new can't
slip through: bytes of any kind, ``data:`` addresses, and any run of base64 that is too long for a word.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import re
import string
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any, cast
from uuid import UUID

from pydantic import BaseModel

__all__ = ["Redaction"]

_DATA_URL = re.compile(r"data:([\w.+-]+/[\w.+-]+)?(?:;[\w.=+-]+)*;base64,([A-Za-z0-9+/=_%-]*)")
_PIECE = r"[A-Za-z0-9+/_-]{48,}={0,2}"
_ENCODED = re.compile(
    rf"{_PIECE}(?:(?:\s|\\[nr]){{1,4}}{_PIECE})*(?:(?:\s|\\[nr]){{1,4}}[A-Za-z0-9+/_-]{{1,47}}={{1,2}})?"
)
_WHOLE = re.compile(r"[A-Za-z0-9+/_-]{512}")
_PRINTED = re.compile(
    r"(?<!\w)b'(?:[^'\\]|\\.){24,}'?|(?<!\w)b\"(?:[^\"\\]|\\.){24,}\"?|(?:\\x[0-9a-fA-F]{2}){8,}"
)
_ALPHABET = string.ascii_letters + string.digits + "+/=_-%"
_SHORTEST = 160  # characters of base64 that can be no word, path or digest

_SECRETS = re.compile(
    r"\b(?:sk|pk|rk|gsk|xai|hf|ghp|gho|xox[bp])[-_][A-Za-z0-9_-]{12,}|\bAIza[A-Za-z0-9_-]{20,}"
    r"|\blsv2_[A-Za-z0-9_]{12,}|\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*"
    r"|(?<=://)[^/@\s]+(?=@)"
    r"|(?i:(?<=bearer )|(?<=[?&]key=)|(?<=token=)|(?<=api_key=)|(?<=apikey=)|(?<=signature=))[^\s&\"']{6,}"
)
_SECRET_NAME = re.compile(
    r"(?i)(?:^|_|-)(?:api_?-?key|apikey|secret|password|passwd|credentials?|authorization|cookie|access_?token"
    r"|auth_?token|bearer|private_?key|signature|license_?key)(?:$|_|-)"
)
_SECRET_VARIABLE = re.compile(
    r"(?i)(?:^|_)(?:\w*api_?keys?|\w*keys?|tokens?|secrets?|pass(?:word|wd|phrase)?|credentials?|auth\w*)(?:$|_)"
    r"|_headers$"
)
_STRUCK = "[secret]"
_CONTENT_KEYS = frozenset({"base64", "data", "b64_json", "file_data", "bytes", "inline_data", "blob"})
_DEEPEST = 14
_SHORT = 16  # characters that can hold no content
_VECTOR = 32  # numbers that are no list to be read
_SHORTEST_SECRET = 8


@dataclass(frozen=True)
class _Bounds:
    """How much of a value is shown: characters of a text, and items of a list."""

    text: int
    items: int


class Redaction:
    """Turns any value into plain data that may leave this machine.

    Attributes:
        secrets: values that never leave, the longest first.
    """

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        """Learn what is secret.

        Args:
            environment: variables, whose names tell of keys and passwords; this process's own when None.
        """
        found = os.environ if environment is None else environment
        values = {value for name, value in found.items() if _SECRET_VARIABLE.search(name)}
        listed = {value for name, value in found.items() if name.lower().endswith("_headers")}
        parts = {part for value in listed for part in re.split(r"[,;=\s]+", value)}
        self.secrets = sorted((each for each in values | parts if _is_secret(each)), key=len, reverse=True)

    def text(self, text: str, longest: int = 8000) -> str:
        """One text: content replaced, secrets struck, and no longer than ``longest`` characters."""
        text = _without_content(text, longest)
        for secret in self.secrets:
            if secret in text:
                text = text.replace(secret, _STRUCK)
        text = _SECRETS.sub(_STRUCK, text)
        return _clipped(text, longest).encode("utf-8", "replace").decode()

    def value(self, value: object, *, longest: int = 8000, items: int = 100) -> Any:
        """Any value as plain data.

        Args:
            value: what a callback was handed.
            longest: characters of a text that are kept.
            items: of a list that are kept; how many were left out is said.
        """
        return self._walk(value, _Bounds(longest, items), 0)

    def mapping(self, value: object, *, longest: int = 8000, items: int = 100) -> dict[str, Any]:
        """The same as a mapping: another value is put under ``value``, as LangSmith wants its inputs."""
        plain = self.value(value, longest=longest, items=items)
        return cast("dict[str, Any]", plain) if isinstance(plain, dict) else {"value": plain}

    def _walk(self, value: object, bounds: _Bounds, depth: int) -> Any:  # noqa: PLR0911 - one for each kind
        if value is None or isinstance(value, bool | int | float):
            return value
        if isinstance(value, str) and not isinstance(value, Enum):
            return self.text(value, bounds.text)
        if isinstance(value, bytes | bytearray | memoryview):
            return _reference(bytes(value))
        if depth >= _DEEPEST:
            return f"<{type(value).__name__}>"
        if isinstance(value, Mapping):
            return self._mapping(cast("Mapping[Any, Any]", value), bounds, depth + 1)
        if isinstance(value, list | tuple | set | frozenset):
            return self._items(cast("Iterable[Any]", value), bounds, depth + 1)
        return self._object(value, bounds, depth + 1)

    def _object(self, value: object, bounds: _Bounds, depth: int) -> Any:
        if isinstance(value, Enum):
            return self._walk(value.value, bounds, depth)
        if isinstance(value, UUID | Path):
            return self.text(str(value), bounds.text)
        if isinstance(value, BaseModel):
            return self._mapping(_named(value, type(value).model_fields), bounds, depth)
        if is_dataclass(value) and not isinstance(value, type):
            return self._mapping(_named(value, (each.name for each in fields(value))), bounds, depth)
        return f"<{type(value).__name__}>"  # its own words might hold anything

    def _mapping(self, value: Mapping[Any, Any], bounds: _Bounds, depth: int) -> dict[str, Any]:
        plain: dict[str, Any] = {}
        content = "mime_type" in value or "media_type" in value or _tells_media(value.get("type"))
        for number, (key, each) in enumerate(value.items()):
            name = self.text(str(key), 200)
            if number >= 10 * bounds.items:
                plain["[left out]"] = len(value) - number
                break
            if _SECRET_NAME.search(name) and each:
                plain[name] = _STRUCK
            elif content and key in _CONTENT_KEYS and isinstance(each, str):
                plain[name] = _reference_of_text(
                    each, str(value.get("mime_type") or value.get("media_type") or "")
                )
            else:
                plain[name] = self._walk(each, bounds, depth)
        return plain

    def _items(self, value: Iterable[Any], bounds: _Bounds, depth: int) -> Any:
        listed = list(value)
        if len(listed) > _VECTOR and all(isinstance(each, int | float) for each in listed):
            return f"[{len(listed)} numbers]"  # a vector, or bytes in disguise
        plain = [self._walk(each, bounds, depth) for each in listed[: bounds.items]]
        return [*plain, f"[{len(listed) - bounds.items} left out]"] if len(listed) > bounds.items else plain


def _is_secret(value: str) -> bool:
    return (
        len(value) >= _SHORTEST_SECRET
        and not value.isdigit()
        and value.lower() not in {"disabled", "required"}
    )


def _named(value: object, names: Iterable[str]) -> dict[str, Any]:
    return {name: getattr(value, name, None) for name in names}


def _tells_media(kind: object) -> bool:
    return isinstance(kind, str) and any(
        word in kind for word in ("image", "video", "audio", "media", "file")
    )


def _unbroken(text: str) -> bool:
    return not any(mark in text for mark in (" ", "\n", "\r", "\t", "\\", '"'))


def _without_content(text: str, longest: int) -> str:
    """A text whose embedded content has become references; of a huge one the ends, as no more stays."""
    if len(text) < _SHORT:
        return text
    if text.startswith("data:") and "," in text[:200] and _unbroken(text):  # as images are sent
        head, _, content = text.partition(",")
        return _reference_of_text(content, head[5:].partition(";")[0])
    if _WHOLE.match(text) and _unbroken(text):
        return _reference_of_text(text, "")
    if len(text) > 8 * longest:  # no time for what is not shown; and a cut leaves no end of a content
        dropped = len(text) - 8 * longest
        head, tail = text[: 4 * longest].rstrip(_ALPHABET), text[-4 * longest :].lstrip(_ALPHABET)
        text = f"{head} [{dropped} characters left out] {tail}"
    if "base64," in text:
        text = _DATA_URL.sub(lambda found: _reference_of_text(found[2], found[1] or ""), text)
    if len(text) >= _SHORTEST:
        text = _ENCODED.sub(_if_long, text)
    if "\\" in text or 'b"' in text or "b'" in text:
        text = _PRINTED.sub(_if_bytes, text)
    return "".join(_binary_out(text)) if "\x00" in text or "\ufffd" * 8 in text else text


def _binary_out(text: str) -> Iterable[str]:
    """Bytes that were decoded as if they were a text."""
    yield f"[{len(text)} characters of binary content, sha256 {_digest(text.encode('utf-8', 'replace'))}]"


def _if_bytes(found: re.Match[str]) -> str:
    return f"[{len(found[0])} characters of printed bytes]" if "\\x" in found[0] else found[0]


def _if_long(found: re.Match[str]) -> str:
    return _reference_of_text(found[0], "") if len(found[0]) >= _SHORTEST else found[0]


def _reference_of_text(encoded: str, mime_type: str) -> str:
    """What stands for base64: kind, size and digest of what it holds."""
    try:
        plain = base64.b64decode(
            encoded.encode("ascii", "ignore"), altchars=b"-_" if "-" in encoded or "_" in encoded else None
        )
    except (binascii.Error, ValueError):
        plain = encoded.encode()
    return _reference(plain, mime_type)


def _reference(content: bytes, mime_type: str = "") -> str:
    kind = mime_type if re.fullmatch(r"[\w.+-]+/[\w.+-]+", mime_type) else _kind(content)
    return f"[{kind}, {len(content)} bytes, sha256 {_digest(content)}]"


_KINDS: tuple[tuple[Callable[[bytes], bool], str], ...] = (
    (lambda head: head.startswith(b"\xff\xd8\xff"), "image/jpeg"),
    (lambda head: head.startswith(b"\x89PNG"), "image/png"),
    (lambda head: head[4:8] == b"ftyp", "video/mp4"),
    (lambda head: head[:4] == b"RIFF" and head[8:12] == b"WEBP", "image/webp"),
    (lambda head: head.startswith(b"\x1a\x45\xdf\xa3"), "video/webm"),
)


def _kind(content: bytes) -> str:
    return next((kind for fits, kind in _KINDS if fits(content[:16])), "content")


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def _clipped(text: str, longest: int) -> str:
    """Head and tail of a long text."""
    if len(text) <= longest:
        return text
    tail = longest // 4
    return f"{text[: longest - tail]} [{len(text) - longest} characters left out] {text[len(text) - tail :]}"
