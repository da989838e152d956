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

const blockTypes = new Map([
  ['IncludedWithBaseSubscription', 'included'],
  ['RecurringPerBillingCycle', 'Recurring'],
  ['OneTimePurchase', 'Top Up'],
])

/** What a block is called on pages. A kind that the vendor added later is shown by its name. */
export const formatBlockType = ({ dataBlockType }: DataBlock) => blockTypes.get(dataBlockType) ?? dataBlockType
