import { type Client, msUntil, signIn } from '../multi-process/client.ts'
import { watchLive } from '../multi-process/live-watch.ts'
import { PASSWORD } from '../multi-process/tenants.ts'

const INITIAL_PASSWORD = 'Initial-pass-1'

const createPerson = async (admin: Client, url: string, name: string) => {
  const email = `${name}@mail.example`
  const body = {
    email,
    username: 'north',
    customerName: name,
    company: 'Company',
    initialPassword: INITIAL_PASSWORD,
    role: 'user',
  }
  const response = await admin.call(url, { method: 'POST', path: '/create-user/', body })
  if (response?.status !== 200) throw new Error(`A user could not be created: ${JSON.stringify(response)}`)
  const user = await signIn(url, admin.tenantId, email, { password: INITIAL_PASSWORD })
  const passwords = { currentPassword: INITIAL_PASSWORD, newPassword: PASSWORD }
  const changed = await user.call(url, { method: 'POST', path: '/reset-password/', body: passwords })
  if (changed?.status !== 200) throw new Error(`The password could not be changed: ${JSON.stringify(changed)}`)
  return { email, userId: (response.body as { user_id: number }).user_id }
}

const metadataLevelAt = async (user: Client, url: string) => {
  const response = await user.call(url, { method: 'GET', path: '/rbac/my-effective/?items=metadata' })
  return (response?.body as { metadata?: string } | undefined)?.metadata
}

/**
 * A permission change or a sign-out at one process takes effect at the others with the very next call. If a user's
 * sessions are ended at one process, their live streams at the others are closed.
 */
export const checkAcrossProcesses = async (admin: Client, urls: readonly string[], rounds: number) => {
  let stale = 0
  const cutOffMs: number[] = []
  for (let round = 0; round < rounds; round++) {
    const [here, ...elsewhere] = urls.map((_, index) => urls[(index + round) % urls.length] as string)
    if (!here) throw new Error('There is no process.')
    const { email, userId } = await createPerson(admin, here, `said-${round}`)
    const user = await signIn(here, admin.tenantId, email)
    for (const value of ['read_write', 'read_only', 'cannot_see']) {
      const body = { user_id: userId, item_code: 'metadata', value }
      const response = await admin.call(here, { method: 'PATCH', path: '/acp/value/', body })
      if (response?.status !== 200) throw new Error(`A permission could not be set: ${JSON.stringify(response)}`)
      for (const url of elsewhere) if ((await metadataLevelAt(user, url)) !== value) stale++
    }
    const watch = watchLive(user, elsewhere[0] as string)
    await msUntil(watch.isOpen)
    const ended = await admin.call(here, { method: 'POST', path: `/end-user-sessions/${userId}/`, body: {} })
    if (ended?.status !== 200) throw new Error(`Sessions could not be ended: ${JSON.stringify(ended)}`)
    for (const url of elsewhere)
      if ((await user.call(url, { method: 'GET', path: '/verify-token/' }))?.status !== 401) stale++
    cutOffMs.push(await msUntil(() => !watch.isOpen()))
    await watch.stop()
    stale += await countGoodAfterSignOut(here, elsewhere, admin.tenantId, email)
  }
  return { stale, cutOffMs }
}

const countGoodAfterSignOut = async (here: string, elsewhere: string[], tenantId: string, email: string) => {
  const user = await signIn(here, tenantId, email)
  let good = 0
  for (const url of elsewhere)
    if ((await user.call(url, { method: 'GET', path: '/verify-token/' }))?.status !== 200) good++
  await user.call(here, { method: 'POST', path: '/logout/', body: {} })
  for (const url of elsewhere)
    if ((await user.call(url, { method: 'GET', path: '/verify-token/' }))?.status !== 401) good++
  return good
}
