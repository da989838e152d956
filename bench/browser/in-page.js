// Runs in the page: what a person waits for, from the moment they press to the frame that shows the result.
const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))

const painted = async (isDone, limitMs) => {
  const startedAt = performance.now()
  while (!isDone()) {
    if (performance.now() - startedAt > limitMs) throw new Error('It took too long.')
    await frame()
  }
  await frame()
}

const reader = (probe) => {
  const read = new Function(`return ${probe}`)
  return () => String(read())
}

globalThis.bench = {
  frame,
  until: (probe, expected, limitMs) => {
    const read = reader(probe)
    return painted(() => read() === expected, limitMs)
  },
  timed: async (act, probe, expected, limitMs) => {
    const read = reader(probe)
    const before = read()
    const element = document.querySelector(act.selector)
    const startedAt = performance.now()
    if (act.text === undefined) element.click()
    else {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(element, act.text)
      element.dispatchEvent(new Event('input', { bubbles: true }))
    }
    await painted(() => (expected === undefined ? read() !== before : read() === expected), limitMs)
    return performance.now() - startedAt
  },
}
