"""The page in headless Chromium, opened from disk."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from agents.diagnoses import Deficiency
from agents.schemas import Entry, Hop, Interpretation, Mapping, ModelCall, Usage
from agents.watched import WatchedVideo
from evals.report import Thumbnails, gather, write_page
from tests.browser import Browser, chromium, opened_browser
from tests.evals.records_for_tests import failed, scored
from tests.evals.report.diagnoses import diagnosed, fault, keep
from tests.evals.report.making import keep_frames, make_run, make_set

pytestmark = [
    pytest.mark.skipif(chromium() is None, reason="Chromium and ChromeDriver are not installed"),
    pytest.mark.slow,
]

EVIL = (
    '</script><script>window.hit=1</script><img src=x onerror="window.hit=1"><svg onload=window.hit=1>'
    "<!--\u2028\u202e<iframe srcdoc='<script>parent.hit=1</script>'>"
    "<a href='javascript:window.hit=1'>x</a>${hit}"
)
HITS = """
  const bad = document.querySelectorAll('#sample script, #sample iframe, #sample [onerror]').length;
  const outside = [...document.images].filter((image) => !image.src.startsWith('data:')).length;
  return [window.hit ?? null, bad, outside];
"""
CONTRAST = """
  const bright = (v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; };
  const light = (text) => {
    const [r, g, b] = text.match(/[\\d.]+/g).map(Number).map(bright);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const paper = light(getComputedStyle(document.body).backgroundColor);
  const ratio = (color) => {
    const other = light(color);
    return (Math.max(paper, other) + 0.05) / (Math.min(paper, other) + 0.05);
  };
  const texts = 'main:not([hidden]) :is(h1,h2,h3,p,li,dt,dd,a,small,th,td,label,summary)';
  return Math.min(...[...document.querySelectorAll(texts)].map((e) => ratio(getComputedStyle(e).color)));
"""
UNNAMED = """
  const fields = [...document.querySelectorAll('input, select')].filter((e) => !e.labels.length);
  const pictures = [...document.querySelectorAll('figure svg')].filter((e) => !e.getAttribute('aria-label'));
  return fields.length + pictures.length;
"""
INTRUDERS = """
  const html = '<img src=x onerror="window.hit=1"><b style="color:red" onclick="window.hit=1">x</b>';
  document.body.insertAdjacentHTML('beforeend', html);
  document.body.lastElementChild.click();
  const script = document.createElement('script');
  script.textContent = 'window.hit=1';
  document.body.append(script);
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with opened_browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Two runs of 90 samples; the second sample's every text is hostile."""
    folder = tmp_path_factory.mktemp("report")
    ids = [f"v{number:02}" for number in range(90)]
    data = make_set(folder / "ds", ids, title=EVIL, gold=[EVIL])
    digest, cache = keep_frames(folder / "frames", "a"), str(folder / "frames")
    mapping = Mapping(
        element="candle", concept="mortality", path=("candle", "time", "mortality"), ground="burns down"
    )
    evil = Mapping(element=EVIL, concept="x", path=(EVIL, "x"), ground=EVIL)
    hop = Hop(
        round=1,
        tool="explore_metaphors",
        arguments={"concepts": ["candle", EVIL]},
        answer=EVIL,
        mappings=(mapping, evil),
    )
    call = ModelCall(
        step=EVIL,
        model="openai:gpt-5",
        method=EVIL,
        attempts=2,
        tries=3,
        faults=(EVIL,),
        waited=0.5,
        seconds=1.5,
        usage=Usage(input_tokens=1000, output_tokens=100, estimated=True),
        raw=EVIL,
        thinking=EVIL,
    )
    entries = (Entry(presents="a candle", expresses="our mortality"), Entry(presents=EVIL, expresses=EVIL))
    boost = [
        scored(
            video_id,
            loose=place % 11,
            frames_digest=digest,
            timestamps=(0.0, 1.5, 9.5),
            keywords=("candle", EVIL),
            mappings=(mapping, evil),
            hops=(hop,),
            calls=(call, call.model_copy(update={"step": "judge_loose", "faults": ()})),
            usage=call.usage + call.usage,
            started="2026-01-01T00:00:00+00:00",
            timings={"interpret": 2.0, "judge": 2.0, "total": 4.0},
            notes=(EVIL,),
            interpretation=Interpretation(entries=entries),
        )
        for place, video_id in enumerate(ids)
    ]
    other = [scored(video_id, loose=5, graph="baseline") for video_id in ids]
    other[3] = failed(ids[3], graph="baseline")
    other[7] = scored(ids[7], loose=5, graph="baseline", types=("Causal_Montage",))
    watched = WatchedVideo(
        digest="d",
        mime_type="video/mp4",
        size=9,
        duration=10,
        delivery="inline",
        fps=1,
        frames=10,
        method="fps",
    )
    other[5] = scored(ids[5], loose=5, graph="baseline", video=watched)
    runs = [make_run(folder / "one", boost, data, cache_dir=cache), make_run(folder / "two", other, data)]
    keep(runs[0], [diagnosed(record, [EVIL], _faults(place)) for place, record in enumerate(boost[:88])])
    gathered = gather(runs)
    assert len(gathered.diagnosed) == 2
    write_page(gathered, Thumbnails().strips(gathered), folder / "report.html")
    return (folder / "report.html").as_uri()


def _faults(place: int) -> list[Deficiency]:
    """Two of hostile words in the first sample, one in every third other, none elsewhere."""
    evil = fault("improper_mapping", EVIL, "thinking", element=EVIL, expected=EVIL, step=EVIL)
    told = fault("superficial_mapping", EVIL, "hop", element=EVIL, expected=EVIL, step="round 1")
    return [evil, told] if not place else [fault()] * (place % 3 == 0)


@pytest.fixture
def view(browser: Browser, page: str) -> Browser:
    browser.resize(1400, 1000)
    browser.open("about:blank")
    browser.console()
    browser.open(page)
    browser.wait("document.querySelectorAll('.row').length > 0")
    return browser


def fill(view: Browser, name: str, value: str) -> None:
    view.run(
        "const field = document.getElementById(arguments[0]); field.value = arguments[1];"
        "field.dispatchEvent(new Event('input', {bubbles: true}));",
        name,
        value,
    )


def count(view: Browser, said: str) -> None:
    view.wait("document.getElementById('count').textContent === args[0]", said)


def open_first(view: Browser) -> None:
    view.run("document.querySelector('.row').click()")
    view.wait("document.querySelector('#sample .axis-svg')")


def test_it_renders_without_an_error(view: Browser) -> None:
    assert view.run("return document.querySelectorAll('.hero').length") == 2
    assert view.run("return document.querySelectorAll('figure svg').length") >= 3
    count(view, "90 samples")
    assert view.run("return document.querySelectorAll('.row').length") < 90
    view.wait("(scrollTo({top: 1e6, behavior: 'instant'}), document.querySelectorAll('.row').length === 90)")
    assert view.run("return document.querySelectorAll('.poster')[3].naturalWidth") == 320
    assert view.console() == []


def test_filters_and_search(view: Browser) -> None:
    fill(view, "f-outcome", "infrastructure")
    count(view, "1 of 90 samples")
    fill(view, "f-outcome", "")
    fill(view, "f-run", "0")
    fill(view, "f-low", "95")
    count(view, "8 of 90 samples")
    fill(view, "f-sort", "worst")
    fill(view, "f-low", "")
    view.wait("document.querySelector('.cell b').textContent === '0'")
    view.run("document.getElementById('filters').reset()")
    count(view, "90 samples")
    view.run("document.getElementById('f-differ').click()")
    count(view, "82 of 90 samples")  # the runs agree where place % 11 is 5
    view.run("document.getElementById('filters').reset()")
    fill(view, "f-text", '"429 after"')
    count(view, "1 of 90 samples")
    fill(view, "f-text", "v07 MORTALITY")
    count(view, "1 of 90 samples")
    fill(view, "f-text", "nowhere to be found")
    count(view, "0 of 90 samples")
    assert view.console() == []


def test_a_sample_shows_everything_and_markup_does_nothing(view: Browser) -> None:
    open_first(view)
    shown = view.run("return document.getElementById('sample').textContent")
    assert "our mortality" in shown
    assert EVIL in shown
    assert view.run("return document.querySelectorAll('.thumb img').length") == 8
    view.wait("[...document.querySelectorAll('.thumb img')].every((image) => image.naturalWidth === 320)")
    assert view.run(
        "return [...document.querySelectorAll('.walk .used')].map((n) => n.lastChild.textContent)"
    ) == ["mortality"]
    view.run("document.querySelectorAll('#sample details').forEach((each) => { each.open = true; })")
    view.wait("document.querySelectorAll('#sample pre').length === 5")
    assert view.run("return document.querySelector('#sample pre').textContent") == EVIL
    assert view.run(HITS) == [None, 0, 0]
    assert view.console() == []


def test_why_a_sample_fails_is_shown_with_its_evidence_and_markup_does_nothing(view: Browser) -> None:
    assert view.run("return document.querySelectorAll('.why figure svg').length") == 2
    assert "B: not diagnosed" in view.run("return document.querySelector('.why').innerText")
    assert view.run("return document.querySelector('.pips').getAttribute('aria-label')") == (
        "1 superficial mapping, 1 improper mapping"
    )
    open_first(view)
    told = """
      const faults = [...document.querySelectorAll('.faults > li')];
      return faults.map((each) => each.querySelector(arguments[0]).textContent);
    """
    assert view.run(told, ".fault-kind") == [" improper mapping", " superficial mapping"]
    assert view.run(told, ".fault-what") == [f"{EVIL} → {EVIL}"] * 2
    assert view.run(told, "mark") == [EVIL] * 2
    view.run("document.querySelectorAll('.to-mark')[1].click()")
    view.wait("document.activeElement.id === 'mark-0-1'")
    marks = "return [...document.querySelectorAll('pre mark')].map((e) => [e.id, e.textContent])"
    assert view.run(marks) == [["mark-0-0", EVIL], ["mark-0-1", EVIL]]
    titles = "return [...document.querySelectorAll('.raw h4')].map((e) => e.textContent)"
    assert view.run(titles)[2:] == ["explore_metaphors, round 1", "judge_loose, thinking", "judge_loose"]
    assert "This interpretation has not been diagnosed yet." in view.run(
        "return document.getElementById('sample').innerText"
    )
    assert view.run(HITS) == [None, 0, 0]
    assert (
        view.run(
            "return document.querySelectorAll('#sample :is(b, a)[onclick], #sample a[href^=java]').length"
        )
        == 0
    )
    assert view.console() == []


def test_samples_are_filtered_by_their_deficiencies(view: Browser) -> None:
    for wanted, number in {"1": 29, "3": 1, "some": 30, "none": 58, "contrary": 0, "0": 0}.items():
        fill(view, "f-fault", wanted)
        count(view, f"{number} of 90 samples")
    fill(view, "f-run", "0")
    fill(view, "f-fault", "unknown")
    count(view, "2 of 90 samples")
    fill(view, "f-fault", "")
    fill(view, "f-sort", "faults")
    view.wait("document.querySelector('.row .what span').textContent.startsWith('v00')")
    assert view.console() == []


def test_what_a_sample_took_is_drawn_in_time_and_told(view: Browser) -> None:
    open_first(view)
    facts = "return [...document.querySelectorAll('.facts')][0].innerText.replaceAll('\\n', ' ')"
    told = view.run(facts)
    assert told.startswith(
        "tokens ≈ 2,200 money ≈ 0.0045 USD time 4 s of it judging 2 s waited 1 s failed tries 1"
    )
    bars = "return [...document.querySelectorAll('.trace-svg rect.call')].map((e) => e.getAttribute('class'))"
    assert view.run(bars) == ["call waits", "call s0", "call waits", "call judges"]
    places = "return [...document.querySelectorAll('.trace-svg .waits')].map((e) => +e.getAttribute('x'))"
    first, second = view.run(places)
    width = view.run("return document.querySelector('.trace-svg .phase').getAttribute('width')")
    assert second - first == pytest.approx(float(width), abs=0.5)  # two of four seconds
    cells = "return [...document.querySelectorAll('.calls tbody tr')][1].innerText.split('\\t').slice(2)"
    view.run("document.querySelectorAll('#sample details').forEach((each) => { each.open = true; })")
    assert view.run(cells) == ["3", "0.5", "≈ 1,100", "≈ 0.0022 USD", "1.5"]
    view.run("document.querySelector('.crumbs a').click()")
    view.wait("!document.getElementById('overview').hidden")
    fill(view, "f-sort", "money")
    assert "of these records, by the prices of their day" in view.run(
        "return document.querySelector('.runs').closest('section').textContent"
    )
    assert view.console() == []


def test_keys_and_addresses_lead_from_sample_to_sample(view: Browser, page: str) -> None:
    open_first(view)
    assert view.run("return document.activeElement.tagName") == "H1"
    view.keys("ArrowRight")
    view.wait(
        "location.hash === '#sample=1-v01' && document.querySelector('#sample .under')?.textContent === 'v01'"
    )
    view.keys("Escape")
    view.wait("!document.getElementById('overview').hidden && document.getElementById('sample').hidden")
    view.open("about:blank")
    view.open(f"{page}#sample=3-v03")
    view.wait("document.querySelector('#sample .failure')?.textContent.includes('429 after 3 tries')")
    assert view.console() == []


def test_a_video_that_was_shown_whole_is_said(view: Browser, page: str) -> None:
    view.open("about:blank")
    view.open(f"{page}#sample=5-v05")
    view.wait("document.querySelector('#sample .axis-svg')")
    label = view.run("return document.querySelector('.axis-svg').getAttribute('aria-label')")
    assert label == "Time in the video. A was shown 3 frames, B was shown the video itself"


def test_the_policy_holds_even_if_something_slipped_through(view: Browser) -> None:
    view.run(INTRUDERS)
    refused = view.run("return fetch('http://127.0.0.1:9/').then(() => 'reached', () => 'refused')")
    assert (refused, view.run("return window.hit ?? null")) == ("refused", None)
    assert any("Content Security Policy" in message for message in view.console())


@pytest.mark.parametrize("dark", [False, True])
def test_nothing_is_wider_than_a_phone_and_text_can_be_read(view: Browser, page: str, dark: bool) -> None:
    view.resize(390, 844, dark=dark, phone=True)
    assert view.run("return document.documentElement.scrollWidth") == 390
    assert view.run(CONTRAST) >= 4.5
    open_first(view)
    assert view.run("return document.documentElement.scrollWidth") == 390
    assert view.run(CONTRAST) >= 4.5


def test_every_field_has_a_name_and_every_picture_words(view: Browser) -> None:
    assert view.run(UNNAMED) == 0
    open_first(view)
    assert (
        view.run("return [...document.querySelectorAll('img')].filter((e) => !e.hasAttribute('alt')).length")
        == 0
    )
    assert view.run("return document.querySelectorAll('main:not([hidden]) h1').length") == 1
