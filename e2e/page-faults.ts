/**
 * Runs in the page: labels of controls that are cut off, broken within a word or larger than their button, and figures that a
 * table cuts off.
 */
export function listCutTexts(): string[] {
  /** What is there for screen readers only has no size. */
  const isShown = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    element.getBoundingClientRect().width > 1
  /** What is cut off on purpose has its whole text as a title. */
  const isCut = (element: Element) =>
    isShown(element) &&
    element.textContent !== '' &&
    element.scrollWidth > element.clientWidth + 1 &&
    getComputedStyle(element).overflowX === 'hidden' &&
    !element.closest('[title]')
  const listBoxes = (text: Text, start: number, length: number) => {
    const range = document.createRange()
    range.setStart(text, start)
    range.setEnd(text, start + length)
    return [...range.getClientRects()]
  }
  const sumWidths = (boxes: DOMRect[]) => boxes.reduce((sum, { width }) => sum + width, 0)
  const isOnOneLine = (boxes: DOMRect[]) => new Set(boxes.map(({ top }) => Math.round(top))).size <= 1
  /** An address or a number that takes more than half of the window may have to be broken. */
  const isBroken = (text: Text) =>
    [...text.data.matchAll(/\S+/g)].some(({ index, 0: run }) => {
      const width = sumWidths(listBoxes(text, index, run.length))
      const words = [...run.matchAll(/[\p{L}\d]+/gu)]
      return (
        width < innerWidth / 2 &&
        words.some((word) => !isOnOneLine(listBoxes(text, index + word.index, word[0].length)))
      )
    })
  /** What is limited to some lines on purpose is not drawn outside of them. */
  const isLimited = (text: Text) =>
    text.parentElement !== null && getComputedStyle(text.parentElement).overflowY === 'hidden'
  const isLarger = (text: Text, button: DOMRect) =>
    !isLimited(text) &&
    listBoxes(text, 0, text.length).some(
      ({ left, right, top, bottom }) =>
        left < button.left - 2 || right > button.right + 2 || top < button.top - 2 || bottom > button.bottom + 2,
    )
  const faults: string[] = []
  for (const control of document.querySelectorAll('button, a[href], label')) {
    if (!isShown(control)) continue
    if ([control, ...control.querySelectorAll('*')].some(isCut)) faults.push(`“${control.textContent}” is cut off`)
    const texts = document.createTreeWalker(control, NodeFilter.SHOW_TEXT)
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      if (!isShown(text.parentElement as Element)) continue
      if (isBroken(text as Text)) faults.push(`“${control.textContent}” is broken within a word`)
      if (control.tagName === 'BUTTON' && isLarger(text as Text, control.getBoundingClientRect()))
        faults.push(`“${control.textContent}” is larger than its button`)
    }
  }
  // Beside the widest label of a card, which is wrapped at 112 px.
  for (const list of document.querySelectorAll('li dl')) {
    const labels = [...list.querySelectorAll('dt')].map(({ firstChild: text }) =>
      text instanceof Text ? sumWidths(listBoxes(text, 0, text.length)) : 0,
    )
    const roomPx = list.clientWidth - Math.min(Math.max(...labels), 112) - 12
    const texts = document.createTreeWalker(list, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const text = node as Text
      if (!isShown(text.parentElement as Element)) continue
      const words = [...text.data.matchAll(/[^\s-]+/g)].map(({ index, 0: word }) => listBoxes(text, index, word.length))
      if (words.some((boxes) => !isOnOneLine(boxes) && sumWidths(boxes) < roomPx))
        faults.push(`“${text.data}” is broken within a word, and its card has room for it`)
    }
  }
  const isTime = ({ textContent }: Element) => /\d{4}, \d\d:\d\d/.test(textContent ?? '')
  for (const cell of document.querySelectorAll('td, thead th'))
    if (isCut(cell) && (cell.matches('th, [data-align="right"]') || isTime(cell)))
      faults.push(`“${cell.textContent}” is cut off in its column`)
  return faults
}

/** Runs in the page: names in tabular figures, which have a hyphen as wide as a digit, and times in columns without them. */
export function listWrongFigures(): string[] {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const faults: string[] = []
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const parent = text.parentElement as Element
    const isName = /\p{L} ?- ?\p{L}/u.test(text.textContent ?? '')
    const isTime = parent.closest('tbody') !== null && /^\w{3} \d+, .*\d\d:\d\d/.test(text.textContent ?? '')
    if (isName === isTime || !parent.checkVisibility()) continue
    if (getComputedStyle(parent).fontVariantNumeric.includes('tabular-nums') !== isTime)
      faults.push(`“${text.textContent}” has ${isTime ? 'figures of several widths' : 'wide hyphens'}`)
  }
  return faults
}

