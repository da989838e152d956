import * as z from 'zod/mini'
import { maybe } from './wire.ts'

const DailyUsage = z.looseObject({
  date: z.string(),
  priorityGB: z.number(),
  // Included in priorityGB, so do not add it.
  optInPriorityGB: z.number(),
  standardGB: z.number(),
  nonBillableGB: z.number(),
})

export const DataBlock = z.looseObject({
  dataBlockId: z.string(),
  startDateUtc: z.string(),
  expirationDateUtc: z.string(),
  totalAmountGB: z.number(),
  consumedAmountGB: z.number(),
  perBlockAmountGB: z.number(),
  // Not an enum, so that an unknown type does not make the whole line unreadable.
  dataBlockType: z.string(),
  productId: maybe(z.string()),
  blocksCount: z.number(),
  perBlockPrice: z.number(),
  totalPrice: z.number(),
  isoCurrencyCode: maybe(z.string()),
})
export type DataBlock = z.infer<typeof DataBlock>

const DataPoolUsage = z.looseObject({
  dataPoolId: z.string(),
  lastUpdated: maybe(z.string()),
  dataBlocks: z.array(DataBlock),
})

const OverageLine = z.looseObject({
  pricePerGB: z.number(),
  usageLimitGB: z.number(),
  overageAmountGB: z.number(),
  consumedAmountGB: z.number(),
  overagePrice: z.number(),
  productId: maybe(z.string()),
})

export const BillingCycle = z.looseObject({
  startDate: z.string(),
  endDate: z.string(),
  dailyDataUsage: z.array(DailyUsage),
  overageLines: maybe(z.array(OverageLine)),
  dataPoolUsage: maybe(z.array(DataPoolUsage)),
  totalPriorityGB: z.number(),
  totalStandardGB: z.number(),
  totalOptInPriorityGB: z.number(),
  totalNonBillableGB: z.number(),
})
export type BillingCycle = z.infer<typeof BillingCycle>

export const LineUsage = z.looseObject({
  accountNumber: maybe(z.string()),
  serviceLineNumber: z.string(),
  startDate: z.string(),
  endDate: z.string(),
  /** Oldest first; the last one is the current cycle. */
  billingCycles: z.array(BillingCycle),
  servicePlan: maybe(
    z.looseObject({
      isoCurrencyCode: maybe(z.string()),
      isMobilePlan: z.boolean(),
      subscriptionActiveFrom: maybe(z.string()),
      subscriptionEndDate: maybe(z.string()),
      isOptedIntoOverage: z.boolean(),
      productId: maybe(z.string()),
      usageLimitGB: z.number(),
    }),
  ),
  lastUpdated: maybe(z.string()),
})
export type LineUsage = z.infer<typeof LineUsage>
