import * as z from 'zod/mini'
import { jsonTextList } from './codecs.ts'

/**
 * A part of a line's data: included, recurring, purchased once, overage, or a kind that the vendor added later.
 */
export const DataBlock = z.object({
  dataBlockType: z.string(),
  consumedAmountGB: z.nullish(z.number()),
  totalAmountGB: z.nullish(z.number()),
})
export type DataBlock = z.output<typeof DataBlock>

export const dataBlocks = jsonTextList(DataBlock)
