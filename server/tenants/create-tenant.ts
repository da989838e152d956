import { domainToASCII } from 'node:url'
import * as z from 'zod/mini'
import { conflict } from '#contract/errors.ts'
import { TenantConfig } from '#contract/tenants.ts'
import { recordAudit } from '../audit/record.ts'
import type { Db } from '../platform/database/database.ts'
import type { Faq } from './configuration.ts'

export const TenantId = z
  .string()
  .check(
    z.regex(
      /^[a-z0-9][a-z0-9_-]{0,39}$/,
      'Please use up to 40 lowercase letters, digits, _ and -, beginning with a letter or digit.',
    ),
  )

const HOST = /^(?=.{1,253}$)[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?)*$/

/** As in a browser's Host header: lower case, international names in ASCII, no port. */
export const Host = z.pipe(
  z.pipe(
    z.string(),
    z.transform((host) => (/[:/@?#\s]/.test(host) ? '' : domainToASCII(host))),
  ),
  z.string().check(z.regex(HOST, 'Please give a bare host name like portal.example.com, without port or path.')),
)

export interface NewTenant {
  id: string
  hosts: string[]
  config: TenantConfig
  faq?: Faq
}

/** Needs the owner's connection, in a transaction of the new tenant: the runtime role may only read the directory. */
export const createTenant = async (
  db: Db,
  by: { performer: string; now: Date },
  { id, hosts, config, faq = [] }: NewTenant,
) => {
  const created = await db
    .insertInto('tenants')
    .values({ id, created_at: by.now })
    .onConflict((clash) => clash.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!created) throw conflict(`There is a tenant '${id}' already.`)
  for (const host of hosts) {
    const taken = await db
      .insertInto('tenant_hosts')
      .values({ host, tenant_id: id })
      .onConflict((clash) => clash.doNothing())
      .returning('host')
      .executeTakeFirst()
    if (!taken) throw conflict(`The host '${host}' belongs to another tenant.`)
  }
  const publicConfig = JSON.stringify(z.encode(TenantConfig, config))
  await db
    .insertInto('tenant_settings')
    .values({ tenant_id: id, public_config: publicConfig, faq: JSON.stringify(faq), updated_at: by.now })
    .execute()
  await recordAudit(db, id, by.now, {
    performer: by.performer,
    action: 'tenant.create',
    performee: id,
    details: { hosts, config: JSON.parse(publicConfig) },
  })
}
