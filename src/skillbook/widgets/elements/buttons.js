// A row of small buttons behind a label. What a press does, Python decides; it may send a text for
// the clipboard. Where the page may not write there, the text stands selected in a box.
function render({ model, el }) {
  const label = make("span", "skillbook-buttons-label");
  const row = make("div", "skillbook-buttons");
  const box = make("textarea", "skillbook-buttons-text");
  row.setAttribute("role", "group");
  box.readOnly = true;
  box.hidden = true;
  box.rows = 4;
  box.setAttribute("aria-label", "Text to copy");
  el.classList.add("skillbook-buttons-view");
  el.replaceChildren(row, box);
  let asked = false;

  const fill = () => {
    const buttons = model.get("texts").map((text, number) => {
      const node = make("button", "skillbook-button", text);
      node.type = "button";
      node.addEventListener("click", () => {
        asked = true; // another view of the same row does not copy
        model.send({ press: number });
      });
      return node;
    });
    label.textContent = model.get("label");
    label.hidden = !model.get("label");
    row.setAttribute("aria-label", model.get("name"));
    refill(row, label, ...buttons);
    box.hidden = true;
  };

  const copy = async message => {
    if (!asked || typeof message.copy !== "string") return;
    asked = false;
    let copied = true;
    try {
      await navigator.clipboard.writeText(message.copy);
    } catch {
      copied = false;
      box.value = message.copy;
    }
    box.hidden = copied;
    if (!copied) {
      box.focus();
      box.select();
    }
    model.send({ copied });
  };

  const heard = {
    "change:texts": fill,
    "change:label": fill,
    "change:name": fill,
    "msg:custom": copy,
  };
  for (const [event, act] of Object.entries(heard)) model.on(event, act);
  fill();
  return () => {
    for (const [event, act] of Object.entries(heard)) model.off(event, act);
  };
}

export default { render };