/** Runs in the page: fields next to each other that do not stand on one line, and labels that are not level with their control. */
export function listUnevenRows(): string[] {
  const measure = (element: Element | null | undefined) => element?.getBoundingClientRect()
  const faults: string[] = []
  for (const field of document.querySelectorAll('.mantine-InputWrapper-root')) {
    const next = field.nextElementSibling
    if (!next?.matches('.mantine-InputWrapper-root') || !field.checkVisibility()) continue
    const [one, other] = [field, next].map((each) => measure(each.querySelector('.mantine-Input-input')))
    const isBeside = (measure(next)?.left ?? 0) >= (measure(field)?.right ?? 0)
    if (one && other && isBeside && Math.abs(one.top - other.top) > 1)
      faults.push(`the fields “${field.textContent}” and “${next.textContent}” are not on one line`)
  }
  for (const label of document.querySelectorAll('dl dt')) {
    const control = measure(label.nextElementSibling?.querySelector('select, [role="switch"]'))
    const text = measure(label)
    if (!control || !text || control.top >= text.bottom) continue
    if (Math.abs(control.top + control.bottom - text.top - text.bottom) > 4)
      faults.push(`“${label.textContent}” is not level with its control`)
  }
  return faults
}

/** Runs in the page: empty space below the footer, which something out of view takes up. */
export function listSpaceBelow(): string[] {
  const end = (document.querySelector('footer')?.getBoundingClientRect().bottom ?? 0) + scrollY
  const spacePx = Math.round(document.documentElement.scrollHeight - end)
  return spacePx > 1 ? [`${spacePx} px are empty below the footer`] : []
}

/** Runs in the page: placeholders that are drawn outside of what contains them. */
export function listMisplacedPlaceholders(): string[] {
  return [...document.querySelectorAll('.mantine-Skeleton-root')].flatMap((placeholder) => {
    const { left, right } = placeholder.getBoundingClientRect()
    const around = (placeholder.parentElement as Element).getBoundingClientRect()
    const isOutside = left < around.left - 1 || right > around.right + 1
    return isOutside ? [`a placeholder ends at ${right} px in ${around.right} px`] : []
  })
}

/** Runs in the page: the buttons that are filled with the accent, of the dialog if there is one. What is chosen is no action. */
export function listFilledActions(): string[] {
  const probe = document.createElement('i')
  probe.style.background = 'var(--mantine-primary-color-filled)'
  document.body.append(probe)
  const { backgroundColor: accent } = getComputedStyle(probe)
  probe.remove()
  const layer = [...document.querySelectorAll('main, [role="dialog"]')].at(-1) ?? document
  return [...layer.querySelectorAll('button, a[href]')]
    .filter((control) => control.checkVisibility() && getComputedStyle(control).backgroundColor === accent)
    .filter((control) => !control.matches('[aria-pressed="true"], [aria-selected="true"], [aria-current]'))
    .map((control) => control.textContent ?? '')
}

/** Runs in the page: controls that cannot be used and do not say why. What is only being saved or loaded can be used soon. */
export function listUnexplainedControls(): string[] {
  const controls = 'button, [role="button"], [role="switch"], input:is([type="checkbox"], [type="radio"]), select'
  return [...document.querySelectorAll<HTMLElement>(controls)]
    .filter((control) => control.checkVisibility() && control.matches(':disabled, [aria-disabled="true"]'))
    .filter((control) => !control.closest('[title], [aria-busy="true"], [data-loading]'))
    .filter((control) => !control.matches('[aria-describedby]'))
    .map((control) => `“${control.ariaLabel ?? control.textContent}” cannot be used without a reason`)
}

/** Runs in the page: figures that are written without separators. */
export function listBareFigures(figures: string[]): string[] {
  const texts = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT)
  const pattern = new RegExp(
    `(?<![\\w.,-])(${figures.map((figure) => figure.replace('.', '\\.')).join('|')})(?![\\w,-])`,
  )
  const faults = new Set<string>()
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const found = pattern.exec(text.textContent ?? '')
    if (found) faults.add(`“${text.textContent?.slice(0, 60)}” has no separators`)
  }
  return [...faults]
}
