import * as z from 'zod/mini'

/** The vendor omits a field or sends null; both become null. */
export const maybe = <T extends z.core.SomeType>(schema: T) =>
  z.pipe(
    z.nullish(schema),
    z.transform((value) => value ?? null),
  )

const list = <T extends z.core.SomeType>(schema: T) =>
  z.pipe(
    z.nullish(z.array(schema)),
    z.transform((value) => value ?? []),
  )

const Complaint = z.looseObject({ memberNames: list(z.string()), errorMessage: maybe(z.string()) })

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
  accountNumber: z.string(),
  regionCode: z.string(),
  accountName: maybe(z.string()),
  activeSuspensions: list(z.string()),
})
export type Account = z.infer<typeof Account>

export const Address = z.looseObject({
  addressReferenceId: z.string(),
  addressLines: list(z.string()),
  locality: maybe(z.string()),
  administrativeArea: maybe(z.string()),
  administrativeAreaCode: maybe(z.string()),
  region: maybe(z.string()),
  regionCode: maybe(z.string()),
  postalCode: maybe(z.string()),
  metadata: maybe(z.string()),
  formattedAddress: maybe(z.string()),
  latitude: maybe(z.number()),
  longitude: maybe(z.number()),
})
export type Address = z.infer<typeof Address>

const DataProduct = z.looseObject({
  productId: maybe(z.string()),
  price: z.number(),
  isoCurrencyCode: maybe(z.string()),
  dataAmount: z.number(),
  dataUnit: maybe(z.string()),
})

export const Product = z.looseObject({
  productReferenceId: z.string(),
  name: z.string(),
  price: z.number(),
  isoCurrencyCode: maybe(z.string()),
  isSla: z.boolean(),
  maxNumberOfUserTerminals: maybe(z.number()),
  dataProducts: maybe(z.looseObject({ topUpProduct: maybe(DataProduct), dataBlockProducts: list(DataProduct) })),
})
export type Product = z.infer<typeof Product>

const DataBlockSummary = z.looseObject({
  productId: maybe(z.string()),
  startDate: z.string(),
  expirationDate: z.string(),
  count: z.number(),
  dataAmount: z.number(),
  dataUnitType: maybe(z.string()),
})

export const ServiceLine = z.looseObject({
  addressReferenceId: maybe(z.string()),
  serviceLineNumber: z.string(),
  nickname: maybe(z.string()),
  productReferenceId: maybe(z.string()),
  delayedProductId: maybe(z.string()),
  optInProductId: maybe(z.string()),
  startDate: maybe(z.string()),
  endDate: maybe(z.string()),
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
  routerId: z.string(),
  nickname: maybe(z.string()),
  userTerminalId: maybe(z.string()),
  configId: maybe(z.string()),
})
export type Router = z.infer<typeof Router>

export const UserTerminal = z.looseObject({
  userTerminalId: z.string(),
  nickname: maybe(z.string()),
  kitSerialNumber: z.string(),
  dishSerialNumber: z.string(),
  serviceLineNumber: maybe(z.string()),
  routers: list(Router),
})
export type UserTerminal = z.infer<typeof UserTerminal>

export const OptInState = z.looseObject({
  productId: maybe(z.string()),
  activatedDate: maybe(z.string()),
  deactivatedDate: maybe(z.string()),
  isInOptInCoolDown: z.boolean(),
})
export type OptInState = z.infer<typeof OptInState>
