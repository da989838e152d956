import type * as z from 'zod/mini'
import { type Call, type CallerOptions, createCaller } from './caller.ts'
import { StarlinkError } from './errors.ts'
import { type Listing, listAll, type Reading, readPages } from './paging.ts'
import type { OnResponse } from './transport.ts'
import { Account, Address, OptInState, Product, Router, ServiceLine, UserTerminal } from './wire.ts'
import { LineUsage } from './wire-usage.ts'

export type StarlinkClientOptions = CallerOptions & {
  /** Called for problems that are not fatal: an unreadable item or inconsistent pages. */
  onWarning?: (message: string) => void
}

export type StarlinkClient = ReturnType<typeof createStarlinkClient>

type UsageQuery = {
  serviceLineNumbers?: string[]
  previousBillingCycles?: number
  activeServiceLinesOnly?: boolean
}

type StreamQuery = {
  batchSize: number
  maxLingerMs: number
  onResponse?: OnResponse
}

const USAGE_PAGE_LINES = 250
const RESPONSE_MARGIN_MS = 30_000
// A terminal takes 1.3 KB in the simulator's response, and an account can have 100,000.
const NEWEST_VALUES = { maxBytes: 256 * 1024 * 1024, timeoutMs: 120_000 }

/** The vendor's API V2. A client has one credential and sees one vendor account. */
export const createStarlinkClient = (options: StarlinkClientOptions) => {
  const { text, content } = createCaller(options)
  const onWarning = options.onWarning ?? (() => {})

  const read = async <S extends z.ZodMiniType>(shape: S, call: Call): Promise<z.infer<S>> => {
    const parsed = shape.safeParse(await content(call))
    if (parsed.success) return parsed.data
    const field = parsed.error.issues[0]?.path.join('.')
    throw new StarlinkError(`returned an unknown shape at '${field}'`, {
      failure: 'malformed',
      fate: 'unknown',
      status: 200,
      call: `${call.method} ${call.path}`,
    })
  }

  // The vendor's pages of lines, terminals, addresses and products have 100 items; no parameter changes that.
  const pages = <S extends z.ZodMiniType>(
    path: string,
    shape: S,
    getId: (item: z.infer<S>) => string,
    filter: Call['query'] = {},
  ) => ({
    name: `GET ${path}`,
    fetchPage: (page: number) => content({ method: 'GET', path, query: { ...filter, page }, repeatable: true }),
    shape,
    getId,
    onWarning,
  })
  const serviceLines = pages('/service-lines', ServiceLine, (item) => item.serviceLineNumber)
  const userTerminals = pages('/user-terminals', UserTerminal, (terminal) => terminal.userTerminalId)
  const usagePages = (query: UsageQuery) => ({
    name: 'POST /data-usage/query',
    fetchPage: (page: number) =>
      content({
        method: 'POST',
        path: '/data-usage/query',
        query: { page, limit: USAGE_PAGE_LINES },
        body: query,
        repeatable: true,
      }),
    shape: LineUsage,
    getId: (usage: LineUsage) => usage.serviceLineNumber,
    onWarning,
  })

  const line = (serviceLineNumber: string) => `/service-lines/${encodeURIComponent(serviceLineNumber)}`

  return {
    getAccount: () => read(Account, { method: 'GET', path: '/account', repeatable: true }),

    /** With these ids, or all. */
    listAddresses: (addressIds: readonly string[] = []): Promise<Listing<Address>> =>
      listAll(
        pages(
          '/addresses',
          Address,
          (address) => address.addressReferenceId,
          addressIds.length > 0 ? { addressIds } : {},
        ),
      ),

    listProducts: () => listAll(pages('/products', Product, (product) => product.productReferenceId)),

    listServiceLines: () => listAll(serviceLines),
    readServiceLines: (reading: Reading<ServiceLine>) => readPages(serviceLines, reading),

    listUserTerminals: () => listAll(userTerminals),
    readUserTerminals: (reading: Reading<UserTerminal>) => readPages(userTerminals, reading),

    getServiceLine: (serviceLineNumber: string) =>
      read(ServiceLine, { method: 'GET', path: line(serviceLineNumber), repeatable: true }),

    getRouter: (routerId: string) =>
      read(Router, { method: 'GET', path: `/routers/${encodeURIComponent(routerId)}`, repeatable: true }),

    queryUsage: (query: UsageQuery = {}) => listAll(usagePages(query)),
    readUsage: (query: UsageQuery, reading: Reading<LineUsage>) => readPages(usagePages(query), reading),

    /**
     * The exact raw body. Store it before parsing: the vendor advances its read index when it returns 200. So a retry
     * after a failure repeats no rows, but the rows of a response that was lost in transit are gone.
     */
    streamTelemetry: ({ batchSize, maxLingerMs, onResponse }: StreamQuery) =>
      text({
        method: 'POST',
        path: '/telemetry/stream',
        body: { batchSize, maxLingerMs },
        repeatable: true,
        timeoutMs: maxLingerMs + RESPONSE_MARGIN_MS,
        onResponse,
      }),

    /** The raw body with the newest values of each device. Does not advance the read index. */
    queryTelemetry: ({ includeUserTerminals = true, includeRouters = true } = {}) =>
      text({
        method: 'POST',
        path: '/telemetry/query',
        body: { includeUserTerminals, includeRouters },
        repeatable: true,
        ...NEWEST_VALUES,
      }),

    setNickname: async (serviceLineNumber: string, nickname: string) => {
      await content({
        method: 'PUT',
        path: `${line(serviceLineNumber)}/nickname`,
        body: { nickname },
        repeatable: true,
      })
    },

    setPublicIp: async (serviceLineNumber: string, publicIp: boolean) => {
      await content({
        method: 'PUT',
        path: `${line(serviceLineNumber)}/public-ip`,
        body: { publicIp },
        repeatable: true,
      })
    },

    optIn: (serviceLineNumber: string) =>
      read(OptInState, { method: 'POST', path: `${line(serviceLineNumber)}/data/opt-in`, repeatable: false }),

    optOut: (serviceLineNumber: string) =>
      read(OptInState, { method: 'POST', path: `${line(serviceLineNumber)}/data/opt-out`, repeatable: false }),

    /** Charged immediately and not idempotent: if the fate is 'unknown', an administrator must decide; never retry. */
    topUp: async (serviceLineNumber: string, block: { productId: string; count: number }) => {
      await content({
        method: 'POST',
        path: `${line(serviceLineNumber)}/data/top-up`,
        body: block,
        repeatable: false,
      })
    },

    /** Accepts a terminal id, a kit serial number or a dish serial number. */
    rebootTerminal: async (deviceId: string) => {
      await content({
        method: 'POST',
        path: `/user-terminals/${encodeURIComponent(deviceId)}/reboot`,
        repeatable: false,
      })
    },

    assignConfig: async (assignment: { configId: string | null; userTerminalIds: string[] }) => {
      await content({ method: 'PUT', path: '/user-terminals/configs/assign', body: assignment, repeatable: true })
    },
  }
}
