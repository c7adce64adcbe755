// What every view is made with: one element, its text as text.
const make = (tag, cls, ...children) => {
  const node = document.createElement(tag);
  if (cls) node.className = cls;
  node.append(...children);
  return node;
};

// Puts other elements into a box. A button in it that had the focus keeps it: the one of its key, or
// the one that stands where it was.
const refill = (box, ...children) => {
  const held = document.activeElement;
  const place = Array.from(box.querySelectorAll("button")).indexOf(held);
  box.replaceChildren(...children);
  if (place < 0) return;
  const buttons = Array.from(box.querySelectorAll("button"));
  const same = buttons.find(each => held.dataset.key && each.dataset.key === held.dataset.key);
  (same ?? buttons[Math.min(place, buttons.length - 1)])?.focus({ preventScroll: true });
};

// The buttons for the pages before and after the one that a list shows.
const turnPages = (model, pages) => {
  const wanted = [[model.get("before"), -1], [model.get("after"), 1]].filter(([text]) => text);
  refill(pages, ...wanted.map(([text, step]) => {
    const node = make("button", "skillbook-button", text);
    node.type = "button";
    node.dataset.key = step;
    node.addEventListener("click", () => model.send({ page: step }));
    return node;
  }));
  pages.hidden = !wanted.length;
};
