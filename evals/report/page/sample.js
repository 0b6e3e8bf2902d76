// One sample: frames, entries beside gold, reasons, the walk, calls; every run in a column of its own.

const VIEW = document.getElementById("sample");
const epochs = new Map(); // by run, which epoch is looked at

async function showSample(sample) {
  const read = await partOf(sample, "read");
  const records = read.runs.map((list, place) => list[Math.min(epochs.get(place) ?? 0, list.length - 1)] ?? null);
  const heading = h("h1", { tabindex: "-1", dir: "auto" }, sample.title || sample.id);
  const parts = [
    ["Interpretation", [goldOf(read.gold), ...columns(records, (record, place) => [epochSwitch(read.runs[place], place, sample), ...reading(record), ...reasons(record)])]],
    ...(HEAD.kinds ? [["Why it fails", columns(records, (record, place) => whyPart(record, place))]] : []),
    ["From what was seen to what it means", columns(records, (record) => [...seenPart(record), ...walkPart(record)])],
    ["What it took", columns(records, (record, place) => [...took(record), rawPart(sample, place, read.runs[place].indexOf(record))])],
  ];
  VIEW.replaceChildren(crumbs(sample), h("header", null,
    h("p", { class: "eyebrow" }, sample.types.map(plain).join(" · ")), heading,
    sample.title ? h("p", { class: "under" }, sample.id) : null), timeline(sample, records),
    ...parts.map(([title, content]) => h("section", null, h("h2", null, title), h("div", { class: "side" }, content))));
  wireFaults(sample, records, read.runs);
  document.title = `${sample.title || sample.id} · ${TITLE}`;
  drawWalks(records);
  drawTraces(records);
  return heading;
}

const quiet = (text) => h("p", { class: "note" }, text);

function crumbs(sample) {
  const place = chosen.indexOf(sample);
  const link = (other, text) => (other ? h("a", { href: addressOf(other), class: text.startsWith("←") ? "before" : "after" }, text) : h("span", { class: "off" }, text));
  return h("div", { class: "crumbs" }, h("a", { href: "#samples" }, "All samples"), h("nav", { "aria-label": "Samples" },
    link(chosen[place - 1], "← Previous"), place >= 0 ? h("span", null, `${place + 1} of ${chosen.length}`) : null, link(place >= 0 ? chosen[place + 1] : null, "Next →")));
}

function columns(records, make) {
  return records.map((record, place) => h("div", { class: seriesOf(place) },
    h("h3", null, badge(place), " ", RUNS[place].graph, " ", h("span", { class: "quiet" }, RUNS[place].model)),
    record ? make(record, place) : quiet("This run has no record of the sample.")));
}

function goldOf(gold) {
  const entries = gold === null ? quiet("Gold is not known here: the data set could not be opened.") : h("ol", { class: "entries" }, gold.map((text) => h("li", { dir: "auto" }, text)));
  return h("div", { class: "gold" }, h("h3", null, "Gold"), entries);
}

function epochSwitch(list, place, sample) {
  if (list.length < 2) return null;
  const now = Math.min(epochs.get(place) ?? 0, list.length - 1);
  return h("div", { class: "epochs", role: "group", "aria-label": "Epoch" }, list.map((record, number) => {
    const button = h("button", { type: "button", "aria-pressed": String(number === now) }, `epoch ${record.epoch}`);
    button.addEventListener("click", async () => {
      epochs.set(place, number);
      await showSample(sample);
      VIEW.querySelector(".side").children[place + 1].querySelector("[aria-pressed=true]").focus();
    });
    return button;
  }));
}

