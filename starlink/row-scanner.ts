const QUOTE = 0x22
const COMMA = 0x2c
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const BACKSLASH = 0x5c
const OPEN = 0x5b
const CLOSE = 0x5d
const LETTER_E = 0x65
const LETTER_F = 0x66
const LETTER_N = 0x6e
const LETTER_T = 0x74

// A double represents this many digits and each of these powers exactly, so one division rounds like JSON.parse.
const EXACT_DIGITS = 15
const POWERS = Array.from({ length: EXACT_DIGITS + 1 }, (_, exponent) => 10 ** exponent)
const NUMBER_PART = /[\d.eE+-]/

/** The text is not formatted like the vendor's; the caller falls back to JSON.parse. */
export class UnexpectedFormat extends Error {
  override name = 'UnexpectedFormat'
}

const isDigit = (code: number) => code >= ZERO && code <= NINE

/**
 * Reads rows, which are arrays of cells, directly from the text of a body. A batch has tens of thousands of rows, and
 * JSON.parse would allocate all of them. Supports only JSON without spaces between cells and without objects.
 */
export class RowScanner {
  readonly #text: string
  at: number

  constructor(text: string, at: number) {
    this.#text = text
    this.at = at
  }

  /** Reads the opening bracket of a row. */
  open() {
    if (this.#text.charCodeAt(this.at) !== OPEN) throw new UnexpectedFormat('A row does not begin with a bracket.')
    this.at++
  }

  /** Reads the cells from `from` up to `until` or the end of the row. Returns whether the row has ended. */
  cells(into: unknown[], from: number, until = Number.POSITIVE_INFINITY): boolean {
    for (let index = from; index < until; ) {
      into[index++] = this.#cell()
      const code = this.#text.charCodeAt(this.at++)
      if (code === CLOSE) {
        into.length = index
        return true
      }
      if (code !== COMMA) throw new UnexpectedFormat('Cells are not separated by commas.')
    }
    return false
  }

  /** Skips the rest of a row and returns the number of cells. */
  skipCells(): number {
    const text = this.#text
    let at = this.at
    let depth = 0
    for (let cells = 1; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === COMMA) {
        if (depth === 0) cells++
      } else if (code === QUOTE) at = this.#findStringEnd(at)
      else if (code === OPEN) depth++
      else if (code === CLOSE && depth-- === 0) {
        this.at = at + 1
        return cells
      }
    }
    throw new UnexpectedFormat('A row does not end.')
  }

  #cell(): unknown {
    const code = this.#text.charCodeAt(this.at)
    if (code === QUOTE) return this.#string()
    if (isDigit(code) || code === MINUS) return this.#number()
    if (code === LETTER_N) return this.#word('null', null)
    if (code === LETTER_F) return this.#word('false', false)
    if (code === LETTER_T) return this.#word('true', true)
    if (code === OPEN) return this.#list()
    throw new UnexpectedFormat('A cell is neither text, number, list nor a word.')
  }

  #word<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.at)) throw new UnexpectedFormat('A word is none of JSON.')
    this.at += word.length
    return value
  }

  #list() {
    const list: unknown[] = []
    this.at++
    if (this.#text.charCodeAt(this.at) === CLOSE) this.at++
    else this.cells(list, 0)
    return list
  }

  #string() {
    const start = this.at
    const end = this.#findStringEnd(start)
    this.at = end + 1
    const inner = this.#text.slice(start + 1, end)
    return inner.includes('\\') ? (JSON.parse(`"${inner}"`) as string) : inner
  }

  /** The position of the closing quote. */
  #findStringEnd(start: number) {
    const text = this.#text
    for (let at = start + 1; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === QUOTE) return at
      if (code === BACKSLASH) at++
      else if (code < 0x20) break
    }
    throw new UnexpectedFormat('A string does not end.')
  }

  #number() {
    const text = this.#text
    const start = this.at
    const negative = text.charCodeAt(start) === MINUS
    const first = negative ? start + 1 : start
    let at = first
    let digits = 0
    let whole = 0
    let code = text.charCodeAt(at)
    for (; isDigit(code); code = text.charCodeAt(++at)) {
      whole = whole * 10 + (code - ZERO)
      digits++
    }
    if (digits === 0 || (digits > 1 && text.charCodeAt(first) === ZERO))
      throw new UnexpectedFormat('No number of JSON.')
    let decimals = 0
    if (code === POINT) {
      for (code = text.charCodeAt(++at); isDigit(code); code = text.charCodeAt(++at)) {
        whole = whole * 10 + (code - ZERO)
        decimals++
      }
      if (decimals === 0) throw new UnexpectedFormat('No number of JSON.')
    }
    const hasExponent = (code | 0x20) === LETTER_E
    this.at = at
    // An integer that a double cannot represent is returned as a string.
    if (digits > EXACT_DIGITS && decimals === 0 && !hasExponent) return text.slice(start, at)
    if (digits + decimals > EXACT_DIGITS || hasExponent) return this.#longNumber(start)
    const value = decimals === 0 ? whole : whole / (POWERS[decimals] as number)
    return negative ? -value : value
  }

  #longNumber(start: number): unknown {
    while (NUMBER_PART.test(this.#text.charAt(this.at))) this.at++
    return JSON.parse(this.#text.slice(start, this.at))
  }
}
