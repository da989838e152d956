import * as z from 'zod/mini'
import { type Retention, Settable, type SettingsChange, type TenantSettings } from '#contract/tenant-settings.ts'
import { readConfig } from '#server/process/config.ts'
import { TenantId } from '#server/tenants/create-tenant.ts'
import { changeTenantSettings, getTenantSettings, lockTenantSettings } from '#server/tenants/tenant-settings.ts'
import { defineCommand } from './command.ts'
import { performer, requireTenant, withInstallation } from './with-installation.ts'

const { shape } = Settable

const wholeNumber = (schema: typeof shape.settlingMinutes) =>
  z.pipe(
    z.pipe(
      z.string(),
      z.transform((text): string | number => text),
    ),
    schema,
  )

/** Days, or `default` for the installation's value. */
const daysOrDefault = (schema: typeof shape.ticketRetentionDays) =>
  z.pipe(
    z.pipe(
      z.string(),
      z.transform((text): string | number | null => (text === 'default' ? null : text)),
    ),
    schema,
  )

const OnOrOff = z.pipe(
  z.enum(['on', 'off'], 'please give on or off'),
  z.transform((text): boolean => text === 'on'),
)

const formatRequired = ({ secondFactorForAdmins, secondFactorForUsers }: TenantSettings) => {
  const required = [secondFactorForAdmins && 'administrators', secondFactorForUsers && 'users'].filter(Boolean)
  return required.length === 0 ? 'required of nobody' : `required of ${required.join(' and ')}`
}

const formatDays = (own: number | null, installation: number) =>
  own === null ? `${installation} days, as the installation` : `${own} days`

const formatSettings = (tenant: string, settings: TenantSettings, installation: Retention) =>
  [
    `Settings of tenant ${tenant}:`,
    `  tickets          ${formatDays(settings.ticketRetentionDays, installation.ticketRetentionDays)}`,
    `  messages         ${formatDays(settings.messageRetentionDays, installation.messageRetentionDays)}`,
    `  security events  ${formatDays(settings.securityEventRetentionDays, installation.securityEventRetentionDays)}`,
    `  settling         ${settings.settlingMinutes} min`,
    `  warnings         ${settings.addressRadiusKm} km from the service address, ${settings.borderKm} km from a border, ${settings.roamingDays} days abroad`,
    `  time zone        ${settings.timeZone}`,
    `  units            ${settings.units}`,
    `  second factors   ${formatRequired(settings)}`,
    `  status page      ${settings.publicStatus ? 'for everybody, at /status' : 'off'}`,
  ].join('\n')

export const tenantSettings = defineCommand({
  name: 'tenant settings',
  summary:
    'Show or change how long a tenant’s rows are retained, its settling time, early warnings, time zone, units, required second factors and status page',
  options: {
    tenant: { value: 'ID', help: 'the tenant', schema: TenantId },
    'ticket-days': {
      value: 'N',
      help: 'how many days tickets are retained; 1 to 36500, or default',
      schema: daysOrDefault(shape.ticketRetentionDays),
      isOptional: true,
    },
    'message-days': {
      value: 'N',
      help: 'how many days messages are retained; 1 to 36500, or default',
      schema: daysOrDefault(shape.messageRetentionDays),
      isOptional: true,
    },
    'security-event-days': {
      value: 'N',
      help: 'how many days security events are retained; 30 to 36500, or default',
      schema: daysOrDefault(shape.securityEventRetentionDays),
      isOptional: true,
    },
    'settling-minutes': {
      value: 'N',
      help: 'how long a status lasts before users are notified of it; 1 to 120',
      schema: wholeNumber(shape.settlingMinutes),
      isOptional: true,
    },
    'address-radius-km': {
      value: 'N',
      help: 'how far from its service address a dish may be before users are warned; 10 to 5000',
      schema: wholeNumber(shape.addressRadiusKm),
      isOptional: true,
    },
    'border-km': {
      value: 'N',
      help: 'how near to a border a mobile terminal may be before users are warned; 0 to 300, 0 for never',
      schema: wholeNumber(shape.borderKm),
      isOptional: true,
    },
    'roaming-days': {
      value: 'N',
      help: 'how long a terminal may be abroad before users are warned; 1 to 365',
      schema: wholeNumber(shape.roamingDays),
      isOptional: true,
    },
    'time-zone': {
      value: 'NAME',
      help: 'for example America/Anchorage',
      schema: shape.timeZone,
      isOptional: true,
    },
    units: { value: 'SYSTEM', help: 'metric or imperial', schema: shape.units, isOptional: true },
    'second-factor-admins': {
      value: 'on|off',
      help: 'whether administrators have to add a second factor before anything else',
      schema: OnOrOff,
      isOptional: true,
    },
    'second-factor-users': {
      value: 'on|off',
      help: 'the same for users',
      schema: OnOrOff,
      isOptional: true,
    },
    'public-status': {
      value: 'on|off',
      help: 'whether anybody can read at /status which areas work',
      schema: OnOrOff,
      isOptional: true,
    },
  },
  run: async (values, { environment, print }) => {
    const { tenant: tenantId } = values
    const change: SettingsChange = {
      ticketRetentionDays: values['ticket-days'],
      messageRetentionDays: values['message-days'],
      securityEventRetentionDays: values['security-event-days'],
      settlingMinutes: values['settling-minutes'],
      addressRadiusKm: values['address-radius-km'],
      borderKm: values['border-km'],
      roamingDays: values['roaming-days'],
      timeZone: values['time-zone'],
      units: values.units,
      secondFactorForAdmins: values['second-factor-admins'],
      secondFactorForUsers: values['second-factor-users'],
      publicStatus: values['public-status'],
    }
    return withInstallation(environment, async (installation) => {
      await requireTenant(installation, tenantId)
      const settings = await installation.database.transaction({ tenantId }, async (db) => {
        const isRead = Object.values(change).every((value) => value === undefined)
        if (isRead) return getTenantSettings(db, tenantId)
        const before = await lockTenantSettings(db, tenantId)
        const by = { performer, now: new Date() }
        return (await changeTenantSettings(db, tenantId, by, before, change)).after
      })
      print(formatSettings(tenantId, settings, readConfig(environment).retention))
      return 0
    })
  },
})
