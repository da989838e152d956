import { cycleAt, topUpsIn } from './billing.ts'
import { type Changes, getNickname, hasPublicIp, isOptedIn } from './changes.ts'
import type { Fleet, FleetAccount, Line, Terminal } from './fleet.ts'
import { BLOCK_PRODUCTS, type BlockProduct, getOptInProductId, PLANS } from './plans.ts'
import { endedAt, isActive } from './season.ts'

const iso = (ms: number) => new Date(ms).toISOString()

export const accountAnswer = ({ number, name }: FleetAccount) => ({
  accountNumber: number,
  regionCode: 'US',
  accountName: name,
  activeSuspensions: [],
})

export const addressAnswer = ({ addressId, street, place, latitude, longitude }: Line) => ({
  addressReferenceId: addressId,
  addressLines: [street],
  locality: place.name,
  administrativeArea: 'Alaska',
  administrativeAreaCode: 'AK',
  region: 'United States',
  regionCode: 'US',
  postalCode: place.postalCode,
  metadata: null,
  formattedAddress: `${street}, ${place.name}, AK ${place.postalCode}, US`,
  latitude,
  longitude,
})

const blockProductAnswer = ({ productId, gb, priceUsd }: BlockProduct) => ({
  productId,
  price: priceUsd,
  isoCurrencyCode: 'USD',
  dataAmount: gb,
  dataUnit: 'GB',
})

export const listProductAnswers = () =>
  PLANS.map(({ productId, name, priceUsd, family }) => {
    const blocks = BLOCK_PRODUCTS.filter((block) => block.family === family).map(blockProductAnswer)
    return {
      productReferenceId: productId,
      name,
      price: priceUsd,
      isoCurrencyCode: 'USD',
      isSla: false,
      maxNumberOfUserTerminals: null,
      dataProducts: { topUpProduct: blocks[0], dataBlockProducts: blocks },
    }
  })

export const lineAnswer = (fleet: Fleet, changes: Changes, line: Line, nowMs: number) => {
  const cycle = cycleAt(fleet, line.account, nowMs)
  const endedMs = endedAt(line, nowMs)
  const recurring = {
    productId: `${line.plan.family}-priority-block-${line.plan.blockGb}gb-usd`,
    count: line.plan.blockCount,
    dataAmount: line.plan.blockGb,
    dataUnitType: 'GB',
  }
  const next = cycleAt(fleet, line.account, cycle.endMs)
  return {
    addressReferenceId: line.addressId,
    serviceLineNumber: line.number,
    nickname: getNickname(changes, line),
    productReferenceId: line.plan.productId,
    delayedProductId: null,
    optInProductId: isOptedIn(changes, line, nowMs) ? getOptInProductId(line.plan) : null,
    startDate: iso(line.startedMs),
    endDate: endedMs === null ? null : iso(endedMs),
    publicIp: hasPublicIp(changes, line, nowMs),
    active: isActive(line, nowMs),
    aviationMetadata: null,
    dataBlocks: {
      recurringBlocksCurrentBillingCycle: [
        { ...recurring, startDate: iso(cycle.startMs), expirationDate: iso(cycle.endMs) },
      ],
      recurringBlocksNextBillingCycle: [
        { ...recurring, startDate: iso(next.startMs), expirationDate: iso(next.endMs) },
      ],
      delayedProductRecurringBlocksNextCycle: [],
      topUpBlocksOptInPurchase: [],
      topUpBlocksOneTimePurchase: topUpsIn(changes, line, cycle, nowMs).map(({ productId, count, atMs }) => ({
        productId,
        startDate: iso(atMs),
        expirationDate: iso(cycle.endMs),
        count,
        dataAmount: BLOCK_PRODUCTS.find((block) => block.productId === productId)?.gb ?? 0,
        dataUnitType: 'GB',
      })),
    },
  }
}

export const routerAnswer = (terminal: Terminal, routerId: string) => ({
  routerId,
  nickname: null,
  userTerminalId: terminal.terminalId,
  configId: null,
  hardwareVersion: null,
  lastBonded: null,
})

export const terminalAnswer = (terminal: Terminal) => ({
  userTerminalId: terminal.terminalId,
  nickname: null,
  kitSerialNumber: terminal.kitSerial,
  dishSerialNumber: terminal.dishSerial,
  serviceLineNumber: terminal.line?.number ?? null,
  l2VpnCircuits: [],
  routers: terminal.routerIds.map((routerId) => routerAnswer(terminal, routerId)),
})
