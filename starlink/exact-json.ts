const BIG_INTEGER = /([[,:]\s*)(-?\d{16,})(?![\d.eE])/g
const STRING_OR_BIG_INTEGER = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g

/**
 * JSON.parse rounds integers past 2^53 (H3 cells, nanoseconds), so these are returned as strings of their exact digits.
 * The fast pass may put quotes around digits inside a string. That always makes the JSON invalid, so no value is
 * changed silently, and the slow pass is needed only when parsing fails.
 */
export const parseExact = (text: string): unknown => {
  try {
    return JSON.parse(text.replace(BIG_INTEGER, '$1"$2"'))
  } catch {
    return JSON.parse(text.replace(STRING_OR_BIG_INTEGER, (token) => (token[0] === '"' ? token : `"${token}"`)))
  }
}
