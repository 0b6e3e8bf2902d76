// Thumbnails in a strip, and below it the video's time with every moment that a run was shown.

function timeline(sample, records) {
  const pictures = picturesOf(sample);
  const duration = Array.isArray(sample.strip) ? sample.strip[1] : 0;
  if (!pictures.length) return h("p", { class: "note" }, sample.strip);
  const images = pictures.map(({ seconds: at, source }) => h("li", { class: "thumb" }, h("img", { src: source, alt: `Frame at ${seconds(at)}`, decoding: "async" })));
  const axis = h("div", null);
  const inner = h("div", null, h("ol", { class: "frames" }, images), axis);
  const reel = h("div", { class: "reel", tabindex: "0", role: "region", "aria-label": "Frames" }, inner);
  inner.style.minWidth = `${pictures.length * 110}px`;
  const redraw = () => axis.replaceChildren(axisOf(pictures.map((picture) => picture.seconds), duration, records, Math.max(inner.clientWidth, 300)));
  new ResizeObserver(redraw).observe(inner);
  return reel;
}

function axisOf(moments, duration, records, width) {
  const seen = records.map((record, place) => ({ place, at: record?.timestamps ?? [], whole: record?.video })).filter(({ at, whole }) => at.length || whole);
  const end = Math.max(duration, ...moments, ...seen.flatMap(({ at }) => at), 0.001);
  const left = 22;
  const x = (at) => left + ((width - left - 2) * at) / end;
  const rail = 30;
  const rows = seen.map(({ place, at, whole }, number) => {
    const y = rail + 10 + number * 18;
    const marks = whole ? `M${x(0)} ${y}H${x(end)}` : at.map((moment) => `M${x(moment).toFixed(1)} ${y - 5}v10`).join("");
    return [g("text", { class: "letter", x: 0, y: y + 4 }, RUNS[place].letter), g("path", { class: `seen ${seriesOf(place)}`, d: marks })];
  });
  const leads = moments.map((moment, number) => {
    const from = ((number + 0.5) * width) / moments.length;
    return g("path", { class: "lead", d: `M${from.toFixed(1)} 2C${from.toFixed(1)} ${rail - 8} ${x(moment).toFixed(1)} ${rail - 22} ${x(moment).toFixed(1)} ${rail}` });
  });
  const height = rail + 10 + seen.length * 18 + 16;
  const count = seen.map(({ place, at, whole }) => `${RUNS[place].letter} was shown ${whole ? "the video itself" : `${at.length} frames`}`).join(", ");
  return g("svg", { class: "axis-svg", width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Time in the video. ${count}` },
    leads, rows, g("text", { x: left, y: height - 2 }, "0 s"), g("text", { x: width / 2, y: height - 2, "text-anchor": "middle" }, count), g("text", { x: width - 2, y: height - 2, "text-anchor": "end" }, seconds(end)));
}
