import * as z from 'zod/mini'
import { choice } from './text.ts'

export const snowMeltModes = ['AUTO', 'ALWAYS_ON', 'ALWAYS_OFF'] as const
export const SnowMeltMode = choice(snowMeltModes)
export type SnowMeltMode = z.output<typeof SnowMeltMode>

const unwrapJson = (value: unknown, layers: number): unknown => {
  if (typeof value !== 'string' || layers === 0) return value
  try {
    return unwrapJson(JSON.parse(value), layers - 1)
  } catch {
    return undefined
  }
}

const readMode = (config: unknown): SnowMeltMode => {
  const mode = config && typeof config === 'object' && 'snowMeltMode' in config ? config.snowMeltMode : undefined
  return snowMeltModes.find((known) => known === mode) ?? 'AUTO'
}

/** A terminal's configuration: JSON text, encoded twice. When it is missing or unreadable, snow melt is AUTO. */
export const TerminalConfig = z.codec(
  z.optional(z.union([z.string(), z.looseObject({}), z.null()])),
  z.object({ snowMeltMode: SnowMeltMode }),
  {
    decode: (value) => ({ snowMeltMode: readMode(unwrapJson(value, 3)) }),
    encode: (config) => JSON.stringify(JSON.stringify(config)),
  },
)
