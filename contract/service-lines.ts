import * as z from 'zod/mini'
import { route } from './route.ts'
import { choice, requiredText, text, textLike } from './text.ts'

export const lineTextMessage = 'Only letters, numbers, spaces, underscores, and dashes are accepted.'
export const metadataMaxLength = 60

// Letters of any script, because of place names such as Utqiaġvik. A few letters and marks are blank.
const lineTextPattern = /^(?:(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{M}\p{N} _-])*$/u
const tableMetadataPattern = /^(?:(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{M}\p{N} ])*$/u

/** The rule of the terminal page for names and metadata. The server applies this wider rule to every screen. */
export const isLineTextAllowed = (value: string) => lineTextPattern.test(value)

/** The narrower rule of the metadata editor in the table. */
export const isTableMetadataAllowed = (value: string) =>
  value.length <= metadataMaxLength && tableMetadataPattern.test(value)

/** A line in a path: its nickname, kit number or service line number. */
export const LineKey = requiredText(200)

/** A service line number that must belong to the line in the path. */
export const ServiceLineNumber = requiredText(100)

/** Text of a line that can be cleared: an empty value is saved as null. */
// @__NO_SIDE_EFFECTS__
export function lineText(max: number) {
  return z.codec(z.nullable(textLike(max, lineTextPattern, lineTextMessage)), z.nullable(text(max)), {
    decode: (value) => value || null,
    encode: (value) => value,
  })
}

export const MetadataField = choice(['metadata1', 'metadata2', 'metadata3'])
export type MetadataField = z.output<typeof MetadataField>

export const serviceLines = {
  setMetadata: route({
    method: 'PATCH',
    path: '/service-lines/:nickname/metadata/:field/',
    // Access to metadata has levels, so the handler checks it.
    access: 'user',
    summary: 'Change one metadata field of a service line',
    input: z.strictObject({
      nickname: LineKey,
      field: MetadataField,
      value: lineText(metadataMaxLength),
      sl: z.optional(ServiceLineNumber),
    }),
    output: z.object({ value: z.nullable(z.string()) }),
  }),
}
