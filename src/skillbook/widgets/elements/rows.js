// A list with rich rows: a title, words about it, and what matched, for each row; one is chosen by a
// click or by the keyboard. Everything is set with textContent, so no text can become an element.
// Every second part is what matched.
const parts = texts => texts.map((text, place) => (place % 2 ? make("mark", "", text) : text));

function row([key, title, detail, words, depth]) {
  const line = make("div", "skillbook-row-title", make("span", "", ...parts(title)));
  const node = make("div", key ? "skillbook-row" : "skillbook-row-heading", line);
  for (const word of words) line.append(" ", make("span", "skillbook-word", word));
  if (detail.some(text => text)) node.append(make("div", "skillbook-row-detail", ...parts(detail)));
  if (depth) node.style.setProperty("--depth", depth);
  if (key) {
    node.setAttribute("role", "option");
    node.title = title.join("");
  }
  return node;
}

function render({ model, el }) {
  const list = make("div", "skillbook-rows");
  const pages = make("div", "skillbook-pages");
  list.setAttribute("role", "listbox");
  el.classList.add("skillbook-rows-view");
  el.replaceChildren(list, pages);
  let keys = [];
  let options = [];

  const mark = () => {
    const place = keys.indexOf(model.get("chosen"));
    options.forEach((node, number) => {
      node.setAttribute("aria-selected", String(number === place));
      node.tabIndex = number === Math.max(place, 0) ? 0 : -1;
    });
    return options[place];
  };

  // Scrolls the list alone; scrollIntoView would move the whole notebook.
  const reveal = node => {
    if (!node) return;
    const box = list.getBoundingClientRect();
    const { top, bottom } = node.getBoundingClientRect();
    if (top < box.top) list.scrollTop -= box.top - top;
    else if (bottom > box.bottom) list.scrollTop += bottom - box.bottom;
  };

  const choose = place => {
    if (!options.length) return;
    const number = Math.min(Math.max(place, 0), options.length - 1);
    model.set("chosen", keys[number]);
    model.save_changes();
    options[number].focus({ preventScroll: true });
    reveal(options[number]);
  };

  const fill = () => {
    const rows = model.get("rows");
    const held = list.contains(document.activeElement);
    const first = keys[0];
    keys = rows.map(([key]) => key).filter(key => key);
    const nodes = rows.map(row);
    options = nodes.filter((_, place) => rows[place][0]);
    options.forEach((node, number) => node.addEventListener("click", () => choose(number)));
    const top = list.scrollTop;
    list.replaceChildren(...nodes);
    if (!nodes.length) list.append(make("p", "skillbook-note", model.get("empty")));
    list.scrollTop = keys[0] === first ? top : 0;
    const chosen = mark();
    reveal(chosen);
    if (held && options.length) (chosen ?? options[0]).focus({ preventScroll: true });
  };

  const turn = () => turnPages(model, pages);

  // What had the focus may be hidden now; another widget on the page keeps it.
  const take = ({ focus }) => {
    const held = document.activeElement;
    const ours = held === document.body || el.closest(".skillbook-widget")?.contains(held);
    if (focus && ours) options.find(({ tabIndex }) => !tabIndex)?.focus({ preventScroll: true });
  };

  const name = () => list.setAttribute("aria-label", model.get("label"));

  list.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const here = options.indexOf(document.activeElement);
    const page = Math.max(1, Math.floor(list.clientHeight / (options[0]?.offsetHeight || 1)) - 1);
    const places = {
      ArrowDown: here + 1,
      ArrowUp: here - 1,
      PageDown: here + page,
      PageUp: here - page,
      Home: 0,
      End: options.length - 1,
      Enter: here,
      " ": here,
    };
    if (!(event.key in places)) return;
    event.preventDefault();
    event.stopPropagation();
    choose(places[event.key]);
  });

  const heard = {
    "change:rows": fill,
    "change:empty": fill,
    "change:chosen": () => {
      reveal(mark());
      el.closest(".skillbook-left")?.nextElementSibling?.scrollTo(0, 0);
    },
    "change:before": turn,
    "change:after": turn,
    "change:label": name,
    "msg:custom": take,
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
