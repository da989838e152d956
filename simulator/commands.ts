import { type ApiCall, getField, RequestError } from './call.ts'
import { getLineChanges, getTerminalChanges, isOptedIn } from './changes.ts'
import type { Line } from './fleet.ts'
import { BLOCK_PRODUCTS, getOptInProductId } from './plans.ts'
import { getOwnLine } from './reads.ts'
import { ok } from './response.ts'
import { isActive } from './season.ts'

const MAX_BLOCKS = 100

/** The vendor has accepted commands without executing them. */
const isDropped = ({ simulation }: ApiCall) => simulation.scenarios.has('commands-dropped')

const getActiveLine = (call: ApiCall): Line => {
  const line = getOwnLine(call)
  if (!isActive(line, call.simulation.nowMs()))
    throw new RequestError(422, 'Service line is not active.', 'serviceLineNumber')
  return line
}

export const setNickname = (call: ApiCall) => {
  const line = getOwnLine(call)
  const nickname = getField(call.body, 'nickname')
  if (typeof nickname !== 'string' || nickname.trim() === '')
    throw new RequestError(400, 'The Nickname field is required.', 'Nickname')
  if (!isDropped(call)) getLineChanges(call.simulation.changes, line).nickname = nickname
  return ok()
}

export const setPublicIp = (call: ApiCall) => {
  const line = getActiveLine(call)
  const publicIp = getField(call.body, 'publicIp')
  if (typeof publicIp !== 'boolean') throw new RequestError(400, 'The PublicIp field is required.', 'PublicIp')
  if (!isDropped(call)) {
    getLineChanges(call.simulation.changes, line).publicIp.push({ atMs: call.simulation.nowMs(), on: publicIp })
  }
  return ok()
}

const setOptIn = (call: ApiCall, on: boolean) => {
  const { simulation } = call
  const line = getActiveLine(call)
  const nowMs = simulation.nowMs()
  const isChange = isOptedIn(simulation.changes, line, nowMs) !== on
  if (isChange && !isDropped(call)) getLineChanges(simulation.changes, line).optIn.push({ atMs: nowMs, on })
  const switchedOn = simulation.changes.lines.get(line)?.optIn.findLast((change) => change.on)
  return ok({
    productId: getOptInProductId(line.plan),
    activatedDate: new Date(switchedOn?.atMs ?? line.startedMs).toISOString(),
    deactivatedDate: on ? null : new Date(nowMs).toISOString(),
    isInOptInCoolDown: isChange,
  })
}

export const optIn = (call: ApiCall) => setOptIn(call, true)

export const optOut = (call: ApiCall) => setOptIn(call, false)

export const topUp = (call: ApiCall) => {
  const line = getActiveLine(call)
  const productId = getField(call.body, 'productId')
  const count = getField(call.body, 'count')
  if (typeof productId !== 'string' || productId === '')
    throw new RequestError(400, 'The ProductId field is required.', 'ProductId')
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 1 || count > MAX_BLOCKS) {
    throw new RequestError(400, `The Count field must be between 1 and ${MAX_BLOCKS}.`, 'Count')
  }
  const product = BLOCK_PRODUCTS.find((candidate) => candidate.productId === productId)
  if (product?.family !== line.plan.family)
    throw new RequestError(422, 'The product is not a top up of this plan.', 'ProductId')
  if (!isDropped(call)) {
    getLineChanges(call.simulation.changes, line).topUps.push({ productId, count, atMs: call.simulation.nowMs() })
  }
  return ok()
}

export const reboot = (call: ApiCall) => {
  const { simulation, credential, params } = call
  const terminal = simulation.findTerminal(params.deviceId ?? '')
  const isOwn = terminal?.account === credential.account.index
  const names = terminal && [terminal.terminalId, terminal.kitSerial, terminal.dishSerial]
  if (!isOwn || !names?.includes(params.deviceId ?? ''))
    throw new RequestError(422, 'User terminal not found.', 'deviceId')
  if (!isDropped(call)) getTerminalChanges(simulation.changes, terminal).rebootedMs.push(simulation.nowMs())
  return ok()
}

export const assignConfig = (call: ApiCall) => {
  const { simulation, credential, body } = call
  const configId = getField(body, 'configId') ?? null
  const ids = getField(body, 'userTerminalIds')
  if (configId !== null && typeof configId !== 'string')
    throw new RequestError(400, 'The ConfigId field is not valid.', 'ConfigId')
  if (!Array.isArray(ids)) throw new RequestError(400, 'The UserTerminalIds field is required.', 'UserTerminalIds')
  const terminals = ids.map((id) => {
    const terminal = typeof id === 'string' ? simulation.findTerminal(id) : null
    if (terminal?.terminalId !== id || terminal?.account !== credential.account.index) {
      throw new RequestError(403, 'A user terminal is not on this account.', 'UserTerminalIds')
    }
    return terminal
  })
  if (!isDropped(call)) {
    for (const terminal of terminals) getTerminalChanges(simulation.changes, terminal).configId = configId
  }
  return ok()
}
