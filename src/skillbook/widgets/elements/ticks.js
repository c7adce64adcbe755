// A list of checkboxes with a title, words, and a bar for each; the arrow keys go from one to the
// next. Everything is set with textContent, so no text can become an element.
function render({ model, el }) {
  const list = make("div", "skillbook-rows skillbook-ticks");
  const pages = make("div", "skillbook-pages");
  list.setAttribute("role", "group");
  el.classList.add("skillbook-rows-view");
  el.replaceChildren(list, pages);
  let boxes = [];

  const line = ([key, title, detail, words, share]) => {
    const box = make("input", "");
    box.type = "checkbox";
    box.value = key;
    box.addEventListener("change", () => {
      model.set("ticked", boxes.filter(each => each.checked).map(each => each.value));
      model.save_changes();
    });
    const name = make("span", "", ...title.map((t, n) => (n % 2 ? make("mark", "", t) : t)));
    const head = make("div", "skillbook-row-title", name);
    if (share >= 0) {
      const bar = make("meter", "");
      bar.max = 1;
      bar.value = share;
      bar.setAttribute("aria-hidden", "true");
      head.append(bar);
    }
    const text = make("div", "skillbook-tick-text", head);
    if (detail) text.append(make("div", "skillbook-row-detail", detail));
    text.append(make("div", "skillbook-tick-size", words.join(" · ")));
    const node = make("label", "skillbook-row skillbook-tick", box, text);
    node.title = title.join("");
    return [node, box];
  };

  const mark = () => {
    const ticked = new Set(model.get("ticked"));
    for (const box of boxes) box.checked = ticked.has(box.value);
  };

  const reach = box => {
    for (const each of boxes) each.tabIndex = each === box ? 0 : -1;
  };

  const fill = () => {
    const held = list.contains(document.activeElement) ? document.activeElement.value : undefined;
    const top = list.scrollTop;
    const same = boxes[0]?.value;
    const made = model.get("rows").map(line);
    boxes = made.map(([, box]) => box);
    list.replaceChildren(...made.map(([node]) => node));
    if (!boxes.length) list.append(make("p", "skillbook-note", model.get("empty")));
    list.scrollTop = boxes[0]?.value === same ? top : 0;
    mark();
    const next = boxes.find(box => box.value === held) ?? boxes[0];
    reach(next);
    if (held !== undefined) next?.focus({ preventScroll: true });
  };

  const turn = () => turnPages(model, pages);

  const name = () => list.setAttribute("aria-label", model.get("label"));

  list.addEventListener("focusin", event => {
    if (boxes.includes(event.target)) reach(event.target);
  });
  list.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const here = boxes.indexOf(document.activeElement);
    const last = boxes.length - 1;
    const places = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: last };
    if (here < 0 || !(event.key in places)) return;
    event.preventDefault();
    event.stopPropagation();
    const box = boxes[Math.min(Math.max(places[event.key], 0), last)];
    box.focus({ preventScroll: true });
    // Scrolls the list alone; scrollIntoView would move the whole notebook.
    const frame = list.getBoundingClientRect();
    const { top, bottom } = box.parentElement.getBoundingClientRect();
    if (top < frame.top) list.scrollTop -= frame.top - top;
    else if (bottom > frame.bottom) list.scrollTop += bottom - frame.bottom;
  });

  const heard = {
    "change:rows": fill,
    "change:empty": fill,
    "change:ticked": mark,
    "change:before": turn,
    "change:after": turn,
    "change:label": name,
  };
  for (const [event, act] of Object.entries(heard)) model.on(event, act);
  name();
  fill();
  turn();
  return () => {
    for (const [event, act] of Object.entries(heard)) model.off(event, act);
  };
}

export default { render };
