import { type Cycle, DAY_MS, type DayUse, getCycle, listDailyUse, listTopUps } from './billing.ts'
import { type FleetState, findSwitch, isOptedIn } from './changes.ts'
import type { Line } from './fleet.ts'
import { round } from './noise.ts'
import { BLOCK_PRODUCTS, getOptInProductId, getOveragePricePerGb } from './plans.ts'
import { findEndMs } from './season.ts'

const formatIso = (ms: number) => new Date(ms).toISOString()
const roundGb = (value: number) => round(value, 2)
const sumGb = (days: readonly DayUse[], of: (day: DayUse) => number) =>
  roundGb(days.reduce((total, day) => total + of(day), 0))

export const toWireUsage = (state: FleetState, line: Line, previousCycles: number, nowMs: number) => {
  const { fleet, changes } = state
  const cycles = Array.from({ length: previousCycles + 1 }, (_, nth) =>
    getCycle(fleet, line.account, nowMs, previousCycles - nth),
  )
  const endedMs = findEndMs(line, nowMs)
  const optedOut = findSwitch(changes.lines.get(line)?.optIn ?? [], nowMs)
  const current = cycles.at(-1) ?? getCycle(fleet, line.account, nowMs)
  const topUpGb = listTopUps(changes, line, current, nowMs).reduce((total, { productId, count }) => {
    return total + (BLOCK_PRODUCTS.find((block) => block.productId === productId)?.gb ?? 0) * count
  }, 0)
  return {
    accountNumber: fleet.accounts[line.account]?.number ?? '',
    serviceLineNumber: line.number,
    startDate: formatIso(cycles[0]?.startMs ?? nowMs),
    endDate: formatIso(current.endMs),
    billingCycles: cycles.map((cycle) => toWireCycle(state, line, cycle, nowMs)),
    servicePlan: {
      isoCurrencyCode: 'USD',
      isMobilePlan: line.plan.family === 'global',
      activeFrom: formatIso(line.startedMs),
      subscriptionActiveFrom: formatIso(line.startedMs),
      subscriptionEndDate: endedMs === null ? null : formatIso(endedMs),
      overageName: 'Priority data by the GB',
      overageDescription: 'Charged for each GB beyond the plan while opted in.',
      isOptedIntoOverage: isOptedIn(changes, line, nowMs),
      overageLineDeactivatedDate: optedOut && !optedOut.on ? formatIso(optedOut.atMs) : null,
      overageLine: null,
      dataPoolUsage: null,
      productId: line.plan.productId,
      usageLimitGB: line.plan.limitGb + topUpGb,
      dataCategoryMapping: {},
    },
    lastUpdated: formatIso(nowMs),
  }
}

const toWireCycle = (state: FleetState, line: Line, cycle: Cycle, nowMs: number) => {
  const days = listDailyUse(state.fleet, state.changes, line, cycle, nowMs)
  return {
    startDate: formatIso(cycle.startMs),
    endDate: formatIso(cycle.endMs),
    // Like the vendor, leaves out days without usage.
    dailyDataUsage: days.map((day) => ({
      date: formatIso(day.day * DAY_MS),
      priorityGB: roundGb(day.priorityGb),
      optInPriorityGB: roundGb(day.optInGb),
      standardGB: roundGb(day.gb - day.priorityGb),
      nonBillableGB: roundGb(day.gb * 0.004),
    })),
    overageLines: [],
    dataPoolUsage: [toWirePool(state, line, cycle, days, nowMs)],
    totalPriorityGB: sumGb(days, (day) => day.priorityGb),
    totalStandardGB: sumGb(days, (day) => day.gb - day.priorityGb),
    totalOptInPriorityGB: sumGb(days, (day) => day.optInGb),
    totalNonBillableGB: sumGb(days, (day) => day.gb * 0.004),
  }
}

const toWirePool = (
  { fleet, changes }: FleetState,
  line: Line,
  cycle: Cycle,
  days: readonly DayUse[],
  nowMs: number,
) => {
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
      startDateUtc: formatIso(startMs),
      expirationDateUtc: formatIso(cycle.endMs),
      totalAmountGB: roundGb(totalGb),
      consumedAmountGB: roundGb(consumedGb),
      perBlockAmountGB: roundGb(each.gb),
      dataBlockType: type,
      productId,
      blocksCount: count,
      perBlockPrice: each.usd,
      totalPrice: round(each.usd * count, 2),
      isoCurrencyCode: 'USD',
      serviceLineUsage: [{ serviceLineNumber: line.number, consumedAmountGB: roundGb(consumedGb) }],
      monthlyUsage: [],
    }
  }
  // The smallest plans include their data in the subscription itself, the others in blocks bought each month.
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
    ...listTopUps(changes, line, cycle, nowMs).map(({ productId, count, atMs }, nth) => {
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
        usd: round(optInGb * getOveragePricePerGb(plan), 2),
      }),
    )
  }
  return {
    accountNumber: fleet.accounts[line.account]?.number ?? '',
    dataPoolId: `pool-${line.number}`,
    lastUpdated: formatIso(Math.min(nowMs, cycle.endMs)),
    dataBlocks: blocks,
  }
}
