const pausesMs = [1_000, 3_000, 10_000, 30_000]

/**
 * A sheet that did not arrive counts as fetched to the code that brings pages, so that whoever asks for the page again gets
 * it without its styles. They are asked for again here.
 */
export function reloadMissingStyles() {
  const fetchAgain = ({ target: sheet }: Event) => {
    if (!(sheet instanceof HTMLLinkElement) || sheet.rel !== 'stylesheet') return
    const tries = Number(sheet.dataset.tries ?? 0)
    const again = sheet.cloneNode() as HTMLLinkElement
    again.dataset.tries = `${tries + 1}`
    if (tries < pausesMs.length) setTimeout(() => sheet.replaceWith(again), pausesMs[tries])
  }
  // Such an event does not bubble.
  addEventListener('error', fetchAgain, true)
}
