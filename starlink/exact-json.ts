const BIG_INTEGER = /([[,:]\s*)(-?\d{16,})(?![\d.eE])/g
const STRING_OR_BIG_INTEGER = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g

/**
 * JSON.parse rounds integers past 2^53 (H3 cells, nanoseconds), so those arrive as strings of their exact digits.
 * The quick pass may quote digits that stand inside a string; that always breaks the JSON, so the careful pass
 * is needed only when parsing fails, and nothing is ever changed silently.
 */
export const parseExact = (text: string): unknown => {
  try {
    return JSON.parse(text.replace(BIG_INTEGER, '$1"$2"'))
  } catch {
    return JSON.parse(text.replace(STRING_OR_BIG_INTEGER, (token) => (token[0] === '"' ? token : `"${token}"`)))
  }
}
