const pausesMs = [1_000, 3_000, 10_000, 30_000]

/**
 * Vite's loader treats a stylesheet that failed to load as loaded, so a retried page would have no styles. They are
 * requested again here.
 */
export function reloadMissingStyles() {
  const reload = ({ target: sheet }: Event) => {
    if (!(sheet instanceof HTMLLinkElement) || sheet.rel !== 'stylesheet') return
    const tries = Number(sheet.dataset.tries ?? 0)
    const copy = sheet.cloneNode() as HTMLLinkElement
    copy.dataset.tries = `${tries + 1}`
    if (tries < pausesMs.length) setTimeout(() => sheet.replaceWith(copy), pausesMs[tries])
  }
  // Error events of elements do not bubble, so this listens in the capture phase.
  addEventListener('error', reload, true)
}
