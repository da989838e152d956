import * as z from 'zod/mini'
import { day, gigabytes, id, maybe, name } from './wire.ts'

// Not loose, because an account has hundreds of days of each line.
const DailyUsage = z.object({
  date: day,
  priorityGB: gigabytes,
  // Included in priorityGB, so do not add it.
  optInPriorityGB: gigabytes,
  standardGB: gigabytes,
  nonBillableGB: gigabytes,
})

// Stored as it is, and each list of terminals contains it.
export const DataBlock = z.object({
  dataBlockId: name,
  startDateUtc: name,
  expirationDateUtc: name,
  totalAmountGB: gigabytes,
  consumedAmountGB: gigabytes,
  perBlockAmountGB: gigabytes,
  // Not an enum, so that an unknown type does not make the whole line unreadable.
  dataBlockType: name,
  productId: maybe(name),
  blocksCount: z.number(),
  perBlockPrice: z.number(),
  totalPrice: z.number(),
  isoCurrencyCode: maybe(name),
})
export type DataBlock = z.infer<typeof DataBlock>

const DataPoolUsage = z.looseObject({
  dataPoolId: z.string(),
  lastUpdated: maybe(z.string()),
  dataBlocks: z.array(DataBlock),
})

const OverageLine = z.looseObject({
  pricePerGB: z.number(),
  usageLimitGB: gigabytes,
  overageAmountGB: gigabytes,
  consumedAmountGB: gigabytes,
  overagePrice: z.number(),
  productId: maybe(z.string()),
})

/** A cycle takes a month. Forecasts compute each day until its end. */
const MAX_CYCLE_DAYS = 366
const DAY_MS = 86_400_000

const toDayMs = (moment: string) => Date.parse(`${moment.slice(0, 10)}T00:00:00Z`)

const isCycle = ({ startDate, endDate }: { startDate: string; endDate: string }) => {
  const days = (toDayMs(endDate) - toDayMs(startDate)) / DAY_MS
  return days > 0 && days <= MAX_CYCLE_DAYS
}

const CycleFields = z.looseObject({
  startDate: day,
  endDate: day,
  dailyDataUsage: z.array(DailyUsage),
  overageLines: maybe(z.array(OverageLine)),
  dataPoolUsage: maybe(z.array(DataPoolUsage)),
  totalPriorityGB: gigabytes,
  totalStandardGB: gigabytes,
  totalOptInPriorityGB: gigabytes,
  totalNonBillableGB: gigabytes,
})
export const BillingCycle = CycleFields.check(z.refine(isCycle))
export type BillingCycle = z.infer<typeof BillingCycle>

export const LineUsage = z.looseObject({
  accountNumber: maybe(z.string()),
  serviceLineNumber: id,
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
      usageLimitGB: gigabytes,
    }),
  ),
  lastUpdated: maybe(z.string()),
})
export type LineUsage = z.infer<typeof LineUsage>
