import { expect, test } from 'vitest'
import { embedImages } from './embed-images.ts'
import { toMailBrand } from './mail-brand.ts'
import { renderMail } from './render-mail.ts'

const brand = toMailBrand({
  company_name: 'Fish & Chips "Net"',
  colors: { primary: '#1d4ed8' },
  images: { logo: '/brand/fish/logo.svg' },
  support_phone: '+1 907 555 0100',
  support_email: 'help@fish.example',
})

test('a mail has logo, color, company and contacts, and the same content as plain text', () => {
  const { html, text } = renderMail(brand, { heading: 'Hello', paragraphs: ['First.', 'Last.'], code: '123456' })
  for (const part of ['#1d4ed8', 'src="/brand/fish/logo.svg"', 'alt="Fish &amp; Chips &quot;Net&quot;"', '123456'])
    expect(html).toContain(part)
  for (const part of [
    'Hello',
    'First.',
    'Last.',
    '    123456',
    'Fish & Chips "Net"',
    '+1 907 555 0100',
    'help@fish.example',
  ])
    expect(text).toContain(part)
  expect(text.indexOf('First.')).toBeLessThan(text.indexOf('123456'))
})

test('says at the end why the recipient gets it, after facts and links, also without other text', () => {
  const content = { heading: 'Nome 1 is offline', facts: [['Nome 1', 'offline since 08:14']] as [string, string][] }
  const reason = 'You get this message because of your profile.'
  const { html, text } = renderMail(brand, { ...content, paragraphs: [], links: [['Nome 1', 'https://x']], reason })
  for (const part of [html, text]) {
    expect(part.indexOf('offline since')).toBeLessThan(part.indexOf('https://x'))
    expect(part.indexOf('https://x')).toBeLessThan(part.indexOf(reason))
  }
})

test('keeps short names of facts in one line, which a narrow window would break within a word', () => {
  const long = 'Unalakleet Residence - main building'
  const facts: [string, string][] = ['Address', long].map((name) => [name, 'a-value-without-any-space'.repeat(5)])
  const { html } = renderMail(brand, { heading: 'Hello', paragraphs: [], facts })
  expect(html).toMatch(/white-space:nowrap">Address</)
  expect(html).not.toMatch(/white-space:nowrap">Unalakleet/)
})

test('escapes text that users wrote', () => {
  const evil = '<img src=x onerror=alert(1)>"\'&'
  const { html } = renderMail(brand, { heading: evil, paragraphs: [evil], facts: [[evil, evil]], quote: evil })
  expect(html).not.toContain('<img src=x')
  expect(html.match(/&lt;img src=x onerror=alert\(1\)&gt;/g)?.length).toBe(6)
})

test('keeps an invalid color out of the style', () => {
  expect(toMailBrand({ colors: { primary: 'red;background:url(x)' } }).color).toBe('#0369a1')
})

test('embeds our own images and links others', async () => {
  const html =
    '<img src="/brand/a.svg" alt=""><img src="/brand/gone.svg" alt=""><img src="https://cdn.example/b.png" alt="">'
  const read = async (address: string) => (address === '/brand/a.svg' ? Buffer.from('<svg/>') : undefined)
  const { html: embedded, attachments } = await embedImages(html, read)
  expect(attachments).toMatchObject([{ filename: 'image-1.svg', cid: 'image-1@dishboard' }])
  expect(embedded).toContain('src="cid:image-1@dishboard"')
  expect(embedded).toContain('src="/brand/gone.svg"')
  expect(embedded).toContain('src="https://cdn.example/b.png"')
})
