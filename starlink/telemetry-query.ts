import * as z from 'zod/mini'
import { isAlertName, isPlausibleTime, limitAlerts, toH3Cell, toNumber, toText, toTexts } from './telemetry-cell.ts'
import { MalformedTelemetry } from './telemetry-layout.ts'
import { terminalMeasures } from './telemetry-measures.ts'
import { emptyBatch, type TelemetryBatch } from './telemetry-reader.ts'
import { maybe } from './wire.ts'

/** This call returns alerts as booleans. These are the ones whose stream name cannot be derived from the field. */
const ALERT_NAMES: Record<string, string> = {
  alertEthernetSlowLink10: 'ethernet_slow_10mbps',
  alertEthernetSlowLink100: 'ethernet_slow_100mbps',
  alertPsuOtpThrottling: 'power_supply_thermal_throttling',
  alertDisabledNoActiveServiceLine: 'disabled_no_active_account',
  alertDisabledUnsupportedSoftware: 'disabled_unsupported_version',
}

const read = <T>(toValue: (value: unknown) => T) => z.pipe(z.nullish(z.unknown()), z.transform(toValue))
const number = read(toNumber)
const text = read(toText)
const texts = read(toTexts)

const Addresses = z.looseObject({ timestamp: z.string(), ipv4: texts, ipv6Ue: texts, ipv6Cpe: texts })

const measureFields = Object.fromEntries(terminalMeasures.map(({ queryField }) => [queryField, number])) as Record<
  (typeof terminalMeasures)[number]['queryField'],
  typeof number
>

const Terminal = z.looseObject({
  ...measureFields,
  userTerminalId: z.string(),
  timestamp: z.string(),
  uptimeSeconds: number,
  softwareVersion: text,
  countryCode: text,
  h3CellId: read((value) => toH3Cell(toText(value))),
  ipAllocations: maybe(Addresses),
})

const Router = z.looseObject({
  routerId: z.string(),
  userTerminalId: maybe(z.string()),
  timestamp: z.string(),
  uptimeSeconds: number,
  softwareVersion: text,
  hardwareVersion: text,
  isRepeater: maybe(z.boolean()),
  isBypassed: maybe(z.boolean()),
  clients: number,
  internetPingDropRate: number,
  internetPingLatencyMs: number,
})

const QueryResponse = z.looseObject({
  content: z.looseObject({
    userTerminals: maybe(z.record(z.string(), z.unknown())),
    routers: maybe(z.record(z.string(), z.unknown())),
  }),
})

/** The newest values of each device in the form of a stream batch, for the first load. */
export const parseTelemetryQuery = (body: string): TelemetryBatch => {
  const { userTerminals, routers } = readContent(body)
  const batch = emptyBatch()
  for (const value of Object.values(userTerminals ?? {})) {
    batch.rows++
    const terminal = Terminal.safeParse(value)
    const at = terminal.success ? parseTime(terminal.data.timestamp) : null
    if (!terminal.success || at === null) {
      batch.skipped++
      continue
    }
    const deviceId = terminal.data.userTerminalId
    batch.terminals.push({
      deviceId,
      ...at,
      values: terminalMeasures.map(({ queryField }) => terminal.data[queryField] ?? Number.NaN),
      uptimeS: terminal.data.uptimeSeconds,
      h3Cell: terminal.data.h3CellId,
      softwareVersion: terminal.data.softwareVersion,
      countryCode: terminal.data.countryCode,
      alerts: listAlerts(terminal.data),
    })
    const allocated = terminal.data.ipAllocations
    const allocatedAt = allocated && parseTime(allocated.timestamp)
    if (allocated && allocatedAt) {
      const { ipv4, ipv6Ue, ipv6Cpe } = allocated
      batch.addresses.push({
        deviceId,
        ...allocatedAt,
        ipv4,
        ipv6Ue,
        ipv6Cpe,
      })
    }
  }
  for (const value of Object.values(routers ?? {})) {
    batch.rows++
    const router = Router.safeParse(value)
    const at = router.success ? parseTime(router.data.timestamp) : null
    if (!router.success || at === null) {
      batch.skipped++
      continue
    }
    batch.routers.push({
      // The inventory and this call may omit the prefix that the stream includes.
      routerId: router.data.routerId.startsWith('Router-') ? router.data.routerId : `Router-${router.data.routerId}`,
      dishId: router.data.userTerminalId,
      ...at,
      uptimeS: router.data.uptimeSeconds,
      softwareVersion: router.data.softwareVersion,
      hardwareVersion: router.data.hardwareVersion,
      isRepeater: router.data.isRepeater,
      isBypassed: router.data.isBypassed,
      clients: router.data.clients,
      pingDrop: router.data.internetPingDropRate,
      latencyMs: router.data.internetPingLatencyMs,
    })
  }
  return batch
}

const readContent = (body: string) => {
  try {
    return QueryResponse.parse(JSON.parse(body)).content
  } catch {
    throw new MalformedTelemetry('The telemetry response has no content.')
  }
}

const parseTime = (iso: string) => {
  const atMs = Date.parse(iso)
  return isPlausibleTime(atMs) ? { atMs, atUs: atMs * 1000 } : null
}

const listAlerts = (terminal: Record<string, unknown>) => {
  const fields = Object.keys(terminal).filter((field) => field.startsWith('alert') && terminal[field] === true)
  return limitAlerts(
    fields.map((field) => ALERT_NAMES[field] ?? snakeCase(field.slice('alert'.length))).filter(isAlertName),
  )
}

const snakeCase = (name: string) => name.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
