// Runs before the first paint, so that a chosen theme never flashes the other one. It is a file of its
// own because the content security policy allows no inline script.
;(function () {
  try {
    var stored = JSON.parse(localStorage.getItem('ridgeline.settings') || '{}')
    if (stored.theme === 'light' || stored.theme === 'dark') {
      document.documentElement.dataset.theme = stored.theme
    }
  } catch {
    // Storage may be closed or hold something else: the system's theme is right then.
  }
})()
