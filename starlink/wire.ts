import * as z from 'zod/mini'

/** The vendor omits a field or sends null; both become null. */
export const maybe = <T extends z.core.SomeType>(schema: T) =>
  z.pipe(
    z.nullish(schema),
    z.transform((value) => value ?? null),
  )

/** Longer ones are cut off: names are indexed, and each list shows them. */
const MAX_NAME = 300
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g
const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u

/**
 * Customers name their dishes, and messages to others contain the names: a line break would begin another line of a text
 * message, and some characters reverse what follows them. A name that nobody sees is none.
 */
const toName = (text: string) => {
  const line = text.slice(0, MAX_NAME).toWellFormed().replace(BREAKS, ' ').replace(DIRECTIONS, '')
  return VISIBLE.test(line) ? line : ''
}
export const name = z.pipe(z.string(), z.transform(toName))

/** What identifies an item cannot be cut off: an item with an implausible one is not read. */
export const id = z.string().check(z.minLength(1), z.maxLength(200))

/** An implausible coordinate is unknown. */
const degrees = (max: number) =>
  z.pipe(
    z.number(),
    z.transform((value) => (Math.abs(value) <= max ? value : null)),
  )

/** Beyond this an amount is an error of the vendor, and could not be stored or added up. */
const MAX_AMOUNT = 1e9
const price = z.number().check(z.gte(-MAX_AMOUNT), z.lte(MAX_AMOUNT))

/** Less than nothing is nothing. */
export const gigabytes = z.pipe(
  z.number().check(z.lte(MAX_AMOUNT)),
  z.transform((amount) => Math.max(0, amount)),
)

const DAY = /^\d{4}-\d\d-\d\d$/

/** PostgreSQL has no year 0. */
const isInCalendar = (day: string) => {
  const ms = Date.parse(`${day}T00:00:00Z`)
  return DAY.test(day) && day >= '0001' && !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day)
}

/** Every line of an account reports the same days. */
const MAX_KNOWN_DAYS = 1_000
const knownDays = new Set<string>()

/** Whether a moment begins with a day of the calendar. */
const isDay = (text: string) => {
  const day = text.slice(0, 10)
  if (knownDays.has(day)) return true
  if (!isInCalendar(day)) return false
  if (knownDays.size < MAX_KNOWN_DAYS) knownDays.add(day)
  return true
}
/** A moment of which the day is stored. */
export const day = z.string().check(z.refine(isDay))

const list = <T extends z.core.SomeType>(schema: T) =>
  z.pipe(
    z.nullish(z.array(schema)),
    z.transform((value) => value ?? []),
  )

const Complaint = z.looseObject({ memberNames: list(z.string()), errorMessage: maybe(name) })

/** The envelope of every response. `content` is parsed with the schema of the call. */
export const Envelope = z.looseObject({
  content: z.optional(z.unknown()),
  errors: list(Complaint),
  warnings: list(Complaint),
  information: list(z.string()),
  isValid: z.boolean(),
})

export const Page = z.looseObject({
  pageIndex: z.number(),
  limit: z.number(),
  isLastPage: z.boolean(),
  results: list(z.unknown()),
  totalCount: z.number(),
})

export const Token = z.looseObject({ access_token: z.string(), expires_in: z.number() })

export const Account = z.looseObject({
  accountNumber: id,
  regionCode: z.string(),
  accountName: maybe(name),
  activeSuspensions: list(z.string()),
})
export type Account = z.infer<typeof Account>

const AddressFields = z.looseObject({
  addressReferenceId: id,
  addressLines: list(name),
  locality: maybe(name),
  administrativeArea: maybe(name),
  administrativeAreaCode: maybe(name),
  region: maybe(name),
  regionCode: maybe(name),
  postalCode: maybe(name),
  metadata: maybe(name),
  formattedAddress: maybe(name),
  latitude: maybe(degrees(90)),
  longitude: maybe(degrees(180)),
})

/** An address without a place has 0, 0, where there is only sea. */
export const Address = z.pipe(
  AddressFields,
  z.transform((address) =>
    address.latitude === 0 && address.longitude === 0 ? { ...address, latitude: null, longitude: null } : address,
  ),
)
export type Address = z.infer<typeof Address>

const DataProduct = z.looseObject({
  productId: maybe(name),
  price: z.number(),
  isoCurrencyCode: maybe(name),
  dataAmount: z.number(),
  dataUnit: maybe(name),
})

export const Product = z.looseObject({
  productReferenceId: id,
  name,
  price,
  isoCurrencyCode: maybe(name),
  isSla: z.boolean(),
  maxNumberOfUserTerminals: maybe(z.number()),
  dataProducts: maybe(z.looseObject({ topUpProduct: maybe(DataProduct), dataBlockProducts: list(DataProduct) })),
})
export type Product = z.infer<typeof Product>

const DataBlockSummary = z.looseObject({
  productId: maybe(name),
  startDate: z.string(),
  expirationDate: z.string(),
  count: z.number(),
  dataAmount: z.number(),
  dataUnitType: maybe(name),
})

export const ServiceLine = z.looseObject({
  addressReferenceId: maybe(name),
  serviceLineNumber: id,
  nickname: maybe(name),
  productReferenceId: maybe(name),
  delayedProductId: maybe(name),
  optInProductId: maybe(name),
  startDate: maybe(name),
  endDate: maybe(name),
  publicIp: z.boolean(),
  active: z.boolean(),
  dataBlocks: maybe(
    z.looseObject({
      recurringBlocksCurrentBillingCycle: list(DataBlockSummary),
      recurringBlocksNextBillingCycle: list(DataBlockSummary),
      delayedProductRecurringBlocksNextCycle: list(DataBlockSummary),
      topUpBlocksOptInPurchase: list(DataBlockSummary),
      topUpBlocksOneTimePurchase: list(DataBlockSummary),
    }),
  ),
})
export type ServiceLine = z.infer<typeof ServiceLine>

export const Router = z.looseObject({
  routerId: id,
  nickname: maybe(name),
  userTerminalId: maybe(name),
  configId: maybe(name),
})
export type Router = z.infer<typeof Router>

export const UserTerminal = z.looseObject({
  userTerminalId: id,
  nickname: maybe(name),
  kitSerialNumber: name,
  dishSerialNumber: name,
  serviceLineNumber: maybe(name),
  routers: list(Router),
})
export type UserTerminal = z.infer<typeof UserTerminal>

export const OptInState = z.looseObject({
  productId: maybe(name),
  activatedDate: maybe(name),
  deactivatedDate: maybe(name),
  isInOptInCoolDown: z.boolean(),
})
export type OptInState = z.infer<typeof OptInState>
