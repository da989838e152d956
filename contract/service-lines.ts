import * as z from 'zod/mini'
import { route } from './route.ts'
import { choice, requiredText, text, textLike } from './text.ts'

export const lineTextMessage = 'Only letters, numbers, spaces, underscores, and dashes are accepted.'
export const metadataMaxLength = 60

// Letters of any script: Utqiaġvik is a place here.
const lineTextPattern = /^[\p{L}\p{M}\p{N} _-]*$/u
const tableMetadataPattern = /^[\p{L}\p{M}\p{N} ]*$/u

/** The rule of the terminal page, for names and metadata; the server takes this wider one from every screen. */
export const isLineTextAllowed = (value: string) => lineTextPattern.test(value)

/** The narrower rule of the metadata editor in the table. */
export const isTableMetadataAllowed = (value: string) =>
  value.length <= metadataMaxLength && tableMetadataPattern.test(value)

/** What stands in a path for a line: its nickname, kit number or service line number. */
export const LineKey = requiredText(200)

/** A service line number that must belong to the line in the path. */
export const ServiceLineNumber = requiredText(100)

/** Text of a line that may be taken away: empty is saved as null. */
// @__NO_SIDE_EFFECTS__
export function lineText(max: number) {
  return z.codec(z.nullable(textLike(max, lineTextPattern, lineTextMessage)), z.nullable(text(max)), {
    decode: (value) => value || null,
    encode: (value) => value,
  })
}

const MetadataField = choice(['metadata1', 'metadata2', 'metadata3'])
export type MetadataField = z.output<typeof MetadataField>

export const serviceLines = {
  setMetadata: route({
    method: 'PATCH',
    path: '/service-lines/:nickname/metadata/:field/',
    // How much of the metadata a person may see or change is a level, so the handler decides.
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
