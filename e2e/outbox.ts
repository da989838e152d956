import { expect } from '@playwright/test'
import { addresses } from './addresses.ts'

const article = /<article>\s*<h2>(.*?)<\/h2>\s*<p>.*?<strong>(.*?)<\/strong>(.*?)<\/p>\s*<pre[^>]*>(.*?)<\/pre>/gs

/** Waits for mail in the demo's outbox and returns the newest with this recipient and subject prefix. */
export async function readMail(tenant: string, to: string, subject: string) {
  const found: { text: string; about: string }[] = []
  await expect(async () => {
    const page = await (await fetch(`${addresses.url}/outbox?tenant=${tenant}`)).text()
    const mails = [...page.matchAll(article)].map(([, title = '', recipient, about = '', text = '']) => ({
      isIt: title.startsWith(subject) && recipient === to,
      about,
      text: text
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&amp;', '&'),
    }))
    found.push(...mails.filter(({ isIt }) => isIt))
    expect(found).not.toEqual([])
  }).toPass()
  return found[0] as (typeof found)[number]
}
