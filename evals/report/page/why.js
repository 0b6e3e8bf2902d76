// Why a sample fails: its deficiencies with their evidence, what was named, reached and used, and contradictions.

const WHERE = { thinking: "in the thinking", answer: "in an answer", keywords: "among the keywords", hop: "in a look-up", associations: "in what was given", entries: "in the entries", nowhere: "named nowhere" };
const STATES = {
  missing: "This interpretation has not been diagnosed yet.",
  changed: "The record or its gold has changed since it was diagnosed: diagnose the run again.",
  failed: "Diagnosing it failed.",
  nothing: "There is no interpretation to diagnose.",
};
const swatch = (kind) => g("svg", { class: "swatch", viewBox: "0 0 10 10", width: 10, height: 10 }, g("rect", { class: `fill ${HEAD.styles[kind]}`, width: 10, height: 10, rx: 2 }));

function whyPart(record, place) {
  const found = record.diagnosis;
  if (found.state !== "ok") return [quiet(STATES[found.state]), ...found.why.map((text) => h("p", { class: "failure", dir: "auto" }, text)), ...ratesOf(found.score), ...contraryOf(found.contrary)];
  const count = found.faults.length;
  const by = [`${count || "no"} deficienc${count === 1 ? "y" : "ies"}, by ${found.judge}`, found.proxy && "offline proxy", !found.thinking && "no thinking was given, steps and entries were read",
    found.leftOut && `${found.leftOut.toLocaleString("en")} tokens of the thinking were left out`].filter(Boolean).join("; ");
  const dropped = found.dropped.map(([kind, element, evidence, reason]) => h("li", { dir: "auto" }, `${plain(kind)}: ${element}`, evidence ? [" ", h("q", null, evidence)] : null, ` (${reason})`));
  return [h("p", { class: "note" }, by), h("ol", { class: "faults" }, found.faults.map((fault, number) => faultOf(fault, place, number))),
    dropped.length ? h("details", null, h("summary", null, `${dropped.length} dropped, since the evidence does not hold`), h("ul", { class: "plainlist" }, dropped)) : null,
    ...ratesOf(found.score), ...contraryOf(found.contrary)];
}

function faultOf([kind, element, expected, where, step, context], place, number) {
  const stands = where in WHERE ? WHERE[where] : plain(where);
  const button = context && ["thinking", "answer", "hop"].includes(where) ? h("button", { type: "button", class: "plain to-mark", id: `fault-${place}-${number}` }, "Show where") : null;
  return h("li", null, h("p", { class: "fault-kind" }, swatch(kind), " ", HEAD.kinds[kind]),
    h("p", { class: "fault-what" }, h("bdi", null, element), expected ? [h("span", { class: "arrow", "aria-label": "should lead to" }, " → "), h("bdi", null, expected)] : null),
    context ? h("blockquote", { dir: "auto" }, context[0], h("mark", null, context[1]), context[2]) : null,
    h("p", { class: "note" }, step ? `${stands}, ${step}` : stands, button ? [" ", button] : null));
}

// Each phrase of the gold, and whether it was named, reached, used.
function ratesOf(score) {
  if (!score) return [];
  const heads = { recognition: "Named of what is seen", reach: "Reached of what is meant", use: "Used of what is meant" };
  const rows = score.map(([name, rate, phrases]) => h("div", null,
    h("dt", null, heads[name], h("span", { class: "quiet" }, rate === null ? (name === "reach" ? " nothing was looked up" : " nothing to count") : ` ${rate} %`)),
    h("dd", null, rate === null ? null : h("ul", { class: "tags" }, phrases.map(([phrase, how]) => h("li", { class: how ? "met" : "unmet", title: how, dir: "auto" },
      h("span", { role: "img", "aria-label": how ? "yes" : "no" }, how ? "✓ " : "× "), phrase))))));
  return [h("h4", null, "Without a judge"), h("dl", { class: "rates-of" }, rows)];
}

function contraryOf(contrary) {
  if (!contrary.length) return [];
  const lines = contrary.map(([told, element, concept, entry, evidence]) => h("li", { dir: "auto", title: entry }, h("b", null, element ? `${element} → ${concept}` : concept), `: ${told}`, evidence ? h("span", { class: "quiet" }, ` (${evidence})`) : null));
  return [h("h4", null, "Where score and diagnosis disagree"), h("ul", { class: "plainlist" }, lines)];
}

// Marks of quotations: each has its deficiency's number; two that overlap share letters, and each keeps a mark.
function marked(text, marks, place) {
  const parts = [];
  let at = 0;
  for (const [start, end, number] of marks) {
    parts.push(text.slice(at, Math.max(start, at)));
    parts.push(h("mark", { id: `mark-${place}-${number}`, tabindex: "-1" }, text.slice(Math.max(start, at), Math.max(end, at))));
    at = Math.max(end, at);
  }
  return [...parts, text.slice(at)];
}

function wireFaults(sample, records, runs) {
  for (const button of VIEW.querySelectorAll(".to-mark")) {
    const [, place, number] = button.id.split("-").map(Number);
    button.addEventListener("click", async () => {
      const fold = [...VIEW.querySelectorAll(".raw")].find((each) => [...each.closest(".side").children].indexOf(each.parentElement) === place);
      fold.open = true;
      await fillRaw(fold, sample, place, runs[place].indexOf(records[place]));
      const mark = document.getElementById(`mark-${place}-${number}`) ?? fold;
      mark.scrollIntoView({ block: "center" });
      mark.focus({ preventScroll: true });
    });
  }
}

// In the list: a square for each deficiency, in the colour of its kind.
function pips(cell) {
  if (!cell.faults) return null;
  const each = cell.faults.flatMap((count, kind) => Array.from({ length: count }, () => kind));
  if (!each.length) return null;
  const told = cell.faults.map((count, kind) => count && `${count} ${HEAD.kinds[kind]}`).filter(Boolean).join(", ");
  const shown = each.slice(0, 10);
  return g("svg", { class: "pips", viewBox: `0 0 ${shown.length * 9} 7`, width: shown.length * 9, height: 7, role: "img", "aria-label": told }, g("title", null, told),
    shown.map((kind, at) => g("rect", { class: `fill ${HEAD.styles[kind]}`, x: at * 9, width: 7, height: 7, rx: 1.5 })));
}
