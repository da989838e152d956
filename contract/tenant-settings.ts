import * as z from 'zod/mini'
import { NoInput } from './basic-bodies.ts'
import { flag, wholeNumber } from './codecs.ts'
import { route } from './route.ts'
import { choice } from './text.ts'
import { NamedTimeZone } from './time-zone.ts'
import { unitSystems } from './units.ts'

/** Security events show an attack, so whoever made one must not be able to delete them the next day. */
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

/** How many days rows with personal data are retained. */
const Retention = z.object({
  ticketRetentionDays: z.int(),
  messageRetentionDays: z.int(),
  securityEventRetentionDays: z.int(),
})
export type Retention = z.output<typeof Retention>

const TenantSettings = z.object({
  /** Null: as the installation retains them. */
  ticketRetentionDays: z.nullable(z.int()),
  messageRetentionDays: z.nullable(z.int()),
  securityEventRetentionDays: z.nullable(z.int()),
  /** How long a status must last before users are notified of it. */
  settlingMinutes: z.int(),
  /** A dish further from its service address gets a warning. The vendor states no distance. */
  addressRadiusKm: z.int(),
  /** A moving terminal nearer to a land border gets a warning; 0: no warnings. */
  borderKm: z.int(),
  /** A terminal that has been abroad for so long gets a warning. The vendor states no time. */
  roamingDays: z.int(),
  timeZone: z.string(),
  units: z.enum(unitSystems),
  /** Who has to add a second factor before anything else. */
  secondFactorForAdmins: z.boolean(),
  secondFactorForUsers: z.boolean(),
  /** Whether anybody can read at /status which areas work. */
  publicStatus: z.boolean(),
})
export type TenantSettings = z.output<typeof TenantSettings>

const StoredSettings = z.object({
  settings: TenantSettings,
  /** What holds for tenants that set none. */
  installation: Retention,
})
export type StoredSettings = z.output<typeof StoredSettings>

/** What may be set. A retention of null is that of the installation. */
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

/** How long a tenant's rows are retained. */
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
