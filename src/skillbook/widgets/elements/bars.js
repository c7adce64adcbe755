// Bars that fill: a track for each, its parts side by side, and every number beside it in words.
// What is there already is changed in place, so that a bar grows before one's eyes. Everything is set
// with textContent, so no text can become an element.
const hold = (node, count, create) => {
  while (node.children.length > count) node.lastChild.remove();
  while (node.children.length < count) node.append(create());
  return [...node.children];
};

const percent = share => `${Math.min(Math.max(share, 0), 1) * 100}%`;

function bar() {
  const track = make("div", "skillbook-track");
  const mark = make("div", "skillbook-track-mark");
  track.setAttribute("role", "img");
  return make(
    "div",
    "skillbook-gauge",
    make("div", "skillbook-gauge-words"),
    make("div", "skillbook-gauge-track", track, mark),
    make("div", "skillbook-gauge-legend"),
  );
}

function fill(node, [label, words, parts, mark]) {
  const [line, box, legend] = node.children;
  const [track, limit] = box.children;
  line.replaceChildren(make("strong", "", label), " ", make("span", "", words));
  track.setAttribute("aria-label", `${label}: ${words}`);
  hold(track, parts.length, () => make("div", "skillbook-part")).forEach((part, place) => {
    const [kind, share] = parts[place];
    part.className = `skillbook-part skillbook-part-${kind}`;
    part.style.width = percent(share);
    part.hidden = share <= 0;
  });
  limit.hidden = mark < 0;
  limit.style.left = percent(mark);
  legend.hidden = !parts.some(([, , text]) => text);
  legend.replaceChildren(
    ...parts
      .filter(([, , text]) => text)
      .map(([kind, , text]) =>
        make("span", "skillbook-key", make("span", `skillbook-swatch skillbook-part-${kind}`), text),
      ),
  );
}

function render({ model, el }) {
  el.classList.add("skillbook-gauges");
  const draw = () => {
    const bars = model.get("bars");
    hold(el, bars.length, bar).forEach((node, place) => fill(node, bars[place]));
  };
  model.on("change:bars", draw);
  draw();
  return () => model.off("change:bars", draw);
}

export default { render };
