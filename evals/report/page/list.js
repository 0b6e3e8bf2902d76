// The list of samples: filters, search, order; rows are made as one scrolls to them.

const STEP = 40;
const field = (name) => document.getElementById(`f-${name}`);
const LIST = document.getElementById("list");
const MORE = h("button", { class: "plain more", type: "button" }, "Show more");
const near = new IntersectionObserver((seen) => { if (seen.some((each) => each.isIntersecting) && !MORE.hidden) extend(); }, { rootMargin: "600px" });
const ILLUSTRATED = SAMPLES.some((sample) => Array.isArray(sample.strip));
let chosen = SAMPLES;
let made = 0;
let turn = 0;

function criteria() {
  const value = (name) => field(name)?.value ?? "";
  const bound = (name, otherwise) => (value(name) === "" ? otherwise : Number(value(name)));
  return {
    terms: [...value("text").toLowerCase().matchAll(/"([^"]+)"|(\S+)/g)].map((match) => match[1] ?? match[2]),
    type: value("type"), outcome: value("outcome"),
    run: value("run") === "" ? null : Number(value("run")),
    low: bound("low", -Infinity), high: bound("high", Infinity),
    bounded: value("low") !== "" || value("high") !== "",
    fault: value("fault"),
    differ: field("differ")?.checked ?? false, sort: value("sort"),
  };
}

const faultsOf = (cell) => (cell.faults ?? []).reduce((sum, count) => sum + count, 0);

// Whether a run's diagnosis of a sample is of the kind that is asked for.
function ails(cell, wanted) {
  if (!wanted) return true;
  if (wanted === "unknown") return cell.faults === null;
  if (wanted === "contrary") return cell.contrary > 0;
  if (wanted === "none") return cell.faults !== null && faultsOf(cell) === 0;
  return wanted === "some" ? faultsOf(cell) > 0 : (cell.faults?.[Number(wanted)] ?? 0) > 0;
}

const differs = (cells) => new Set(cells.filter(Boolean).map((cell) => `${cell.outcome} ${cell.loose} ${cell.strict}`)).size > 1;

function gap(sample) {
  const scores = sample.cells.filter(Boolean).map((cell) => cell.loose ?? 0);
  return scores.length < 2 ? -1 : Math.max(...scores) - Math.min(...scores);
}

function keeps(sample, want) {
  const cells = (want.run === null ? sample.cells : [sample.cells[want.run]]).filter(Boolean);
  const fits = (cell) => ails(cell, want.fault) && (!want.outcome || cell.outcome === want.outcome)
    && (!want.bounded || ((cell.loose ?? 0) >= want.low && (cell.loose ?? 0) <= want.high));
  return (!want.type || sample.types.includes(want.type)) && cells.some(fits) && (!want.differ || differs(sample.cells));
}

function ordered(samples, want) {
  const cells = (sample) => (want.run === null ? sample.cells : [sample.cells[want.run]]).filter(Boolean);
  const mean = (sample, name) => cells(sample).reduce((sum, cell) => sum + (cell[name] ?? 0), 0) / cells(sample).length;
  const ways = {
    name: (one, other) => (one.id < other.id ? -1 : 1),
    worst: (one, other) => mean(one, "loose") - mean(other, "loose"),
    best: (one, other) => mean(other, "loose") - mean(one, "loose"),
    gap: (one, other) => gap(other) - gap(one),
    tokens: (one, other) => mean(other, "tokens") - mean(one, "tokens"),
    money: (one, other) => mean(other, "money") - mean(one, "money"),
    time: (one, other) => mean(other, "seconds") - mean(one, "seconds"),
    faults: (one, other) => Math.max(...cells(other).map(faultsOf)) - Math.max(...cells(one).map(faultsOf)),
  };
  return ways[want.sort] ? samples.toSorted(ways[want.sort]) : samples;
}

async function refresh() {
  const mine = ++turn;
  const want = criteria();
  let found = SAMPLES.filter((sample) => keeps(sample, want));
  if (want.terms.length) {
    const all = await searchTexts();
    if (mine !== turn) return;
    found = found.filter((sample) => want.terms.every((term) => all[sample.at].includes(term)));
  }
  chosen = ordered(found, want);
  made = 0;
  LIST.replaceChildren();
  extend();
  const all = SAMPLES.length;
  document.getElementById("count").textContent = found.length === all ? `${all} samples` : `${found.length} of ${all} samples`;
}

function extend() {
  LIST.append(...chosen.slice(made, made + STEP).map(rowOf));
  made = Math.min(made + STEP, chosen.length);
  MORE.hidden = made >= chosen.length;
  near.unobserve(MORE); // observed anew, so that it is told of again if it is still near
  near.observe(MORE);
}

function rowOf(sample) {
  const pictures = picturesOf(sample);
  const poster = pictures[Math.floor(pictures.length / 2)];
  const types = sample.types.map(plain).join(", ");
  return h("li", null, h("a", { class: ILLUSTRATED ? "row" : "row bare", href: addressOf(sample) },
    !ILLUSTRATED ? null : poster ? h("img", { class: "poster", src: poster.source, alt: "", decoding: "async" }) : h("span", { class: "poster" }),
    h("span", { class: "what" }, h("strong", { dir: "auto" }, sample.title || sample.id), h("span", null, sample.title ? `${sample.id} · ${types}` : types)),
    h("span", { class: "cells" }, sample.cells.map(cellOf))));
}

function cellOf(cell, place) {
  if (!cell) return h("span", { class: "cell" }, badge(place), h("b", null, "–"), h("small", null, "not in this run"));
  const failed = cell.outcome !== "ok";
  const under = failed ? plain(cell.outcome) : cell.strict >= 50 ? "also strict" : "loose";
  return h("span", { class: failed ? "cell failed" : "cell" }, badge(place), h("b", null, shown(cell.loose)), meter(cell.loose, place), h("small", null, under), pips(cell));
}

const addressOf = (sample) => `#sample=${sample.at}-${encodeURIComponent(sample.id)}`;

function startList() {
  const outcomes = new Set(SAMPLES.flatMap((sample) => sample.cells.filter(Boolean).map((cell) => cell.outcome)));
  for (const outcome of [...outcomes].sort()) field("outcome").append(Object.assign(h("option", null, outcome === "ok" ? "scored" : plain(outcome)), { value: outcome }));
  MORE.addEventListener("click", extend);
  LIST.after(MORE);
  const form = document.getElementById("filters");
  let waiting = 0;
  form.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(refresh, 120); });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(refresh));
  refresh();
}
