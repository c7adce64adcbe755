// A text editor with line numbers and marks at the lines that a finding means. The text itself is in
// a plain textarea, so undo aside every key does what it does everywhere, and Tab leaves it; the
// numbers and marks lie behind it, line by line. Everything is set with textContent.

// The one change that makes one text of another: where it starts, where it ends, what stands there.
const splice = (old, now) => {
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < most - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  return [start, old.length - end, now.slice(start, now.length - end)];
};
const moved = (place, [start, end, text]) => {
  if (place <= start) return place;
  return place >= end ? place + text.length - (end - start) : start + text.length;
};
const SIGNS = { error: "✕", warning: "!", note: "i" };

function render({ model, el }) {
  const area = make("textarea", "skillbook-editor-area");
  const lines = make("div", "skillbook-editor-lines");
  const name = make("div", "skillbook-editor-name");
  const said = make("div", "skillbook-editor-said");
  area.spellcheck = false;
  area.autocomplete = "off";
  lines.setAttribute("aria-hidden", "true");
  name.setAttribute("aria-hidden", "true"); // it is the label of the textarea
  said.setAttribute("role", "status");
  el.classList.add("skillbook-editor-view");
  el.replaceChildren(name, make("div", "skillbook-editor-page", lines, area), said);

  const view = `${Math.random()}`;
  let sent = ""; // the text that the kernel is known to have, or was sent
  let sends = 0;
  let answered = 0;
  let marks = [];
  let drawn = [];
  let seen = -1; // the number of the state that was shown last
  let asked = []; // steps that wait until all that was typed is sent
  let timer = 0;

  // --- lines and marks ------------------------------------------------------------------------

  const line = (text, found) => {
    const node = make("div", "skillbook-editor-line");
    if (!found.length) {
      node.textContent = text;
      return node;
    }
    const [, column, length, severity] = found[0];
    const letters = Array.from(text);
    const parts = [letters.slice(0, column), letters.slice(column, column + length)];
    node.classList.add(`skillbook-editor-${severity}`);
    node.append(
      make("span", "skillbook-editor-sign", SIGNS[severity] ?? "!"),
      parts[0].join(""),
      make("span", "skillbook-editor-meant", parts[1].join("")),
      letters.slice(column + length).join(""),
    );
    return node;
  };

  const draw = () => {
    const by = new Map();
    for (const mark of marks) by.set(mark[0], [...(by.get(mark[0]) ?? []), mark]);
    const texts = area.value.split("\n");
    const now = texts.map((text, place) => {
      const found = by.get(place + 1) ?? [];
      return { text, found, key: `${JSON.stringify(found)}${text}` };
    });
    const most = Math.min(now.length, drawn.length);
    let start = 0;
    while (start < most && now[start].key === drawn[start]) start += 1;
    let end = 0;
    while (end < most - start && now[now.length - 1 - end].key === drawn[drawn.length - 1 - end])
      end += 1;
    for (const node of Array.from(lines.children).slice(start, lines.children.length - end))
      node.remove();
    const after = lines.children[start] ?? null;
    for (const { text, found } of now.slice(start, now.length - end))
      lines.insertBefore(line(text, found), after);
    drawn = now.map(({ key }) => key);
    const digits = `${String(texts.length).length}ch`;
    el.style.setProperty("--digits", digits);
    say();
  };

  const here = () => area.value.slice(0, area.selectionStart).split("\n").length;

  const say = () => {
    const number = here();
    const found = marks.filter(([place]) => place === number).map(mark => mark[4]);
    const words = found.length ? `Line ${number}: ${found.join(" ")}` : `Line ${number}`;
    if (said.textContent !== words) said.textContent = words;
  };

  // --- the kernel -----------------------------------------------------------------------------

  // One text is on its way at a time: a kernel may take up messages in another order.
  const flush = () => {
    clearTimeout(timer);
    timer = 0;
    if (area.value === sent || answered < sends) return;
    sends += 1;
    model.send({ base: sent, text: area.value, view, number: sends });
    sent = area.value;
  };

  const show = () => {
    const [state, text, from, number] = model.get("state");
    if (from === view) answered = Math.max(answered, number);
    if (answered < sends || state < seen) return; // the answer to come holds this, too
    seen = state;
    const typed = splice(sent, area.value);
    const change = splice(sent, text);
    const pending = area.value !== sent;
    let now = text;
    if (pending) {
      const start = moved(typed[0], change);
      now = text.slice(0, start) + typed[2] + text.slice(Math.max(start, moved(typed[1], change)));
    }
    if (now !== area.value) {
      const places = [area.selectionStart, area.selectionEnd];
      const to = splice(area.value, now);
      area.value = now;
      area.setSelectionRange(...places.map(place => moved(place, to)));
    }
    sent = text;
    if (pending) later();
    draw();
    settle();
  };

  const settle = () => {
    if (!asked.length) return;
    flush();
    if (answered < sends) return;
    for (const step of asked) model.send({ step });
    asked = [];
  };

  const later = () => {
    timer ||= setTimeout(flush, 150);
  };

  const mark = () => {
    marks = model.get("marks");
    draw();
  };

  const label = () => {
    name.textContent = model.get("label");
    area.setAttribute("aria-label", model.get("label"));
  };

  const go = ({ go: place }) => {
    if (!place) return;
    const [number, column, length] = place;
    const texts = area.value.split("\n");
    const text = Array.from(texts[number - 1] ?? "");
    const start = texts.slice(0, number - 1).reduce((sum, each) => sum + each.length + 1, 0);
    const from = start + text.slice(0, column).join("").length;
    area.focus({ preventScroll: true });
    area.setSelectionRange(from, from + text.slice(column, column + length).join("").length);
    const box = el.closest(".skillbook-scrolling");
    const node = lines.children[number - 1];
    if (box && node) {
      const middle = node.getBoundingClientRect().top - box.getBoundingClientRect().top;
      box.scrollTop += middle - box.clientHeight / 3;
    }
    say();
  };

  // --- the hand -------------------------------------------------------------------------------

  area.addEventListener("input", () => {
    const before = drawn.length;
    const now = area.value.split("\n").length;
    const added = now - before;
    // Until the kernel has looked again, marks below move with their lines.
    if (added) {
      const at = here();
      marks = marks
        .filter(([place]) => added > 0 || place <= at || place > at - added)
        .map(each => (each[0] > at - Math.max(added, 0) ? [each[0] + added, ...each.slice(1)] : each));
    }
    draw();
    later();
  });
  area.addEventListener("blur", flush);
  for (const event of ["keyup", "click", "focus"]) area.addEventListener(event, say);

  // JupyterLab takes the line end from an Enter that it sees in a cell.
  area.addEventListener("keydown", event => {
    if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
  });

  // The steps are the kernel's, which knows those made in the fields and by fixes, too. JupyterLab
  // would take the key for its own undo; window comes first.
  const steps = event => {
    const key = event.key.toLowerCase();
    if (!(event.ctrlKey || event.metaKey) || event.altKey || (key !== "z" && key !== "y")) return;
    const field = event.target.closest?.(".skillbook-document-field");
    const ours = field && el.closest(".skillbook-widget")?.contains(field);
    if (event.target !== area && !ours) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    asked.push(key === "y" || event.shiftKey ? "redo" : "undo");
    settle();
  };
  window.addEventListener("keydown", steps, true);

  const heard = {
    "change:state": show,
    "change:marks": mark,
    "change:label": label,
    "msg:custom": go,
  };
  for (const [event, act] of Object.entries(heard)) model.on(event, act);
  label();
  marks = model.get("marks");
  show();
  return () => {
    flush();
    window.removeEventListener("keydown", steps, true);
    for (const [event, act] of Object.entries(heard)) model.off(event, act);
  };
}

export default { render };
