import * as z from 'zod/mini'
import { NoInput } from './basic-bodies.ts'
import { flag, wholeNumber } from './codecs.ts'
import { route } from './route.ts'
import { choice } from './text.ts'
import { NamedTimeZone } from './time-zone.ts'
import { unitSystems } from './units.ts'

/**
 * Security events are evidence of an attack, so an attacker must not be able to have them deleted the next
 * day.
 */
export const settingBounds = {
  ticketRetentionDays: { min: 1, max: 36_500 },
  messageRetentionDays: { min: 1, max: 36_500 },
  securityEventRetentionDays: { min: 30, max: 36_500 },
  settlingMinutes: { min: 1, max: 120 },
  addressRadiusKm: { min: 10, max: 5_000 },
  borderKm: { min: 0, max: 300 },
  roamingDays: { min: 1, max: 365 },
} as const

const within = ({ min, max }: { min: number; max: number }) => wholeNumber(min, max)

/** How many days personal data is retained. */
const Retention = z.object({
  ticketRetentionDays: z.int(),
  messageRetentionDays: z.int(),
  securityEventRetentionDays: z.int(),
})
export type Retention = z.output<typeof Retention>

const TenantSettings = z.object({
  /** Null: the installation's default. */
  ticketRetentionDays: z.nullable(z.int()),
  messageRetentionDays: z.nullable(z.int()),
  securityEventRetentionDays: z.nullable(z.int()),
  /** How long a status must last before users are notified. */
  settlingMinutes: z.int(),
  /** A dish farther than this from its service address gets a warning. The vendor states no distance. */
  addressRadiusKm: z.int(),
  /** A moving terminal closer than this to a land border gets a warning; 0 turns these warnings off. */
  borderKm: z.int(),
  /** A terminal that has been abroad for this long gets a warning. The vendor states no time. */
  roamingDays: z.int(),
  timeZone: z.string(),
  units: z.enum(unitSystems),
  /** Who must add a second factor before anything else. */
  secondFactorForAdmins: z.boolean(),
  secondFactorForUsers: z.boolean(),
  /** Whether the status of areas is public at /status. */
  publicStatus: z.boolean(),
})
export type TenantSettings = z.output<typeof TenantSettings>

const StoredSettings = z.object({
  settings: TenantSettings,
  /** The defaults for tenants that set none. */
  installation: Retention,
})
export type StoredSettings = z.output<typeof StoredSettings>

/** The editable settings. A retention of null means the installation's default. */
export const Settable = z.strictObject({
  ticketRetentionDays: z.nullable(within(settingBounds.ticketRetentionDays)),
  messageRetentionDays: z.nullable(within(settingBounds.messageRetentionDays)),
  securityEventRetentionDays: z.nullable(within(settingBounds.securityEventRetentionDays)),
  settlingMinutes: within(settingBounds.settlingMinutes),
  addressRadiusKm: within(settingBounds.addressRadiusKm),
  borderKm: within(settingBounds.borderKm),
  roamingDays: within(settingBounds.roamingDays),
  timeZone: NamedTimeZone,
  units: choice(unitSystems),
  secondFactorForAdmins: flag,
  secondFactorForUsers: flag,
  publicStatus: flag,
})

const SettingsChange = z.partial(Settable)
export type SettingsChange = z.output<typeof SettingsChange>

/** The retention in effect for a tenant. */
export const resolveRetention = ({ settings, installation }: StoredSettings): Retention => ({
  ticketRetentionDays: settings.ticketRetentionDays ?? installation.ticketRetentionDays,
  messageRetentionDays: settings.messageRetentionDays ?? installation.messageRetentionDays,
  securityEventRetentionDays: settings.securityEventRetentionDays ?? installation.securityEventRetentionDays,
})

export const tenantSettings = {
  get: route({
    method: 'GET',
    path: '/tenant-settings/',
    access: 'admin',
    summary: 'Retention, settling, time zone, units, required second factors and status page of the tenant',
    input: NoInput,
    output: StoredSettings,
  }),
  change: route({
    method: 'PATCH',
    path: '/tenant-settings/',
    access: 'admin',
    summary: 'Change the settings that are given; a retention of null is that of the installation',
    input: SettingsChange,
    output: StoredSettings,
  }),
}
