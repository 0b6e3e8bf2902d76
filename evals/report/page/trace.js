// A sample's calls on one axis of time: a bar a call, its waiting paler, what was looked up as diamonds at its end.

const CALL = 21;

function traceOf(record, place, width) {
  const calls = record.calls;
  if (!calls.length) return null;
  const end = Math.max(record.timings.total ?? 0, ...calls.map((call) => call.start + call.seconds), 0.001);
  const label = Math.min(104, width * 0.3);
  const value = 58;
  const top = 24;
  const height = top + calls.length * CALL + 24;
  const x = (at) => label + ((width - label - value) * Math.min(at, end)) / end;
  const judging = record.timings.judge ? record.timings.interpret ?? 0 : null;
  const bars = calls.map((call, number) => barOf(call, top + number * CALL, x, width, label, seriesOf(place)));
  const bottom = height - 22;
  const grid = [0, 0.25, 0.5, 0.75, 1].map((share) => g("path", { class: "grid", d: `M${x(end * share).toFixed(1)} ${top - 4}V${bottom}` }));
  const phases = judging === null ? [] : [
    g("rect", { class: "phase", x: x(judging), y: top - 4, width: Math.max(x(end) - x(judging), 0), height: bottom - top + 4 }),
    x(end) - x(judging) > 50 ? g("text", { class: "phase-name", x: x(end), y: top - 10, "text-anchor": "end" }, "judging") : null,
    x(judging) - x(0) > 74 ? g("text", { class: "phase-name", x: x(0), y: top - 10 }, "interpreting") : null];
  const ticks = [[0, "start"], [end / 2, "middle"], [end, "end"]].map(([at, anchor]) => g("text", { x: x(at), y: height - 6, "text-anchor": anchor }, seconds(at)));
  const told = `${calls.length} calls over ${seconds(end)}; they are listed below.`;
  return g("svg", { class: "trace-svg", width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Calls in time: ${told}` },
    phases, grid, bars, diamonds(record, x, top), ticks);
}

function barOf(call, y, x, width, label, style) {
  const [from, to] = [x(call.start), x(call.start + call.seconds)];
  const waited = Math.min(call.waited, call.seconds);
  const began = x(call.start + waited);
  const letters = Math.max(4, Math.floor(label / 6.6) - 1);
  const name = call.step.length > letters ? `${call.step.slice(0, letters - 1)}…` : call.step;
  const kind = call.kept ? "call kept" : `call ${call.step.startsWith("judge") ? "judges" : style}`;
  const tip = [`${call.step}, ${call.model}`, `${seconds(call.seconds)} from ${seconds(call.start)} on`, call.kept ? "the answer was kept from before" : `${(call.input + call.output).toLocaleString("en")} tokens`,
    call.cost, call.waited ? `waited ${seconds(call.waited)}` : "", call.faults.map(plain).join(", ")].filter(Boolean).join("\n");
  return g("g", null, g("title", null, tip),
    g("text", { x: 0, y: y + 13 }, name),
    waited > 0 ? g("rect", { class: "call waits", x: from, y: y + 7, width: Math.max(began - from, 1), height: 4 }) : null,
    g("rect", { class: kind, x: began, y: y + 3, width: Math.max(to - began, 2), height: 12, rx: 2 }),
    call.faults.length ? g("path", { class: "fault", d: `M${(began - 3).toFixed(1)} ${y + 5}l6 8m0 -8l-6 8` }) : null,
    g("text", { class: "num", x: width, y: y + 13, "text-anchor": "end" }, call.kept ? "kept" : seconds(call.seconds)));
}

// Each round's look-ups follow the answer that asked for them.
function diamonds(record, x, top) {
  const rounds = record.calls.map((call, number) => ({ call, number })).filter(({ call }) => call.step.startsWith("explore"));
  return rounds.flatMap(({ call, number }, round) => {
    const hops = record.hops.filter((hop) => hop.round === round + 1);
    const [at, y] = [x(call.start + call.seconds) + 6, top + number * CALL + 9];
    return hops.length ? [g("g", null, g("title", null, hops.map((hop) => `${hop.tool} ${hop.arguments}${hop.failed ? " failed" : ` → ${hop.mappings.length} found`}`).join("\n")),
      g("path", { class: "hop", d: `M${at.toFixed(1)} ${y - 5}l5 5l-5 5l-5 -5z` }))] : [];
  });
}

function drawTraces(records) {
  [...VIEW.querySelectorAll(".trace")].forEach((box) => {
    const place = [...box.closest(".side").children].indexOf(box.parentElement);
    box.append(traceOf(records[place], place, Math.max(box.clientWidth, 280)));
  });
}

// What a sample took, in one line; its calls as a picture and as a table.
function took(record) {
  const calls = record.calls;
  const failed = calls.flatMap((call) => call.faults);
  const waited = calls.reduce((sum, call) => sum + call.waited, 0);
  const kept = calls.filter((call) => call.kept).length;
  const facts = [
    ["tokens", `${record.tokens.estimated ? "≈ " : ""}${(record.tokens.input_tokens + record.tokens.output_tokens).toLocaleString("en")}`],
    ["money", record.cost],
    ["time", record.timings.total ? seconds(record.timings.total) : ""],
    ["of it judging", record.timings.judge ? seconds(record.timings.judge) : ""],
    ["waited", waited >= 0.05 ? seconds(waited) : ""],
    ["failed tries", failed.length ? `${failed.length} (${[...new Set(failed)].map(plain).join(", ")})` : ""],
    ["kept answers", kept ? `${kept} of ${calls.length}` : ""],
  ].filter(([, value]) => value);
  const notes = record.notes.map((note) => h("li", { dir: "auto" }, note));
  return [h("dl", { class: "facts" }, facts.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value)))),
    notes.length ? h("ul", { class: "plainlist" }, notes) : null,
    calls.length ? h("div", { class: "trace", tabindex: "0", role: "region", "aria-label": "Calls in time" }) : null,
    calls.length ? quiet(keyOf(record, waited, failed)) : null,
    calls.length ? callTable(calls) : null];
}

// What the picture's signs mean, as far as it has them.
function keyOf(record, waited, failed) {
  const parts = [waited ? "thin: waiting in line and between tries" : "", failed.length ? "×: tries before had failed" : "",
    record.hops.length ? "◇: what the answer asked for was looked up" : "",
    record.told ? "" : "the record does not tell when each call began: they are laid end to end, or together where there was no time for that"].filter(Boolean).join("; ");
  return parts && `${parts[0].toUpperCase()}${parts.slice(1)}.`;
}

function callTable(calls) {
  const heads = ["step", "how", "tries", "waited", "tokens", "money", "s"];
  const rows = calls.map((call) => h("tr", null, h("th", { scope: "row", dir: "auto" }, call.step), h("td", { dir: "auto" }, call.kept ? "kept" : call.method),
    h("td", { class: "num tries" }, call.faults.length ? `${call.tries} (${[...new Set(call.faults)].map(plain).join(", ")})` : call.tries || ""),
    h("td", { class: "num" }, call.waited >= 0.05 ? call.waited.toFixed(1) : ""),
    h("td", { class: "num" }, `${call.estimated ? "≈ " : ""}${(call.input + call.output).toLocaleString("en")}`),
    h("td", { class: "num" }, call.cost), h("td", { class: "num" }, call.seconds.toFixed(1))));
  return h("details", null, h("summary", null, `${calls.length} call${calls.length === 1 ? "" : "s"} as a table`), h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Calls" }, h("table", { class: "calls" },
    h("thead", null, h("tr", null, heads.map((name, number) => h("th", { scope: "col", class: number > 1 ? "num" : null }, name)))), h("tbody", null, rows))));
}
