// Runs in the page: measures from the press of a key or button to the frame that shows the result.
const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))

const reader = (probe) => new Function(`return ${probe}`)

const when = (isDone) =>
  new Promise((resolve) => {
    if (isDone()) return resolve()
    const observer = new MutationObserver(() => {
      if (!isDone()) return
      observer.disconnect()
      resolve()
    })
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
  })

globalThis.bench = {
  painted,
  until: async (probe, expected) => {
    const read = reader(probe)
    await when(() => String(read()) === expected)
    await painted()
    return performance.now()
  },
  arrivedAt: (path) =>
    performance.getEntriesByType('resource').find(({ name }) => new URL(name).pathname === path)?.responseEnd,
  timed: async (act, probe) => {
    const read = reader(probe)
    const before = read()
    const element = document.querySelector(act.selector)
    const startedAt = performance.now()
    if (act.text === undefined) element.click()
    else {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(element, act.text)
      element.dispatchEvent(new Event('input', { bubbles: true }))
    }
    // A probe returns undefined while the page is only partly updated.
    await when(() => ![before, undefined].includes(read()))
    await painted()
    return performance.now() - startedAt
  },
}
