// The extension of JupyterLab that `skillbook lab` puts beside its notebook: it runs the cells when
// the notebook is opened, once. Plain JavaScript, in the form in which JupyterLab loads an extension
// (a module federation container); without it the reader chooses Run > Run All Cells.
(() => {
  const wait = milliseconds => new Promise(done => setTimeout(done, milliseconds));

  const run = async app => {
    await app.restored;
    let panel = app.shell.currentWidget;
    while (panel?.context?.path !== 'explore.ipynb') {
      await wait(100);
      panel = app.shell.currentWidget;
    }
    app.shell.collapseLeft?.();
    await panel.context.ready;
    await panel.sessionContext.ready;
    // After a reload the kernel still holds what was run; only a fresh notebook is run.
    const cells = panel.context.model.sharedModel.cells;
    if (cells.every(cell => !cell.execution_count)) {
      await app.commands.execute('notebook:run-all-cells');
      await panel.context.save();
    }
  };

  const plugin = { id: 'skillbook-lab:run', autoStart: true, activate: app => void run(app) };

  window._JUPYTERLAB = window._JUPYTERLAB || {};
  window._JUPYTERLAB['skillbook-lab'] = {
    init: () => {},
    get: () => Promise.resolve(() => ({ __esModule: true, default: plugin })),
  };
})();