function reading(record) {
  const verdict = record.ok ? record.verdict : null;
  const strict = verdict && (verdict.strict === 1 ? "strict: yes" : verdict.strict === 0 ? "strict: no" : `strict ${Math.round(verdict.strict * 100)}`);
  const score = verdict
    ? h("p", { class: "score" }, h("b", null, shown(verdict.loose * 10)), h("span", { class: "quiet" }, `loose · ${strict}${verdict.proxy ? " · offline proxy" : ""}`))
    : h("p", { class: "score" }, h("b", null, "–"), h("span", { class: "quiet" }, plain(record.outcome)));
  const failures = record.errors.map(([step, kind, message]) => h("p", { class: "failure", dir: "auto" }, `${kind} in ${step}: ${message}`));
  const entries = h("ol", { class: "entries" }, record.entries.map(([presents, expresses]) => h("li", null,
    h("span", { class: "shows", dir: "auto" }, presents), h("span", { class: "expresses" }, h("span", { class: "arrow", "aria-label": "implicitly expressing" }, "→"), h("bdi", null, expresses)))));
  return [score, ...failures, entries];
}

function seenPart(record) {
  if (!record.keywords.length) return [quiet("No keywords.")];
  return [h("ul", { class: "tags" }, record.keywords.map((word) => h("li", { dir: "auto" }, word)))];
}

function reasons(record) {
  const verdict = record.verdict;
  if (!verdict) return [];
  const all = verdict.judgements.map(([kind, score, text]) => h("li", null, h("b", null, `${kind} ${score}`), " ", h("bdi", { class: "reason" }, text)));
  return [h("h4", null, "The judge"), h("p", { class: "reason", dir: "auto" }, verdict.reasoning || "The judge gave no reasons."),
    h("details", null, h("summary", null, `All ${all.length} judgements, by ${verdict.judge}`), h("ul", { class: "plainlist" }, all))];
}

function walkPart(record) {
  const used = record.knowledge;
  const from = used ? quiet([`From ${used.name || used.source}`, used.mode && `by ${used.mode}`].filter(Boolean).join(", ")) : null;
  if (!record.hops.length && !record.mappings.length && !record.passages.length) return [from, quiet("Nothing was looked up.")];
  const picture = h("div", { class: "walk", tabindex: "0", role: "region", "aria-label": "The walk as a picture" });
  const steps = record.hops.length ? h("ol", { class: "steps" }, record.hops.map((hop) => h("li", null, h("code", { dir: "auto" }, `${hop.tool} ${hop.arguments}`), hop.failed ? " failed" : ` → ${hop.mappings.length} found`))) : null;
  const lines = record.mappings.map(([path, ground, weight, keywords]) => h("li", { dir: "auto" }, path.join(" → "), ground ? ` (${ground})` : "", keywords.length > 1 ? ` from ${keywords.join(", ")}` : ""));
  const listed = lines.length ? h("details", null, h("summary", null, `${lines.length} associations that the interpretation was given`), h("ul", { class: "plainlist" }, lines)) : null;
  const passages = record.passages.length ? h("ul", { class: "plainlist" }, record.passages.map(([text, source]) => h("li", { dir: "auto" }, text, source ? h("span", { class: "quiet" }, ` ${source}`) : null))) : null;
  return [from, steps, picture, listed, passages];
}

function drawWalks(records) {
  [...VIEW.querySelectorAll(".walk")].forEach((box) => {
    const place = [...box.closest(".side").children].indexOf(box.parentElement);
    const drawn = walkOf(records[place], box.clientWidth || 400);
    if (!drawn) return box.remove();
    box.append(drawn.picture);
    if (drawn.told) box.after(quiet(drawn.told));
  });
}

function rawPart(sample, place, epoch) {
  const fold = h("details", { class: "raw" }, h("summary", null, "Thinking, answers and look-ups in order"));
  fold.addEventListener("toggle", () => { if (fold.open) fillRaw(fold, sample, place, epoch); });
  return fold;
}

async function fillRaw(fold, sample, place, epoch) {
  if (fold.childElementCount > 1) return;
  const blocks = (await partOf(sample, "raw"))[place][epoch];
  if (fold.childElementCount > 1) return;
  fold.append(...blocks.flatMap(([title, text, marks]) => [h("h4", { dir: "auto" }, title), h("pre", { dir: "auto" }, marked(text, marks ?? [], place))]));
  if (fold.childElementCount === 1) fold.append(quiet("Nothing was kept."));
}
