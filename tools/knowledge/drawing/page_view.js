// The picture: places, lines, what part of it is seen, and what stands out. The three parts are one module.

const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);
const svg = byId("drawing"), panel = byId("panel");
const drawn = (kind) => {
  const found = [];
  for (const one of svg.querySelectorAll(kind)) found[Number(one.dataset.at)] = one;
  return found;
};
const nodes = drawn(".node"), edges = drawn(".edge"), notes = drawn(".note");
const { elements, associations } = data;
const touching = elements.map((_, at) =>
  associations.flatMap((edge, number) => (edge.source === at || edge.target === at ? [number] : [])));
let shape = "wide", centers = [], view = { x: 0, y: 0, width: 1, height: 1 };
let chosen = null; // {node: number} or {edge: number}
let current = 0; // the one element that Tab reaches
let moved = false; // whether the reader has chosen a part of the picture

// Places and lines: the same curves as the drawing has without this script.

const border = ([x, y], [width, height], [toX, toY], gap) => {
  const dx = toX - x, dy = toY - y;
  const share = Math.min((width / 2 + gap) / Math.max(Math.abs(dx), 1e-6),
    (height / 2 + gap) / Math.max(Math.abs(dy), 1e-6), 1);
  return [x + dx * share, y + dy * share];
};

const route = (number) => {
  const edge = associations[number], from = centers[edge.source], to = centers[edge.target];
  const bend = edge[shape], dx = to[0] - from[0], dy = to[1] - from[1];
  const control = [(from[0] + to[0]) / 2 + bend * dy, (from[1] + to[1]) / 2 - bend * dx];
  const start = border(from, elements[edge.source].size, control, 0);
  const end = border(to, elements[edge.target].size, control, 3);
  const path = `M${start.join(" ")}Q${control.join(" ")} ${end.join(" ")}`;
  for (const line of edges[number].querySelectorAll("path")) line.setAttribute("d", path);
  const note = notes[number];
  if (!note) return;
  const share = edge[`${shape}Note`], at = share ?? 0.5;
  const [x, y] = [0, 1].map((axis) =>
    (1 - at) ** 2 * start[axis] + 2 * at * (1 - at) * control[axis] + at ** 2 * end[axis]);
  note.setAttribute("x", x);
  note.setAttribute("y", y + 4.2);
  note.setAttribute("visibility", share === null ? "hidden" : "visible");
};

const put = (at) => nodes[at].setAttribute("transform", `translate(${centers[at].join(" ")})`);

const arrange = () => {
  const room = svg.getBoundingClientRect();
  shape = room.width < room.height ? "tall" : "wide";
  centers = elements.map((element) => [...element[shape]]);
  elements.forEach((_, at) => put(at));
  associations.forEach((_, number) => route(number));
  home();
};

// The view.

const show = () => svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);

const home = () => {
  fit();
  const room = svg.getBoundingClientRect();
  const scale = room.width / view.width;
  // Where not all of it could be read at once, begin with the middle.
  if (scale < 0.62) look(centers[0], room.width / 0.72);
};

const fit = () => {
  moved = false;
  const room = svg.getBoundingClientRect(), [width, height] = data.canvas[shape];
  const scale = Math.min(room.width / width, room.height / height, 1.5) || 1;
  view.width = room.width / scale;
  view.height = room.height / scale;
  view.x = (width - view.width) / 2;
  view.y = (height - view.height) / 2;
  show();
};

const look = ([x, y], width) => {
  const room = svg.getBoundingClientRect();
  view.width = width;
  view.height = (width * room.height) / room.width;
  view.x = x - view.width / 2;
  view.y = y - view.height / 2;
  show();
};

const place = (clientX, clientY) => {
  const room = svg.getBoundingClientRect();
  return [view.x + ((clientX - room.left) / room.width) * view.width,
    view.y + ((clientY - room.top) / room.height) * view.height];
};

const zoom = (factor, at) => {
  moved = true;
  const [x, y] = at || [view.x + view.width / 2, view.y + view.height / 2];
  const width = Math.min(Math.max(view.width * factor, 120), 3 * Math.max(...data.canvas[shape]));
  const real = width / view.width;
  view = { x: x - (x - view.x) * real, y: y - (y - view.y) * real, width, height: view.height * real };
  show();
};

const reveal = (at) => {
  const [x, y] = centers[at], room = 90;
  if (x < view.x + room || x > view.x + view.width - room) view.x = x - view.width / 2;
  if (y < view.y + room || y > view.y + view.height - room) view.y = y - view.height / 2;
  show();
};

// What is shown, and what stands out.

const hidden = () => {
  const kinds = new Set([...document.querySelectorAll("#kinds input:checked")].map((box) => box.value));
  const culture = byId("culture").value;
  return associations.map((edge) => !kinds.has(edge.kind) ||
    (culture !== "" && (edge.culture || "-") !== culture));
};

const refresh = () => {
  const gone = hidden(), sought = byId("find").value.trim().toLowerCase();
  const lit = new Set();
  if (chosen && "node" in chosen) touching[chosen.node].forEach((number) => lit.add(number));
  if (chosen && "edge" in chosen) lit.add(chosen.edge);
  edges.forEach((edge, number) => {
    edge.classList.toggle("gone", gone[number]);
    edge.classList.toggle("dim", Boolean(chosen ? !lit.has(number) : sought));
    edge.classList.toggle("chosen", Boolean(chosen && chosen.edge === number));
    for (const name of ["gone", "dim"]) notes[number]?.classList.toggle(name, edge.classList.contains(name));
  });
  const near = new Set(chosen && "node" in chosen ? [chosen.node] : []);
  lit.forEach((number) => {
    if (!gone[number]) near.add(associations[number].source).add(associations[number].target);
  });
  nodes.forEach((node, at) => {
    const lone = touching[at].length > 0 && touching[at].every((number) => gone[number]);
    const found = !sought || elements[at].name.toLowerCase().includes(sought);
    node.classList.toggle("dim", chosen ? !near.has(at) : lone || !found);
    node.classList.toggle("chosen", Boolean(chosen && chosen.node === at));
    node.setAttribute("aria-pressed", String(Boolean(chosen && chosen.node === at)));
    node.setAttribute("tabindex", at === current ? "0" : "-1");
  });
};

const choose = (what, focus) => {
  chosen = what;
  if (what && "node" in what) {
    current = what.node;
    reveal(current);
    if (focus) nodes[current].focus({ preventScroll: true });
  }
  tell();
  refresh();
};
