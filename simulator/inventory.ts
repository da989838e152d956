import { getCycle, listTopUps } from './billing.ts'
import { type Changes, getNickname, hasPublicIp, isOptedIn } from './changes.ts'
import type { Fleet, FleetAccount, Line, Terminal } from './fleet.ts'
import { BLOCK_PRODUCTS, type BlockProduct, getOptInProductId, PLANS } from './plans.ts'
import { findEndMs, isActive } from './season.ts'

const formatIso = (ms: number) => new Date(ms).toISOString()

export const toWireAccount = ({ number, name }: FleetAccount) => ({
  accountNumber: number,
  regionCode: 'US',
  accountName: name,
  activeSuspensions: [],
})

export const toWireAddress = ({ addressId, street, place, latitude, longitude }: Line) => ({
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

const toWireBlockProduct = ({ productId, gb, priceUsd }: BlockProduct) => ({
  productId,
  price: priceUsd,
  isoCurrencyCode: 'USD',
  dataAmount: gb,
  dataUnit: 'GB',
})

export const listWireProducts = () =>
  PLANS.map(({ productId, name, priceUsd, family }) => {
    const blocks = BLOCK_PRODUCTS.filter((block) => block.family === family).map(toWireBlockProduct)
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

export const toWireLine = (fleet: Fleet, changes: Changes, line: Line, nowMs: number) => {
  const cycle = getCycle(fleet, line.account, nowMs)
  const endedMs = findEndMs(line, nowMs)
  const recurring = {
    productId: `${line.plan.family}-priority-block-${line.plan.blockGb}gb-usd`,
    count: line.plan.blockCount,
    dataAmount: line.plan.blockGb,
    dataUnitType: 'GB',
  }
  const next = getCycle(fleet, line.account, cycle.endMs)
  return {
    addressReferenceId: line.addressId,
    serviceLineNumber: line.number,
    nickname: getNickname(changes, line),
    productReferenceId: line.plan.productId,
    delayedProductId: null,
    optInProductId: isOptedIn(changes, line, nowMs) ? getOptInProductId(line.plan) : null,
    startDate: formatIso(line.startedMs),
    endDate: endedMs === null ? null : formatIso(endedMs),
    publicIp: hasPublicIp(changes, line, nowMs),
    active: isActive(line, nowMs),
    aviationMetadata: null,
    dataBlocks: {
      recurringBlocksCurrentBillingCycle: [
        { ...recurring, startDate: formatIso(cycle.startMs), expirationDate: formatIso(cycle.endMs) },
      ],
      recurringBlocksNextBillingCycle: [
        { ...recurring, startDate: formatIso(next.startMs), expirationDate: formatIso(next.endMs) },
      ],
      delayedProductRecurringBlocksNextCycle: [],
      topUpBlocksOptInPurchase: [],
      topUpBlocksOneTimePurchase: listTopUps(changes, line, cycle, nowMs).map(({ productId, count, atMs }) => ({
        productId,
        startDate: formatIso(atMs),
        expirationDate: formatIso(cycle.endMs),
        count,
        dataAmount: BLOCK_PRODUCTS.find((block) => block.productId === productId)?.gb ?? 0,
        dataUnitType: 'GB',
      })),
    },
  }
}

export const toWireRouter = (terminal: Terminal, routerId: string) => ({
  routerId,
  nickname: null,
  userTerminalId: terminal.terminalId,
  configId: null,
  hardwareVersion: null,
  lastBonded: null,
})

export const toWireTerminal = (terminal: Terminal) => ({
  userTerminalId: terminal.terminalId,
  nickname: null,
  kitSerialNumber: terminal.kitSerial,
  dishSerialNumber: terminal.dishSerial,
  serviceLineNumber: terminal.line?.number ?? null,
  l2VpnCircuits: [],
  routers: terminal.routerIds.map((routerId) => toWireRouter(terminal, routerId)),
})
