import { setTimeout as pause } from 'node:timers/promises'
import type { Browser } from '@playwright/test'
import { onCleanup } from '../cleanup.ts'
import { signIn } from '../multi-process/client.ts'
import { openMultiProcessStack } from '../multi-process/stack.ts'
import type { Conditions } from './one-way.ts'
import { openPoorLink } from './poor-link.ts'

/** A stack with a fleet, and the administrator's browsers at the other end of a link. */
export const openStackBehindLink = async (browser: Browser, terminals: number, conditions: Conditions) => {
  const stack = await openMultiProcessStack({ terminals })
  const worker = await stack.child('work', 'work')
  const server = await stack.child('serve', 'serve')
  await server.untilReady()
  await stack.waitForFleet()
  const admin = await signIn(server.url, 'alpha')
  const link = await openPoorLink(server.url, conditions)
  onCleanup(link.close)

  const listNames = async () => {
    const { body } = (await admin.call(server.url, { method: 'GET', path: '/terminals/' })) as {
      body: { data: { nickname: string }[] }
    }
    return body.data.map(({ nickname }) => nickname)
  }
  while ((await listNames()).length < terminals) await pause(200)

  return {
    link,
    url: server.url,
    names: await listNames(),
    superuser: stack.superuser,
    newContext: async () => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, proxy: link.proxy })
      await context.addInitScript(
        `localStorage.setItem('access', '${admin.access}'); localStorage.setItem('refresh', '${admin.refresh}')`,
      )
      return context
    },
    /** An edit by another user on a good link. */
    renameElsewhere: async (nickname: string, customname: string) => {
      const path = `/update-service-line-custom-name/${encodeURIComponent(nickname)}/`
      const response = await admin.call(server.url, { method: 'PATCH', path, body: { customname } })
      if (response?.status !== 200) throw new Error(`renaming returned ${response?.status}`)
    },
    stop: async () => {
      link.close()
      await worker.stop()
      await server.stop()
    },
  }
}

export type StackBehindLink = Awaited<ReturnType<typeof openStackBehindLink>>
