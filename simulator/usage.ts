import { type Cycle, cycleAt, DAY_MS, type DayUse, topUpsIn, usedInCycle } from './billing.ts'
import { type Changes, isOptedIn, switchAt } from './changes.ts'
import type { Fleet, Line } from './fleet.ts'
import { round } from './noise.ts'
import { BLOCK_PRODUCTS, getOptInProductId, overagePricePerGb } from './plans.ts'
import { endedAt } from './season.ts'

const iso = (ms: number) => new Date(ms).toISOString()
const gb = (value: number) => round(value, 2)
const sum = (days: readonly DayUse[], of: (day: DayUse) => number) =>
  gb(days.reduce((total, day) => total + of(day), 0))

type World = { fleet: Fleet; changes: Changes }

export const usageAnswer = (world: World, line: Line, previousCycles: number, nowMs: number) => {
  const { fleet, changes } = world
  const cycles = Array.from({ length: previousCycles + 1 }, (_, nth) =>
    cycleAt(fleet, line.account, nowMs, previousCycles - nth),
  )
  const endedMs = endedAt(line, nowMs)
  const optedOut = switchAt(changes.lines.get(line)?.optIn ?? [], nowMs)
  const current = cycles.at(-1) ?? cycleAt(fleet, line.account, nowMs)
  const topUpGb = topUpsIn(changes, line, current, nowMs).reduce((total, { productId, count }) => {
    return total + (BLOCK_PRODUCTS.find((block) => block.productId === productId)?.gb ?? 0) * count
  }, 0)
  return {
    accountNumber: fleet.accounts[line.account]?.number ?? '',
    serviceLineNumber: line.number,
    startDate: iso(cycles[0]?.startMs ?? nowMs),
    endDate: iso(current.endMs),
    billingCycles: cycles.map((cycle) => cycleAnswer(world, line, cycle, nowMs)),
    servicePlan: {
      isoCurrencyCode: 'USD',
      isMobilePlan: line.plan.family === 'global',
      activeFrom: iso(line.startedMs),
      subscriptionActiveFrom: iso(line.startedMs),
      subscriptionEndDate: endedMs === null ? null : iso(endedMs),
      overageName: 'Priority data by the GB',
      overageDescription: 'Charged for each GB beyond the plan while opted in.',
      isOptedIntoOverage: isOptedIn(changes, line, nowMs),
      overageLineDeactivatedDate: optedOut && !optedOut.on ? iso(optedOut.atMs) : null,
      overageLine: null,
      dataPoolUsage: null,
      productId: line.plan.productId,
      usageLimitGB: line.plan.limitGb + topUpGb,
      dataCategoryMapping: {},
    },
    lastUpdated: iso(nowMs),
  }
}

const cycleAnswer = (world: World, line: Line, cycle: Cycle, nowMs: number) => {
  const days = usedInCycle(world.fleet, world.changes, line, cycle, nowMs)
  return {
    startDate: iso(cycle.startMs),
    endDate: iso(cycle.endMs),
    // Days without use are left out, as the vendor does.
    dailyDataUsage: days.map((day) => ({
      date: iso(day.day * DAY_MS),
      priorityGB: gb(day.priorityGb),
      optInPriorityGB: gb(day.optInGb),
      standardGB: gb(day.gb - day.priorityGb),
      nonBillableGB: gb(day.gb * 0.004),
    })),
    overageLines: [],
    dataPoolUsage: [poolAnswer(world, line, cycle, days, nowMs)],
    totalPriorityGB: sum(days, (day) => day.priorityGb),
    totalStandardGB: sum(days, (day) => day.gb - day.priorityGb),
    totalOptInPriorityGB: sum(days, (day) => day.optInGb),
    totalNonBillableGB: sum(days, (day) => day.gb * 0.004),
  }
}

const poolAnswer = ({ fleet, changes }: World, line: Line, cycle: Cycle, days: readonly DayUse[], nowMs: number) => {
  const { plan } = line
  const optInGb = days.reduce((total, day) => total + day.optInGb, 0)
  let leftGb = days.reduce((total, day) => total + day.priorityGb, 0) - optInGb
  const block = (
    nth: number,
    type: string,
    productId: string,
    count: number,
    each: { gb: number; usd: number },
    startMs = cycle.startMs,
  ) => {
    const totalGb = each.gb * count
    const consumedGb = type === 'Overage' ? totalGb : Math.min(totalGb, leftGb)
    if (type !== 'Overage') leftGb -= consumedGb
    return {
      dataBlockId: `${line.number}-${cycle.startMs / DAY_MS}-${nth}`,
      startDateUtc: iso(startMs),
      expirationDateUtc: iso(cycle.endMs),
      totalAmountGB: gb(totalGb),
      consumedAmountGB: gb(consumedGb),
      perBlockAmountGB: gb(each.gb),
      dataBlockType: type,
      productId,
      blocksCount: count,
      perBlockPrice: each.usd,
      totalPrice: round(each.usd * count, 2),
      isoCurrencyCode: 'USD',
      serviceLineUsage: [{ serviceLineNumber: line.number, consumedAmountGB: gb(consumedGb) }],
      monthlyUsage: [],
    }
  }
  // The smallest plans hold their data in the subscription itself, the others in blocks bought each month.
  const isIncluded = plan.blockGb === 50
  const recurringId = `${plan.family}-priority-block-${plan.blockGb}gb-usd`
  const blocks = [
    block(
      0,
      isIncluded ? 'IncludedWithBaseSubscription' : 'RecurringPerBillingCycle',
      isIncluded ? plan.productId : recurringId,
      plan.blockCount,
      {
        gb: plan.blockGb,
        usd: isIncluded ? 0 : plan.blockPriceUsd,
      },
    ),
    ...topUpsIn(changes, line, cycle, nowMs).map(({ productId, count, atMs }, nth) => {
      const product = BLOCK_PRODUCTS.find((candidate) => candidate.productId === productId)
      return block(
        1 + nth,
        'OneTimePurchase',
        productId,
        count,
        { gb: product?.gb ?? 0, usd: product?.priceUsd ?? 0 },
        atMs,
      )
    }),
  ]
  if (optInGb > 0) {
    blocks.push(
      block(99, 'Overage', getOptInProductId(plan), 1, {
        gb: optInGb,
        usd: round(optInGb * overagePricePerGb(plan), 2),
      }),
    )
  }
  return {
    accountNumber: fleet.accounts[line.account]?.number ?? '',
    dataPoolId: `pool-${line.number}`,
    lastUpdated: iso(Math.min(nowMs, cycle.endMs)),
    dataBlocks: blocks,
  }
}
