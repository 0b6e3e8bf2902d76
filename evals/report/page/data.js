"use strict";
// What the page holds. Small things are JSON; the rest is deflated JSON in base64, unpacked when it is looked at.

const HEAD = JSON.parse(document.getElementById("head").textContent);
const RUNS = HEAD.runs;

const SAMPLES = HEAD.rows.map(([id, title, types, cells], at) => ({
  at, id, title, types, strip: HEAD.strips[at],
  cells: cells.map((cell) => cell && { outcome: cell[0], strict: cell[1], loose: cell[2], tokens: cell[3], seconds: cell[4], money: cell[5], faults: cell[6] ?? null, contrary: cell[7] ?? 0 }),
}));

const unpacked = new Map();

function unpack(name) {
  if (!unpacked.has(name)) unpacked.set(name, inflate(document.getElementById(name).textContent));
  return unpacked.get(name);
}

async function inflate(text) {
  if (typeof DecompressionStream === "undefined") throw new Error("This browser is too old to unpack the samples.");
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

async function partOf(sample, kind) {
  const chunk = Math.floor(sample.at / HEAD.chunk);
  return (await unpack(`${kind}-${chunk}`))[sample.at % HEAD.chunk];
}

// Thumbnails: seconds and the source of an image each.
function picturesOf(sample) {
  if (!Array.isArray(sample.strip)) return [];
  const block = document.getElementById(`strip-${sample.strip[0]}`);
  return block.textContent.split(",").map((entry) => {
    const cut = entry.indexOf(":");
    const data = entry.slice(cut + 1);
    const kind = data.startsWith("UklG") ? "webp" : "jpeg";
    return { seconds: Number(entry.slice(0, cut)), source: `data:image/${kind};base64,${data}` };
  });
}

// Every text of every sample in lower case, for the search; made once, when it is first asked for.
let texts = null;

function searchTexts() {
  texts ??= Promise.all(SAMPLES.map(async (sample) => {
    const found = [sample.id, sample.title];
    collect(await partOf(sample, "read"), found);
    return found.join("\n").toLowerCase();
  }));
  return texts;
}

function collect(value, found) {
  if (typeof value === "string") found.push(value);
  else if (Array.isArray(value)) for (const each of value) collect(each, found);
  else if (value && typeof value === "object") for (const each of Object.values(value)) collect(each, found);
}
