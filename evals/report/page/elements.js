// Elements of the page. Text goes in as text nodes and nothing else: what a model wrote can't become markup.

const NAMES = /^(?:class|id|href|src|alt|title|type|role|scope|tabindex|hidden|dir|loading|width|height|decoding|aria-[a-z]+)$/;

function h(name, attributes, ...children) {
  return filled(document.createElement(name), attributes, children, NAMES);
}

const SHAPES = /^(?:class|viewBox|width|height|x|y|x1|y1|x2|y2|rx|r|cx|cy|d|role|text-anchor|preserveAspectRatio|transform|aria-label)$/;

function g(name, attributes, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children, SHAPES);
}

function filled(element, attributes, children, allowed) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (!allowed.test(name)) throw new Error(`${name} is no attribute of this page`);
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(3)) {
    if (child !== null && child !== undefined && child !== false) element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

const seriesOf = (place) => `s${Math.min(place, 4)}`;
const badge = (place) => h("span", { class: `badge ${seriesOf(place)}` }, RUNS[place].letter);
const plain = (key) => key.replaceAll("_", " ");
const seconds = (value) => (value >= 60 ? `${Math.floor(value / 60)}:${String(Math.round(value % 60)).padStart(2, "0")}` : `${Number(value.toFixed(1))} s`);
const shown = (score) => (score === null ? "–" : String(Math.round(score)));

function meter(score, place) {
  return g("svg", { class: "bar", viewBox: "0 0 100 4", preserveAspectRatio: "none" },
    g("rect", { class: "track", width: 100, height: 4 }),
    g("rect", { class: `fill ${seriesOf(place)}`, width: Math.max(score ?? 0, 0), height: 4 }));
}
