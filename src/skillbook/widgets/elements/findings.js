// The findings of a check, each with its lines, a button that leads there and one that fixes it.
// Everything is set with textContent, so no text can become an element.
function render({ model, el }) {
  const list = make("ul", "skillbook-findings");
  list.setAttribute("aria-label", "Findings");
  el.classList.add("skillbook-findings-view");
  el.replaceChildren(list);

  const button = (text, label, act) => {
    const node = make("button", "skillbook-button", text);
    node.type = "button";
    node.setAttribute("aria-label", label);
    node.addEventListener("click", act);
    return node;
  };

  const item = ([key, severity, rule, where, message, frame, fix], place) => {
    const head = make("div", "skillbook-finding-head", make("strong", "", `${severity} ${rule}`));
    if (where)
      head.append(" ", button(where, `Go to ${where}, ${severity} ${rule}`, () => model.send({ go: key })));
    if (fix) head.append(" ", button(`Fix: ${fix}`, `Fix ${rule}: ${fix}`, () => model.send({ fix: key })));
    const node = make("li", `skillbook-finding skillbook-finding-${severity}`, head);
    node.append(make("div", "skillbook-finding-words", message));
    if (frame.length) {
      const rows = frame.flatMap(([number, before, meant, after]) => [
        make("span", "skillbook-finding-number", `${number} `),
        before,
        meant ? make("strong", "skillbook-finding-meant", meant) : "",
        `${after}\n`,
      ]);
      node.append(make("pre", "skillbook-finding-frame", ...rows));
    }
    node.dataset.place = place;
    return node;
  };

  const fill = () => {
    const held = document.activeElement?.closest?.(".skillbook-finding");
    const place = list.contains(held) ? Number(held.dataset.place) : -1;
    const items = model.get("items");
    list.replaceChildren(...items.map(item));
    if (!items.length) list.append(make("li", "skillbook-note", model.get("empty")));
    // The button that was pressed is gone with its finding: the next one is where it was.
    if (place >= 0) {
      const buttons = list.children[Math.min(place, items.length - 1)]?.querySelectorAll("button");
      buttons?.[buttons.length - 1]?.focus({ preventScroll: true });
    }
  };

  const names = ["items", "empty"];
  for (const each of names) model.on(`change:${each}`, fill);
  fill();
  return () => {
    for (const each of names) model.off(`change:${each}`, fill);
  };
}

export default { render };
