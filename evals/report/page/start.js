// The address says what is looked at: #sample=12-name is a sample, anything else the overview.

const OVERVIEW = document.getElementById("overview");
const TITLE = document.title;
let scrolled = 0;

async function route() {
  const match = /^#sample=(\d+)-/.exec(location.hash);
  const sample = match && SAMPLES[Number(match[1])];
  if (!sample) {
    if (VIEW.hidden) return;
    VIEW.hidden = true;
    VIEW.replaceChildren();
    OVERVIEW.hidden = false;
    document.title = TITLE;
    scrollTo({ top: scrolled, behavior: "instant" });
    return;
  }
  if (!OVERVIEW.hidden) scrolled = scrollY;
  OVERVIEW.hidden = true;
  VIEW.hidden = false;
  epochs.clear();
  try {
    const heading = await showSample(sample);
    scrollTo({ top: 0, behavior: "instant" });
    heading.focus({ preventScroll: true });
  } catch (error) {
    VIEW.replaceChildren(h("p", { class: "failure" }, error.message), h("a", { href: "#samples" }, "All samples"));
  }
}

addEventListener("hashchange", route);
addEventListener("keydown", (event) => {
  if (VIEW.hidden || event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, [role=region]")) return;
  if (event.key === "ArrowLeft") VIEW.querySelector(".before")?.click();
  else if (event.key === "ArrowRight") VIEW.querySelector(".after")?.click();
  else if (event.key === "Escape") location.hash = "#samples";
});
startList();
route();
