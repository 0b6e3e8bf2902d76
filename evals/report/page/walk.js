// The walk through the graph: elements on the left, what they led to on the right, a column for each step.

const LINE = 30;
const MOST = 60; // paths that are drawn; all of them stand in the list below the picture

function walkOf(record, width) {
  const key = ([path]) => path.join("\n");
  const kept = new Map(record.mappings.map((mapping) => [key(mapping), mapping]));
  const all = new Map([...record.hops.flatMap((hop) => hop.mappings), ...record.mappings].map((mapping) => [key(mapping), mapping]));
  const drawn = [...all].sort(([one], [other]) => kept.has(other) - kept.has(one)).slice(0, MOST).map(([each]) => each);
  if (!drawn.length) return null;
  const nodes = new Map();
  const edges = new Map();
  for (const [each, [path, ground]] of all) if (drawn.includes(each)) trace(path, ground, !kept.has(each), nodes, edges);
  const said = record.entries.map((entry) => entry.join(" ")).join(" ").toLowerCase();
  const seen = new Set(record.keywords.map((word) => word.toLowerCase()));
  for (const node of nodes.values()) node.used = node.step > 0 && !node.idle && !seen.has(node.name.toLowerCase()) && mentioned(node.name, said);
  return { picture: draw(placed(nodes, edges), edges, width), told: toldOf(nodes, all.size - drawn.length) };
}

function toldOf(nodes, left) {
  const every = [...nodes.values()];
  return [every.some((node) => node.used) && "Filled: taken up in the interpretation.", every.some((node) => node.idle) && "Dashed: found, but not handed on.",
    left && `${left} more are not drawn.`].filter(Boolean).join(" ");
}

// A path that begins where an earlier one led goes on from there.
function trace(path, ground, isIdle, nodes, edges) {
  const start = nodes.get(path[0])?.step ?? 0;
  path.forEach((name, at) => {
    const node = nodes.get(name);
    if (!node) nodes.set(name, { name, step: start + at, idle: isIdle });
    else node.idle &&= isIdle;
    if (!at) return;
    const ends = `${path[at - 1]}\n${name}`;
    const edge = edges.get(ends);
    if (edge) edge.idle &&= isIdle;
    else edges.set(ends, { from: path[at - 1], to: name, idle: isIdle, ground: at === path.length - 1 ? ground : "" });
  });
}

// Columns by step; in a column, each node stands near the middle of those that lead to it.
function placed(nodes, edges) {
  const columns = [];
  for (const node of nodes.values()) (columns[node.step] ??= []).push(node);
  const filledColumns = columns.filter(Boolean);
  filledColumns.forEach((column, number) => {
    if (number) {
      const rank = (node) => {
        const parents = [...edges.values()].filter((edge) => edge.to === node.name && nodes.get(edge.from).row !== undefined);
        return parents.length ? parents.reduce((sum, edge) => sum + nodes.get(edge.from).row, 0) / parents.length : 1e6;
      };
      const ranks = new Map(column.map((node) => [node, rank(node)]));
      column.sort((one, another) => ranks.get(one) - ranks.get(another));
    }
    column.forEach((node, row) => { node.column = number; node.row = row; });
  });
  return { nodes, columns: filledColumns };
}

function draw({ nodes, columns }, edges, width) {
  const tall = Math.max(...columns.map((column) => column.length));
  const gapWide = 46;
  const box = Math.max(108, Math.min(190, (width - gapWide * (columns.length - 1)) / columns.length));
  const whole = box * columns.length + gapWide * (columns.length - 1);
  const top = 26;
  const height = top + tall * LINE + 4;
  const x = (node) => node.column * (box + gapWide);
  const y = (node) => top + (node.row + 0.5 + (tall - columns[node.column].length) / 2) * LINE;
  const letters = Math.floor((box - 16) / 6.7);
  const lines = [...edges.values()].map((edge) => {
    const from = nodes.get(edge.from), to = nodes.get(edge.to);
    const back = to.column <= from.column;
    const [ax, ay, bx, by] = [x(from) + box, y(from), back ? x(to) + box : x(to), y(to)];
    const bend = back ? 36 : (bx - ax) / 2;
    return g("path", { class: edge.idle ? "edge idle" : "edge", d: `M${ax} ${ay}C${ax + bend} ${ay} ${bx + (back ? 36 : -bend)} ${by} ${bx} ${by}` }, g("title", null, `${edge.from} → ${edge.to}${edge.ground ? `: ${edge.ground}` : ""}`));
  });
  const boxes = [...nodes.values()].map((node) => {
    const style = ["node", node.step === 0 && "start", node.idle && "idle", node.used && "used"].filter(Boolean).join(" ");
    const label = node.name.length > letters ? `${node.name.slice(0, letters - 1)}…` : node.name;
    return g("g", { class: style }, g("title", null, node.name),
      g("rect", { x: x(node), y: y(node) - 11.5, width: box, height: 23, rx: node.column ? 11.5 : 4 }),
      g("text", { x: x(node) + box / 2, y: y(node) + 4.5, "text-anchor": "middle" }, label));
  });
  const heads = columns.map((_, number) => g("text", { class: "head", x: number * (box + gapWide) + box / 2, y: 13, "text-anchor": "middle" }, number === 0 ? "seen" : number === 1 ? "one step" : `${number} steps`));
  const told = `${nodes.size} concepts and ${edges.size} associations; they are listed below.`;
  return g("svg", { width: whole, height, viewBox: `0 0 ${whole} ${height}`, role: "img", "aria-label": `The walk through the graph: ${told}` }, heads, lines, boxes);
}

// Whether the entries take a concept up, in its own words.
function mentioned(name, said) {
  const words = name.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 3);
  return words.length > 0 && words.every((word) => said.includes(word.slice(0, Math.max(4, word.length - 2))));
}
