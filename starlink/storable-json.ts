const ODD = /\\u(?:0000|d[89a-f])/i
const ESCAPE = /\\(?:u0000|u[dD][89abAB][\dA-Fa-f]{2}\\u[dD][C-Fc-f][\dA-Fa-f]{2}|u[dD][89A-Fa-f][\dA-Fa-f]{2}|.)/gs
const HALF_PAIR = /^\\u[dD][89A-Fa-f]..$/

/**
 * Removes the characters from a JSON text that PostgreSQL does not store: U+0000, and half of a surrogate pair, which
 * becomes U+FFFD. One odd name must not keep everything that arrives with it from being stored.
 */
export const toStorableJson = (text: string) =>
  ODD.test(text)
    ? text.replace(ESCAPE, (found) => (found === '\\u0000' ? '' : HALF_PAIR.test(found) ? '\\ufffd' : found))
    : text
