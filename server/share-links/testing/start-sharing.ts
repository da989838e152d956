import { expect } from 'vitest'
import type { ShareKind } from '#contract/share-links.ts'
import { startSeededTenants } from '../../testing/seeded-tenants.ts'

/** Tenants whose administrator creates links, and visitors who open them. */
export const startSharing = async () => {
  const tenants = await startSeededTenants()
  const admin = await tenants.users.admin.signIn()
  const create = async (kind: ShareKind, subject: string, more: object = {}) => {
    const body = { kind, subject, days: 7, passPhrase: null, ...more }
    const { status, body: answer } = await tenants.call('a', 'POST', '/api/share-links/', { token: admin, body })
    expect(status).toBe(200)
    return answer as { id: string; path: string }
  }
  const open = (path: string, tenant = 'a') => tenants.call(tenant, 'GET', path)
  /** The actions on links in the editing log, newest first. */
  const listActions = async () =>
    ((await tenants.call('a', 'GET', '/api/get-logs/', { token: admin })).body as { actionType: string }[])
      .map(({ actionType }) => actionType)
      .filter((action) => action.startsWith('share_link.'))
  return { tenants, admin, create, open, listActions }
}
