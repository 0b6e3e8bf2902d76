// Mouse, pen and fingers.

const fingers = new Map();
let grip = null;
const numberOf = (target, kind) => {
  const one = target.closest(kind);
  return one ? Number(one.dataset.at) : null;
};

svg.addEventListener("pointerdown", (event) => {
  if (event.button) return;
  fingers.set(event.pointerId, event);
  const at = numberOf(event.target, ".node");
  grip = { node: at, edge: numberOf(event.target, ".edge"), x: event.clientX, y: event.clientY, far: false };
});

window.addEventListener("pointermove", (event) => {
  const before = fingers.get(event.pointerId);
  if (!before || !grip) return;
  const from = place(before.clientX, before.clientY), to = place(event.clientX, event.clientY);
  if (fingers.size === 2) {
    const [other] = [...fingers.values()].filter((one) => one.pointerId !== event.pointerId);
    const length = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) || 1;
    zoom(length(before) / length(event), place(other.clientX, other.clientY));
    grip.far = true;
  } else if (grip.far || Math.hypot(event.clientX - grip.x, event.clientY - grip.y) > 5) {
    grip.far = true;
    svg.classList.add("moving");
    if (grip.node !== null) {
      centers[grip.node] = [centers[grip.node][0] + to[0] - from[0], centers[grip.node][1] + to[1] - from[1]];
      put(grip.node);
      touching[grip.node].forEach(route);
    } else {
      moved = true;
      view.x -= to[0] - from[0];
      view.y -= to[1] - from[1];
      show();
    }
  } else {
    return;
  }
  fingers.set(event.pointerId, event);
});

const release = (event) => {
  fingers.delete(event.pointerId);
  svg.classList.remove("moving");
  if (fingers.size || !grip) return;
  const { node, edge, far } = grip;
  grip = null;
  if (far || event.type === "pointercancel") return;
  if (node !== null) choose({ node }, true);
  else choose(edge === null ? null : { edge });
};
window.addEventListener("pointerup", release);
window.addEventListener("pointercancel", release);
svg.addEventListener("wheel", (event) => {
  event.preventDefault();
  zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) / 250), place(event.clientX, event.clientY));
}, { passive: false });

// Keys.

const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const next = ([dx, dy]) => {
  let best = null, least = Infinity;
  centers.forEach(([x, y], at) => {
    const ahead = (x - centers[current][0]) * dx + (y - centers[current][1]) * dy;
    const aside = Math.abs((x - centers[current][0]) * dy) + Math.abs((y - centers[current][1]) * dx);
    if (at !== current && ahead > 0 && ahead + 2.2 * aside < least) [best, least] = [at, ahead + 2.2 * aside];
  });
  if (best === null) return;
  current = best;
  reveal(best);
  refresh();
  nodes[best].focus({ preventScroll: true });
};

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input[type=search], select");
  if (event.key === "Escape") choose(null);
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const acts = { "+": () => zoom(0.8), "=": () => zoom(0.8), "-": () => zoom(1.25), 0: fit,
    "/": () => byId("find").focus() };
  if (event.target.closest(".node")) {
    acts.Enter = acts[" "] = () => choose({ node: current }, true);
    for (const [key, way] of Object.entries(ways)) acts[key] = () => next(way);
  }
  if (!Object.hasOwn(acts, event.key)) return;
  event.preventDefault();
  acts[event.key]();
});

byId("find").addEventListener("input", () => choose(null));
byId("find").addEventListener("keydown", (event) => {
  const sought = event.target.value.trim().toLowerCase();
  if (event.key !== "Enter" || !sought) return;
  const names = elements.map((element) => element.name.toLowerCase());
  const at = names.includes(sought) ? names.indexOf(sought) : names.findIndex((name) => name.includes(sought));
  if (at >= 0) choose({ node: at }, false);
});
byId("culture").addEventListener("change", refresh);
byId("kinds").addEventListener("change", refresh);
byId("in").addEventListener("click", () => zoom(0.8));
byId("out").addEventListener("click", () => zoom(1.25));
byId("fit").addEventListener("click", fit);

// Lines are thin: a wider one that can't be seen takes the clicks.
edges.forEach((edge) => {
  const hit = edge.querySelector(".line").cloneNode();
  hit.removeAttribute("marker-end");
  hit.removeAttribute("stroke-width");
  hit.setAttribute("class", "hit");
  edge.prepend(hit);
});
nodes.forEach((node, at) => {
  node.setAttribute("role", "button");
  const count = touching[at].length;
  node.setAttribute("aria-label", `${elements[at].name}, ${count} ${count === 1 ? "association" : "associations"}`);
  node.addEventListener("focus", () => { current = at; });
});
for (const id of ["controls", "zoom", "keys"]) byId(id).hidden = false;
let before = { shape: "", width: 1 };
new ResizeObserver(() => {
  const room = svg.getBoundingClientRect(), now = room.width < room.height ? "tall" : "wide";
  // A panel that opens takes room, but no place moves and nothing changes its size.
  const panelOnly = chosen && before.shape;
  if (now !== before.shape && !panelOnly) arrange();
  else if (!moved && !chosen) home();
  else if (room.width) {
    look([view.x + view.width / 2, view.y + view.height / 2], (view.width * room.width) / before.width);
    if (chosen && "node" in chosen) reveal(chosen.node);
  }
  before = { shape: panelOnly ? before.shape : now, width: room.width || 1 };
}).observe(svg);
refresh();
