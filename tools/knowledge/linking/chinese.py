"""Chinese names: simplified characters, and the parts of a phrase.

A keyword such as 几朵枯萎的玫瑰 has a number and a measure word in front, then what describes, then the
head. No word list is needed: the graph's own names say where a word ends. Pure and deterministic.
"""

# ruff: noqa: SIM905, RUF001  (a list of words reads better as text; full-width marks are meant)

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

__all__ = [
    "bare",
    "characters",
    "counted",
    "described",
    "ends_in",
    "gist",
    "has_han",
    "is_person",
    "simplified",
    "trimmed",
    "unordered",
]

_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0002ffff]")
_MARKS = re.compile(r"[\s·、，。！？；：“”‘’（）《》〈〉【】「」『』…—,.!?;:\"'()\[\]-]+")
_NUMBERS = "一二两三四五六七八九十几数多半整满这那某每各双0123456789"
_MEASURES = """
    个 只 支 枝 把 张 条 位 名 群 堆 朵 棵 株 座 栋 幢 间 扇 面 盏 辆 艘 架 台 部 件 块 片 根 颗 粒 滴 串 束
    捆 本 幅 副 双 对 杯 碗 盘 瓶 壶 箱 袋 盒 包 匹 头 口 道 股 阵 场 轮 弯 缕 层 排 行 列 队 所 家 顶 枚 柄
    封 页 团 丛 尊 具 滩 摊 抹 种 些
""".split()
_COUNTED = re.compile(rf"^(?:许多|很多|无数|众多|大量|少量|若干|[{_NUMBERS}]+(?:{'|'.join(_MEASURES)}))")
#: Persons that say no more than that somebody is there.
_PERSONS = "男人 女人 男子 女子 男性 女性 人物 人影 身影 某人 人们 人类 男士 女士".split()
_PARTICLES = re.compile("[的着了]")
#: Words that exchange with a shorter one at the end of a name.
_ENDINGS = {
    "花朵": "花",
    "树木": "树",
    "鸟儿": "鸟",
    **dict.fromkeys("画面 影像 图像 图片 照片 相片 影片".split(), "画"),
}
#: What often stands before a noun of one character: 木门 is a door, but 天空 is no emptiness.
_BEFORE_ONE = frozenset("木铁石铜金银钢纸布皮玉竹瓷大小老旧新破红白黑蓝绿黄紫灰粉彩长短高矮空残断湿枯")
_MOVABLE = range(4, 9)
_PLACES = re.compile(
    "(?:之)?(?:里面|外面|上面|下面|前面|后面|旁边|中间|之中|之上|之下|中|上|下|里|内|外|旁|边|前|后|间)$"
)


def has_han(text: str) -> bool:
    """Whether a text has a Chinese character."""
    return _HAN.search(text) is not None


def characters(text: str) -> list[str]:
    """The Chinese characters of a text, simplified."""
    return _HAN.findall(simplified(text))


@lru_cache(maxsize=65_536)
def simplified(text: str) -> str:
    """A text in simplified characters, without spaces and punctuation.

    >>> simplified("燃燒的 蠟燭")
    '燃烧的蜡烛'
    """
    return _MARKS.sub("", _converter().convert(text))


def counted(text: str) -> str:
    """A simplified text without a number and measure word, or a word such as "many", in front.

    >>> counted("一只空鸟笼"), counted("两位老人"), counted("一个")
    ('空鸟笼', '老人', '')
    """
    return _COUNTED.sub("", text)


def trimmed(text: str) -> str:
    """A part that describes, without particles and the word of place at its end: 雨中 is 雨.

    >>> trimmed("雨中"), trimmed("跪着"), trimmed("上")
    ('雨', '跪', '上')
    """
    stripped = _PARTICLES.sub("", text)
    return _PLACES.sub("", stripped) or stripped


def bare(text: str) -> str:
    """A simplified text without a number in front and without particles.

    >>> bare("一朵枯萎的花")
    '枯萎花'
    """
    return _PARTICLES.sub("", counted(text)) or text


@lru_cache(maxsize=65_536)
def gist(text: str) -> str:
    """A simplified text without particles and numbers, with any person as 人.

    >>> gist("一个跪着的男人"), gist("跪着的人")
    ('跪人', '跪人')
    """
    short = bare(text)
    for ending, noun in _ENDINGS.items():
        if short.endswith(ending) and len(short) > len(ending):
            short = short.removesuffix(ending) + noun
    for person in _PERSONS:
        short = short.replace(person, "人")
    return short


def unordered(gist_: str) -> str:
    """The characters of a gist in one order, marked: 握紧拳头 is 紧握拳头; empty for short and long ones."""
    return "~" + "".join(sorted(gist_)) if len(gist_) in _MOVABLE else ""


def ends_in(head: str, start: int) -> bool:
    """Whether what follows a place in a head can be a word of its own: two characters or more, as a rule."""
    return len(head) - start > 1 or (start == 1 and head[0] in _BEFORE_ONE)


def is_person(text: str) -> bool:
    """Whether a text names a person and says nothing about whom."""
    return gist(text) == "人"


def described(text: str) -> tuple[str, list[str]]:
    """The head of a simplified phrase, and what describes it, from left to right.

    >>> described("背对镜头的男人"), described("蜡烛")
    (('男人', ['背对镜头']), ('蜡烛', []))
    """
    *before, head = [part for part in re.split("[的之]", text) if part] or [""]
    return head, before


@lru_cache(maxsize=1)
def _converter() -> Any:
    import opencc

    return opencc.OpenCC("t2s")
