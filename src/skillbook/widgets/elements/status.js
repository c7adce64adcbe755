// The line on top of a widget: what is shown, in words; what happened last, which a screen reader
// reads out; and how far long work is, with a button that stops it. Set with textContent alone.
function render({ model, el }) {
  const line = make("div", "skillbook-status-line");
  const message = make("span", "skillbook-status-message");
  const bar = make("progress", "");
  const stop = make("button", "skillbook-button", "Stop");
  const work = make("div", "skillbook-status-work", bar, stop);
  message.setAttribute("role", "status");
  bar.max = 1;
  bar.setAttribute("aria-label", "Progress");
  stop.type = "button";
  stop.addEventListener("click", () => model.send({ stop: true }));
  el.classList.add("skillbook-status");
  el.replaceChildren(line, work, message);

  // A fact that acts is a button.
  const chip = (fact, number) => {
    if (!model.get("acts").includes(number)) return make("span", "skillbook-word", fact);
    const node = make("button", "skillbook-word skillbook-acts", fact);
    node.type = "button";
    node.title = `Show the ${fact}`;
    node.addEventListener("click", () => model.send({ fact: number }));
    return node;
  };

  const say = () => {
    refill(
      line,
      make("strong", "skillbook-status-title", model.get("title")),
      ...model.get("facts").flatMap((fact, number) => [" ", chip(fact, number)]),
    );
    message.textContent = model.get("message");
    const done = model.get("progress");
    work.hidden = done < 0;
    bar.value = Math.max(done, 0);
  };

  // A button that its own press disables would drop the focus: the next one in its row takes it.
  const watch = new MutationObserver(changes => {
    for (const { target } of changes) {
      if (!target.disabled || target !== document.activeElement) continue;
      const others = Array.from(target.parentElement.querySelectorAll("button:not(:disabled)"));
      const after = others.find(each => target.compareDocumentPosition(each) & 4);
      (after ?? others.at(-1))?.focus({ preventScroll: true });
    }
  });

  // JupyterLab takes keys that are pressed in a notebook for commands on its cells: "d" twice on a
  // button would delete one. It looks at the focused element for this mark; window comes first.
  const guard = event => {
    const { target } = event;
    const frame = el.closest(".skillbook-widget");
    if (!frame?.contains(target)) return;
    watch.observe(frame, { subtree: true, attributeFilter: ["disabled"] });
    if (event.ctrlKey || event.metaKey) delete target.dataset.lmSuppressShortcuts;
    else target.dataset.lmSuppressShortcuts = "true";
    // What scrolls can be reached by Tab, so that the keyboard can scroll it.
    for (const box of frame.querySelectorAll(".skillbook-scrolling")) box.tabIndex = 0;
  };
  window.addEventListener("keydown", guard, true);

  const names = ["title", "facts", "acts", "message", "progress"];
  for (const name of names) model.on(`change:${name}`, say);
  say();
  return () => {
    window.removeEventListener("keydown", guard, true);
    watch.disconnect();
    for (const name of names) model.off(`change:${name}`, say);
  };
}

export default { render };
