// The panel. Text is only ever set as text.

const make = (tag, className, text) => {
  const one = document.createElement(tag);
  if (className) one.className = className;
  if (text !== undefined) one.textContent = text;
  return one;
};

const named = (at) => {
  const one = make("button", "name", elements[at].name);
  one.type = "button";
  one.addEventListener("click", () => choose({ node: at }, false));
  return one;
};

const facts = (edge) => {
  const said = [];
  // Graphs that are built from sentences have the first one as the ground.
  if (edge.ground && !edge.sentences.some((sentence) => sentence.text === edge.ground)) said.push(make("p", "", edge.ground));
  const line = make("p", "small");
  line.append(make("span", `kind ${edge.kind}`),
    [edge.kind, edge.culture, `weight ${edge.weight}`, edge.provenance].filter(Boolean).join(" · "));
  said.push(line);
  for (const sentence of edge.sentences) {
    const quote = make("blockquote", "", sentence.text);
    const where = [sentence.source, sentence.licence].filter(Boolean).join(", ");
    if (where) quote.append(make("p", "small", where));
    said.push(quote);
  }
  if (edge.more) said.push(make("p", "small", `and ${edge.more} more sentences`));
  return said;
};

const section = (title, numbers, at) => {
  if (!numbers.length) return;
  const list = make("ul");
  for (const number of numbers) {
    const item = make("li");
    const edge = associations[number];
    item.append(named(edge.source === at ? edge.target : edge.source), ...facts(edge));
    list.append(item);
  }
  panel.append(make("h3", "", title), list);
};

const tell = () => {
  panel.replaceChildren();
  panel.hidden = !chosen;
  if (!chosen) return;
  const close = make("button", "", "×");
  close.id = "close";
  close.type = "button";
  close.setAttribute("aria-label", "Close");
  close.addEventListener("click", () => choose(null));
  panel.append(close);
  if ("edge" in chosen) {
    const edge = associations[chosen.edge], title = make("h2");
    title.append(named(edge.source), data.directed ? " → " : " – ", named(edge.target));
    panel.append(title, ...facts(edge));
  } else {
    const at = chosen.node, own = touching[at];
    panel.append(make("h2", "", elements[at].name));
    if (data.directed) {
      section("stands for", own.filter((number) => associations[number].source === at), at);
      section("is shown by", own.filter((number) => associations[number].source !== at), at);
    } else {
      section("is joined to", own, at);
    }
    const { hidden: more } = elements[at];
    if (more) panel.append(make("p", "small", `${more} more neighbours are not in this picture.`));
  }
};
