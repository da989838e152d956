/**
 * Runs in the page: texts that are drawn outside of the window, or over another text or a control. Clipped content and
 * elements that float over the page on purpose do not count.
 */
export function listMisplacedTexts(): string[] {
  interface Drawn {
    name: string
    element: Element
    left: number
    top: number
    right: number
    bottom: number
  }
  // Behind a dialog, nothing counts.
  const root = [...document.querySelectorAll('[role="dialog"]')].at(-1) ?? document.body
  const floats = (element: Element) => {
    for (let at: Element | null = element; at && at !== root; at = at.parentElement) {
      const { position, clipPath } = getComputedStyle(at)
      if (position === 'fixed' || position === 'sticky' || clipPath !== 'none') return true
    }
    return !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  }
  /** The part of a box that its ancestors do not clip. */
  const clip = (element: Element, { left, top, right, bottom }: DOMRect) => {
    const box = { left, top, right, bottom }
    for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(at)
      const bounds = at.getBoundingClientRect()
      if (overflowX !== 'visible') {
        box.left = Math.max(box.left, bounds.left)
        box.right = Math.min(box.right, bounds.right)
      }
      if (overflowY !== 'visible') {
        box.top = Math.max(box.top, bounds.top)
        box.bottom = Math.min(box.bottom, bounds.bottom)
      }
    }
    return box
  }
  const drawn: Drawn[] = []
  const add = (name: string, element: Element, rect: DOMRect) => {
    const box = clip(element, rect)
    if (box.right - box.left > 1 && box.bottom - box.top > 1) drawn.push({ name, element, ...box })
  }
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement
    const text = node.textContent?.trim()
    if (!element || !text || ['SCRIPT', 'STYLE', 'OPTION'].includes(element.tagName) || floats(element)) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    // Large figures have lines that are lower than the boxes of their letters, which have room above and below.
    const lineHeight = Number.parseFloat(getComputedStyle(element).lineHeight)
    for (const { x, y, width, height } of range.getClientRects()) {
      const room = Math.max(0, height - lineHeight) || 0
      add(text.slice(0, 30), element, new DOMRect(x, y + room / 2, width, height - room))
    }
  }
  const texts = drawn.length
  for (const control of root.querySelectorAll('button, input, select, textarea'))
    if (!floats(control)) add(`<${control.tagName.toLowerCase()}>`, control, control.getBoundingClientRect())
  // Lines of text may touch, so a few pixels do not count as an overlap.
  const slackPx = 3
  const faults = new Set<string>()
  for (const { name, right } of drawn)
    if (right > innerWidth + 1) faults.add(`'${name}' ends at ${Math.round(right)} px`)
  for (const [index, a] of drawn.slice(0, texts).entries())
    for (const b of drawn.slice(index + 1)) {
      if (a.element.contains(b.element) || b.element.contains(a.element)) continue
      const width = Math.min(a.right, b.right) - Math.max(a.left, b.left)
      const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
      if (width > slackPx && height > slackPx) faults.add(`'${a.name}' is drawn over '${b.name}'`)
    }
  return [...faults]
}
