import { ok } from './answer.ts'
import { type ApiCall, BadCall, field, wholeNumber } from './call.ts'
import { getNickname } from './changes.ts'
import type { Line } from './fleet.ts'
import {
  accountAnswer,
  addressAnswer,
  lineAnswer,
  listProductAnswers,
  routerAnswer,
  terminalAnswer,
} from './inventory.ts'
import { newestAnswer } from './newest.ts'
import { isActive } from './season.ts'
import { usageAnswer } from './usage.ts'

const PAGE_ITEMS = 100
const MOST = 2 ** 30

/** One page of a list; with unstable paging the list has moved a little since the page before. */
const page = <T>(
  { simulation, credential, query }: ApiCall,
  all: readonly T[],
  toAnswer: (item: T) => unknown,
  limit = PAGE_ITEMS,
) => {
  const pageIndex = wholeNumber(query.get('page') ?? undefined, 'page', 0, 0, MOST)
  const shift = simulation.scenarios.has('unstable-paging') ? (credential.pagesServed++ % 4) * 10 : 0
  const items = shift === 0 ? all : [...all.slice(shift), ...all.slice(0, shift)]
  const start = pageIndex * limit
  return ok({
    pageIndex,
    limit,
    isLastPage: start + limit >= items.length,
    results: items.slice(start, start + limit).map(toAnswer),
    totalCount: items.length,
  })
}

export const getAccount = ({ credential }: ApiCall) => ok(accountAnswer(credential.account))

export const listAddresses = (call: ApiCall) => {
  const wanted = new Set(call.query.getAll('addressIds'))
  const { lines } = call.credential.account
  return page(call, wanted.size ? lines.filter((line) => wanted.has(line.addressId)) : lines, addressAnswer)
}

export const listProducts = (call: ApiCall) => page(call, listProductAnswers(), (product) => product)

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
  return page(call, lines, (line) => lineAnswer(fleet, changes, line, nowMs))
}

export const getServiceLine = (call: ApiCall) =>
  ok(lineAnswer(call.simulation.fleet, call.simulation.changes, ownLine(call), call.simulation.nowMs()))

/** The line of the path; one of another account looks like one that does not exist. */
export const ownLine = ({ simulation, credential, params }: ApiCall): Line => {
  const line = simulation.findLine(params.serviceLineNumber ?? '')
  if (line?.account !== credential.account.index) throw new BadCall(422, 'Service line not found.', 'serviceLineNumber')
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
  return page(call, terminals, terminalAnswer)
}

export const getRouter = ({ credential, params }: ApiCall) => {
  const routerId = params.routerId ?? ''
  const terminal = credential.account.terminals.find(({ routerIds }) => routerIds.includes(routerId))
  if (!terminal) throw new BadCall(422, 'Router not found.', 'routerId')
  return ok(routerAnswer(terminal, routerId))
}

export const queryUsage = (call: ApiCall) => {
  const { simulation, credential, query, body } = call
  const nowMs = simulation.nowMs()
  const limit = wholeNumber(query.get('limit') ?? undefined, 'limit', 50, 1, 250)
  const previousCycles = wholeNumber(field(body, 'previousBillingCycles'), 'previousBillingCycles', 1, 0, 12)
  const numbers = field(body, 'serviceLineNumbers')
  const wanted = Array.isArray(numbers) && numbers.length > 0 ? new Set(numbers) : null
  const activeOnly = field(body, 'activeServiceLinesOnly') !== false
  const lines = credential.account.lines.filter(
    (line) => (!wanted || wanted.has(line.number)) && (!activeOnly || isActive(line, nowMs)),
  )
  return page(call, lines, (line) => usageAnswer(simulation, line, previousCycles, nowMs), limit)
}

export const queryTelemetry = ({ simulation, credential, body }: ApiCall) =>
  ok(
    newestAnswer(
      simulation,
      credential.account,
      { terminals: field(body, 'includeUserTerminals') === true, routers: field(body, 'includeRouters') === true },
      simulation.nowMs(),
    ),
  )
