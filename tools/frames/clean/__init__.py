"""Cleaning videos as the benchmark's makers did: sound is dropped, burnt-in subtitles are painted over.

    python -m tools.frames clean videos/ --out cleaned --report cleaned.jsonl

What is dropped is dropped with the least change: a video without subtitles is copied packet by packet, and
one without either, byte by byte. Text is only painted over where it behaves like subtitles; everything else
is left and told (see `judging`).
"""

from __future__ import annotations

from tools.frames.clean.batch import clean_all
from tools.frames.clean.cleaning import clean_file
from tools.frames.clean.report import FileReport, Finding
from tools.frames.clean.wishes import Wishes

__all__ = ["FileReport", "Finding", "Wishes", "clean_all", "clean_file"]
