"""One file: what is in it, what is done about it, and a check that nothing else changed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from typing import NamedTuple

from tools.frames.clean.checking import difference
from tools.frames.clean.judging import judge
from tools.frames.clean.looking import at_full_size, sampled
from tools.frames.clean.patches import patch_of, pixels, wanted_ordinals
from tools.frames.clean.report import FileReport, Finding
from tools.frames.clean.spotting import Spotter
from tools.frames.clean.tracks import Track as Text
from tools.frames.clean.tracks import follow
from tools.frames.clean.wishes import Wishes
from tools.frames.clean.writing import copy, encode, encoder_for, format_of, sound_of
from tools.frames.container import Track, display_matrix, open_video, plain, scan
from tools.frames.source import inspect
from tools.frames.terms import Fault, Frame, Source
from tools.frames.turns import odd_angle, turn_of

__all__ = ["clean_file"]


class _Texts(NamedTuple):
    """What was found: the pictures looked at, the subtitles with what to say of them, and the rest."""

    frames: Sequence[Frame]
    subtitles: Sequence[Text]
    removed: tuple[Finding, ...]
    left: tuple[Finding, ...]


_NOTHING = _Texts((), (), (), ())


def clean_file(path: str, partial: str, output: str, wishes: Wishes) -> FileReport:
    """Clean one file. In this process: `clean_all` calls it in one of its own.

    Args:
        path: the video.
        partial: where the new file grows; it is gone in the end.
        output: what it becomes when it is whole and checked.
        wishes: what to do.

    Raises:
        Fault: if it can't be read, written, or verified.
        ToolboxError: if the text detector isn't installed.
    """
    source = inspect(path)
    if source.kind != "video":
        raise Fault("pictures, not a video: they have no sound, and text is looked for in videos only")
    track = scan(source.path)
    sound = sound_of(source.path) if wishes.mute else ()
    texts = _look(source, wishes) if wishes.erase else _NOTHING
    texts, notes = _feasible(texts, source, track, wishes)
    if wishes.is_dry:
        action = "re-encoded" if texts.subtitles else "remuxed" if sound else "copied"
    else:
        action, more = _write(source, partial, track, texts, wishes, mutes=bool(sound))
        notes += more
        os.replace(partial, output)  # noqa: PTH105 - both are strings that crossed a process
    told = None if wishes.is_dry else output
    return FileReport(
        path, told, action, sound, texts.removed, texts.left, tuple(notes), is_dry=wishes.is_dry
    )


def _look(source: Source, wishes: Wishes) -> _Texts:
    spotter = Spotter()
    frames, _ = sampled(source)
    tracks = follow([spotter.lines(frame) for frame in frames], frames)
    size = (1, 1)
    if tracks:
        full = at_full_size(source, [frames[0].ordinal])
        size = next((frame.width, frame.height) for frame in full.values())
    subtitles: list[Text] = []
    removed: list[Finding] = []
    left: list[Finding] = []
    for track, verdict in zip(tracks, judge(tracks, frames, wishes.band), strict=True):
        finding = _finding(track, frames, size, verdict.reason)
        (removed if verdict.is_subtitle else left).append(finding)
        if verdict.is_subtitle:
            subtitles.append(track)
    return _Texts(frames, subtitles, tuple(removed), tuple(left))


def _finding(track: Text, frames: Sequence[Frame], size: tuple[int, int], reason: str) -> Finding:
    left, top, right, bottom = pixels(track.box, size)
    return Finding(
        track.text,
        (left, top, right - left, bottom - top),
        round(frames[track.first].timestamp, 3),
        round(frames[track.last].timestamp, 3),
        len(track.lines),
        reason,
    )


def _feasible(texts: _Texts, source: Source, track: Track, wishes: Wishes) -> tuple[_Texts, list[str]]:
    """Leave subtitles where the file can't be encoded anew without becoming something else."""
    if not texts.subtitles:
        return texts, []
    form = format_of(source.path, track.container)
    stamps = [packet.pts for packet in track.packets if packet.is_shown]
    problem = ""
    if encoder_for(form, wishes.crf) is None:
        problem = f"subtitles in {form} files are left: convert it to mp4 or mkv first"
    elif None in stamps or len(set(stamps)) < len(stamps):
        problem = "subtitles are left, since frames have no timestamps that could be kept"
    elif odd_angle(_matrix(source.path, track)):
        problem = "subtitles are left, since the video asks to be turned by an odd angle"
    if not problem:
        return texts, []
    return _Texts(texts.frames, (), (), (*texts.removed, *texts.left)), [problem]


def _write(  # noqa: PLR0913 - each a part of its own
    source: Source, partial: str, track: Track, texts: _Texts, wishes: Wishes, *, mutes: bool
) -> tuple[str, list[str]]:
    """Write the new file in the gentlest way that does it; returns the action and notes."""
    from av.error import FFmpegError

    if not texts.subtitles and not mutes:
        shutil.copyfile(source.path, partial)
        return "copied", []
    notes: list[str] = []
    if not texts.subtitles:
        try:
            copy(source.path, partial, track, with_sound=not wishes.mute)
            wrong = difference(source.path, partial, is_exact=True)
        except (FFmpegError, ValueError) as error:
            wrong = plain(error) if isinstance(error, FFmpegError) else str(error)
        if not wrong:
            return "remuxed", []
        notes.append(f"its packets can't be copied ({wrong}): encoded anew")
    _encode(source, partial, track, texts, wishes)
    return "re-encoded", notes


def _encode(source: Source, partial: str, track: Track, texts: _Texts, wishes: Wishes) -> None:
    from av.error import FFmpegError

    encoder = encoder_for(format_of(source.path, track.container), wishes.crf)
    if encoder is None:
        raise Fault("it can neither be copied without its sound nor encoded anew: convert it to mp4 first")
    full = at_full_size(source, wanted_ordinals(texts.subtitles, texts.frames)) if texts.subtitles else {}
    turn = turn_of(_matrix(source.path, track))
    patches = [patch_of(text, texts.frames, full, turn) for text in texts.subtitles]
    try:
        encode(source.path, partial, track, patches, encoder, with_sound=not wishes.mute)
    except FFmpegError as error:
        raise Fault(f"it can't be encoded anew: {plain(error)}") from error
    wrong = difference(source.path, partial, is_exact=False)
    if wrong:
        raise Fault(f"what was encoded anew is not the same video ({wrong}): nothing was written")


def _matrix(path: str, track: Track) -> bytes | None:
    with open_video(path) as container:
        return display_matrix(next(container.decode(container.streams[track.stream])))  # pyright: ignore[reportArgumentType, reportCallIssue]
