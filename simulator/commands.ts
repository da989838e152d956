import { ok } from './answer.ts'
import { type ApiCall, BadCall, field } from './call.ts'
import { changesOfLine, changesOfTerminal, isOptedIn } from './changes.ts'
import type { Line } from './fleet.ts'
import { BLOCK_PRODUCTS, getOptInProductId } from './plans.ts'
import { ownLine } from './reads.ts'
import { isActive } from './season.ts'

const MOST_BLOCKS = 100

/** Accepted and silently not carried out: it really happened. */
const isDropped = ({ simulation }: ApiCall) => simulation.scenarios.has('commands-dropped')

const activeLine = (call: ApiCall): Line => {
  const line = ownLine(call)
  if (!isActive(line, call.simulation.nowMs()))
    throw new BadCall(422, 'Service line is not active.', 'serviceLineNumber')
  return line
}

export const setNickname = (call: ApiCall) => {
  const line = ownLine(call)
  const nickname = field(call.body, 'nickname')
  if (typeof nickname !== 'string' || nickname.trim() === '')
    throw new BadCall(400, 'The Nickname field is required.', 'Nickname')
  if (!isDropped(call)) changesOfLine(call.simulation.changes, line).nickname = nickname
  return ok()
}

export const setPublicIp = (call: ApiCall) => {
  const line = activeLine(call)
  const publicIp = field(call.body, 'publicIp')
  if (typeof publicIp !== 'boolean') throw new BadCall(400, 'The PublicIp field is required.', 'PublicIp')
  if (!isDropped(call)) {
    changesOfLine(call.simulation.changes, line).publicIp.push({ atMs: call.simulation.nowMs(), on: publicIp })
  }
  return ok()
}

const setOptIn = (call: ApiCall, on: boolean) => {
  const { simulation } = call
  const line = activeLine(call)
  const nowMs = simulation.nowMs()
  const isChange = isOptedIn(simulation.changes, line, nowMs) !== on
  if (isChange && !isDropped(call)) changesOfLine(simulation.changes, line).optIn.push({ atMs: nowMs, on })
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
  const line = activeLine(call)
  const productId = field(call.body, 'productId')
  const count = field(call.body, 'count')
  if (typeof productId !== 'string' || productId === '')
    throw new BadCall(400, 'The ProductId field is required.', 'ProductId')
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 1 || count > MOST_BLOCKS) {
    throw new BadCall(400, `The Count field must be between 1 and ${MOST_BLOCKS}.`, 'Count')
  }
  const product = BLOCK_PRODUCTS.find((candidate) => candidate.productId === productId)
  if (product?.family !== line.plan.family)
    throw new BadCall(422, 'The product is not a top up of this plan.', 'ProductId')
  if (!isDropped(call)) {
    changesOfLine(call.simulation.changes, line).topUps.push({ productId, count, atMs: call.simulation.nowMs() })
  }
  return ok()
}

export const reboot = (call: ApiCall) => {
  const { simulation, credential, params } = call
  const terminal = simulation.findTerminal(params.deviceId ?? '')
  const isOwn = terminal?.account === credential.account.index
  const names = terminal && [terminal.terminalId, terminal.kitSerial, terminal.dishSerial]
  if (!isOwn || !names?.includes(params.deviceId ?? '')) throw new BadCall(422, 'User terminal not found.', 'deviceId')
  if (!isDropped(call)) changesOfTerminal(simulation.changes, terminal).rebootedMs.push(simulation.nowMs())
  return ok()
}

export const assignConfig = (call: ApiCall) => {
  const { simulation, credential, body } = call
  const configId = field(body, 'configId') ?? null
  const ids = field(body, 'userTerminalIds')
  if (configId !== null && typeof configId !== 'string')
    throw new BadCall(400, 'The ConfigId field is not valid.', 'ConfigId')
  if (!Array.isArray(ids)) throw new BadCall(400, 'The UserTerminalIds field is required.', 'UserTerminalIds')
  const terminals = ids.map((id) => {
    const terminal = typeof id === 'string' ? simulation.findTerminal(id) : null
    if (terminal?.terminalId !== id || terminal?.account !== credential.account.index) {
      throw new BadCall(403, 'A user terminal is not on this account.', 'UserTerminalIds')
    }
    return terminal
  })
  if (!isDropped(call)) {
    for (const terminal of terminals) changesOfTerminal(simulation.changes, terminal).configId = configId
  }
  return ok()
}
