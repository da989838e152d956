import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { type DemoDirectory, demo } from '#contract/demo.ts'
import type { Services } from '#server/platform/context.ts'
import type { Database } from '#server/platform/database/database.ts'
import { unknownRoute } from '#server/platform/http/http-errors.ts'
import { isLocalRequest } from '#server/platform/http/local-request.ts'
import { parseTenantAddress } from '#server/platform/http/tenant-address.ts'
import { resolveTenant } from '#server/tenants/resolve.ts'
import { type DemoUser, demoTenants, demoUsers } from './tenants.ts'

/** How many terminals each group has, and how many of them are offline, counted like the dashboard: by service line. */
const countTerminals = (database: Database, tenantId: string) =>
  database.transaction({ tenantId }, async (db) => {
    const { rows } = await sql<{ group: string; terminals: number; offline: number }>`
      select line.group_name as group, count(*)::int as terminals,
        (count(*) filter (where exists (
          select from terminals as terminal
          join status_intervals as state on state.tenant_id = terminal.tenant_id
            and state.terminal_id = terminal.id and state.ended_at is null and state.status = 'offline'
          where terminal.tenant_id = line.tenant_id and terminal.service_line_id = line.id
            and terminal.removed_at is null)))::int as offline
      from service_lines as line
      where line.tenant_id = ${tenantId} and line.removed_at is null
      group by line.group_name`.execute(db)
    return rows
  })

const describeSignIn = ({ otp, isNew }: DemoUser) => (otp ? 'code' : isNew ? 'new password' : 'password')

const buildDirectory = async (database: Database): Promise<DemoDirectory['tenants']> =>
  Promise.all(
    demoTenants
      .filter(({ share }) => share > 0)
      .map(async ({ id, config }) => {
        const groups = await countTerminals(database, id)
        const sum = (counts: typeof groups, count: 'terminals' | 'offline') =>
          counts.reduce((total, each) => total + each[count], 0)
        return {
          id,
          name: config.company_name ?? id,
          color: config.colors?.primary ?? '',
          terminals: sum(groups, 'terminals'),
          offline: sum(groups, 'offline'),
          users: demoUsers.map((user) => ({
            email: `${user.name}@${id}.example`,
            password: user.password,
            name: user.fullName,
            role: user.role,
            customer: user.company,
            terminals: sum(
              groups.filter(({ group }) => user.role === 'admin' || group === user.group),
              'terminals',
            ),
            signIn: describeSignIn(user),
          })),
        }
      }),
  )

/**
 * The content of the page without a tenant: the users to sign in as, with the passwords of the demo. It signs nobody in;
 * the page sends the password through the regular call.
 */
export const registerDirectory = (
  app: FastifyInstance,
  { config, database }: Services,
  getHistoryShare: () => number,
) => {
  if (!config.demo) return
  app.get(`/api${demo.directory.path}`, async (request) => {
    if (!isLocalRequest(request)) throw unknownRoute
    // Not served under the host of a portal, or to a foreign host name (DNS rebinding).
    const tenantId = await resolveTenant(database, parseTenantAddress(request.headers.host, undefined))
    if (tenantId !== undefined) throw unknownRoute
    return { tenants: await buildDirectory(database), historyShare: getHistoryShare() } satisfies DemoDirectory
  })
}
