import { type ApiCall, getField, parseWholeNumber, RequestError } from './call.ts'
import { getNickname } from './changes.ts'
import type { Line } from './fleet.ts'
import {
  listWireProducts,
  toWireAccount,
  toWireAddress,
  toWireLine,
  toWireRouter,
  toWireTerminal,
} from './inventory.ts'
import { buildNewestTelemetry } from './newest.ts'
import { ok } from './response.ts'
import { isActive } from './season.ts'
import { toWireUsage } from './usage.ts'

const PAGE_ITEMS = 100
const MAX_PAGE_INDEX = 2 ** 30

/** One page of a list. In the scenario unstable-paging, the order differs from page to page. */
const buildPage = <T>(
  { simulation, credential, query }: ApiCall,
  all: readonly T[],
  toWire: (item: T) => unknown,
  limit = PAGE_ITEMS,
) => {
  const pageIndex = parseWholeNumber(query.get('page') ?? undefined, 'page', 0, 0, MAX_PAGE_INDEX)
  const shift = simulation.scenarios.has('unstable-paging') ? (credential.pagesServed++ % 4) * 10 : 0
  const items = shift === 0 ? all : [...all.slice(shift), ...all.slice(0, shift)]
  const start = pageIndex * limit
  return ok({
    pageIndex,
    limit,
    isLastPage: start + limit >= items.length,
    results: items.slice(start, start + limit).map(toWire),
    totalCount: items.length,
  })
}

const emptyIfPlayed = <T>({ simulation }: ApiCall, items: readonly T[]) =>
  simulation.scenarios.has('empty-lists') ? [] : items

export const getAccount = ({ credential }: ApiCall) => ok(toWireAccount(credential.account))

export const listAddresses = (call: ApiCall) => {
  const wanted = new Set(call.query.getAll('addressIds'))
  const { lines } = call.credential.account
  return buildPage(call, wanted.size ? lines.filter((line) => wanted.has(line.addressId)) : lines, toWireAddress)
}

export const listProducts = (call: ApiCall) => buildPage(call, listWireProducts(), (product) => product)

export const listServiceLines = (call: ApiCall) => {
  const { simulation, credential, query } = call
  const { fleet, changes } = simulation
  const nowMs = simulation.nowMs()
  const addressId = query.get('addressReferenceId')
  const text = query.get('searchString')?.toLowerCase()
  const isWanted = (line: Line) =>
    (addressId === null || line.addressId === addressId) &&
    (text === undefined ||
      getNickname(changes, line).toLowerCase().includes(text) ||
      [line.number, line.terminal?.terminalId, line.terminal?.kitSerial].some((id) => id?.toLowerCase() === text))
  const lines = addressId || text ? credential.account.lines.filter(isWanted) : credential.account.lines
  return buildPage(call, emptyIfPlayed(call, lines), (line) => toWireLine(fleet, changes, line, nowMs))
}

export const getServiceLine = (call: ApiCall) =>
  ok(toWireLine(call.simulation.fleet, call.simulation.changes, getOwnLine(call), call.simulation.nowMs()))

/** The line that the path names. A line of another account and an unknown line give the same error. */
export const getOwnLine = ({ simulation, credential, params }: ApiCall): Line => {
  const line = simulation.findLine(params.serviceLineNumber ?? '')
  if (line?.account !== credential.account.index)
    throw new RequestError(422, 'Service line not found.', 'serviceLineNumber')
  return line
}

export const listUserTerminals = (call: ApiCall) => {
  const { credential, query } = call
  const lineNumbers = new Set(query.getAll('serviceLineNumbers'))
  const ids = new Set(query.getAll('userTerminalIds'))
  const hasLine = query.get('hasServiceLine')
  const terminals = credential.account.terminals.filter(
    ({ terminalId, line }) =>
      (ids.size === 0 || ids.has(terminalId)) &&
      (lineNumbers.size === 0 || (line !== null && lineNumbers.has(line.number))) &&
      (hasLine === null || (line !== null) === (hasLine === 'true')),
  )
  return buildPage(call, emptyIfPlayed(call, terminals), toWireTerminal)
}

export const getRouter = ({ credential, params }: ApiCall) => {
  const routerId = params.routerId ?? ''
  const terminal = credential.account.terminals.find(({ routerIds }) => routerIds.includes(routerId))
  if (!terminal) throw new RequestError(422, 'Router not found.', 'routerId')
  return ok(toWireRouter(terminal, routerId))
}

export const queryUsage = (call: ApiCall) => {
  const { simulation, credential, query, body } = call
  const nowMs = simulation.nowMs()
  const limit = parseWholeNumber(query.get('limit') ?? undefined, 'limit', 50, 1, 250)
  const previousCycles = parseWholeNumber(getField(body, 'previousBillingCycles'), 'previousBillingCycles', 1, 0, 12)
  const numbers = getField(body, 'serviceLineNumbers')
  const wanted = Array.isArray(numbers) && numbers.length > 0 ? new Set(numbers) : null
  const activeOnly = getField(body, 'activeServiceLinesOnly') !== false
  const lines = credential.account.lines.filter(
    (line) => (!wanted || wanted.has(line.number)) && (!activeOnly || isActive(line, nowMs)),
  )
  return buildPage(call, lines, (line) => toWireUsage(simulation, line, previousCycles, nowMs), limit)
}

export const queryTelemetry = ({ simulation, credential, body }: ApiCall) =>
  ok(
    buildNewestTelemetry(
      simulation,
      credential.account,
      {
        terminals: getField(body, 'includeUserTerminals') === true,
        routers: getField(body, 'includeRouters') === true,
      },
      simulation.nowMs(),
    ),
  )
