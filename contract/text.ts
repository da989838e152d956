import * as z from 'zod/mini'

/**
 * PostgreSQL cannot store U+0000, and UTF-8 cannot encode a lone surrogate. This is a pattern and not a function, so that
 * the OpenAPI document contains it.
 */
const storable = /^[^\0\p{Cs}]*$/u

/** Text in a request: bounded and storable. */
// @__NO_SIDE_EFFECTS__
export function text(max: number) {
  return z
    .string()
    .check(
      z.maxLength(max, { error: `Please enter at most ${max} characters.`, abort: true }),
      z.regex(storable, 'Please remove characters that cannot be stored.'),
    )
}

/** Some letters are blank too: a name of them would be a link that nobody sees. */
const visible = /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u

/** A form field that must not be blank; outer spaces are trimmed. */
// @__NO_SIDE_EFFECTS__
export function requiredText(max: number) {
  return text(max).check(z.trim(), z.regex(visible, 'This field is required.'))
}

/** Without line breaks, and without the characters that reverse the text after them, such as the end of a file name. */
const oneLine = /^[^\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u

/** A required single-line field. Names are used in mail headers and tables, where a line break would do harm. */
// @__NO_SIDE_EFFECTS__
export function requiredLine(max: number) {
  return requiredText(max).check(z.regex(oneLine, 'Please remove line breaks and control characters.'))
}

/** Text that must match a pattern, with the error message otherwise. */
// @__NO_SIDE_EFFECTS__
export function textLike(max: number, pattern: RegExp, error: string) {
  return text(max).check(z.trim(), z.regex(pattern, error))
}

/** An id that is a UUID. */
// @__NO_SIDE_EFFECTS__
export function uuid(error: string) {
  return textLike(36, /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/, error)
}

/** One of a few values. */
// @__NO_SIDE_EFFECTS__
export function choice<const Words extends readonly string[]>(words: Words) {
  return z.enum(words, `Please choose one of: ${words.join(', ')}.`)
}
