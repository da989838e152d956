import { escapeHtml } from './escape-html.ts'
import type { MailBrand } from './mail-brand.ts'
import { chooseReadableAccents } from './readable-accents.ts'

/** The content of a mail, apart from its look. */
export interface MailContent {
  heading: string
  paragraphs: string[]
  /** Displayed separately and easy to copy: a code, a password. */
  code?: string
  /** A table of facts, and text that another user wrote. */
  facts?: [name: string, value: string][]
  links?: [label: string, url: string][]
  quote?: string
  /** Why the recipient gets it: the last sentence. */
  reason?: string
}

const FONT = "font-family:Inter,'Segoe UI',Helvetica,Arial,sans-serif"

/**
 * For mail clients that support dark mode; others show the light colors or adapt them. A logo may be black on
 * transparent, so it gets a white background.
 */
const writeDark = (color: string, accent: string) => `:root{color-scheme:light dark}@media (prefers-color-scheme:dark){
.ground{background:#050b1e!important}.card{background:#0c1631!important;border-color:${color} #1c2a4d #1c2a4d!important}
.ink{color:#e2e8f0!important}.quiet{color:#94a3b8!important;border-color:#1c2a4d!important}
.plate{background:#1c2a4d!important;border-color:#2a3a63!important;color:#e2e8f0!important}
.logo{color-scheme:light;background:#ffffff!important;color:#0f172a!important;padding:6px;border-radius:6px}
a{color:${accent}!important}.action{background:${accent}!important;color:#000000!important}}`

const paragraph = (text: string) => `<p style="margin:0 0 16px;white-space:pre-line">${escapeHtml(text)}</p>`

const codeBlock = (code: string) =>
  `<p class="plate" style="margin:0 0 16px;padding:16px;background:#f1f5f9;border-radius:8px;text-align:center;font:600 28px/1.2 'JetBrains Mono',Consolas,monospace;letter-spacing:2px;color:#0f172a">${escapeHtml(code)}</p>`

/** A name of up to this length stays in one line; a longer one, such as that of a terminal, may need more. */
const MAX_UNBROKEN = 20

const factTable = (facts: [string, string][]) => {
  const rows = facts.map(
    ([name, value]) =>
      `<tr><td class="quiet" style="padding:4px 16px 4px 0;color:#475569;vertical-align:top${name.length > MAX_UNBROKEN ? '' : ';white-space:nowrap'}">${escapeHtml(name)}</td><td style="padding:4px 0;vertical-align:top;overflow-wrap:anywhere">${escapeHtml(value)}</td></tr>`,
  )
  return `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 16px;font-size:14px;line-height:1.5">${rows.join('')}</table>`
}

/** A single action is a button, several are a list of links. */
const linkList = (links: [string, string][], accent: string) => {
  const isOnly = links.length === 1
  const look = isOnly
    ? `class="action" style="display:inline-block;padding:10px 20px;border-radius:8px;background:${accent};color:#ffffff;font-weight:600;text-decoration:none"`
    : `style="color:${accent}"`
  return links
    .map(
      ([label, url], index) =>
        `<p style="margin:0 0 ${index === links.length - 1 ? 16 : 8}px"><a href="${escapeHtml(url)}" ${look}>${escapeHtml(label)}</a></p>`,
    )
    .join('\n')
}

const quoteBlock = (quote: string) =>
  `<blockquote class="plate" style="margin:0 0 16px;padding:12px 16px;border-left:3px solid #cbd5e1;background:#f8fafc;white-space:pre-wrap">${escapeHtml(quote)}</blockquote>`

const renderLogo = ({ logo, company }: MailBrand) => {
  const words = `font-size:18px;font-weight:600;color:#0f172a`
  if (logo === undefined) return `<span class="ink" style="${words}">${escapeHtml(company)}</span>`
  return `<img src="${escapeHtml(logo)}" alt="${escapeHtml(company)}" height="40" class="logo" style="display:block;height:40px;max-width:240px;border:0;${words}">`
}

const listContacts = ({ supportPhone, supportEmail }: MailBrand) =>
  [supportPhone, supportEmail].filter((contact) => contact !== undefined)

const renderFooter = (brand: MailBrand) => {
  const contacts = listContacts(brand).map(escapeHtml).join(' · ')
  return `${escapeHtml(brand.company)}${contacts && `<br>Contact Support: ${contacts}`}`
}

const renderReason = (reason: string) =>
  `<p class="quiet" style="margin:0 0 16px;color:#475569">${escapeHtml(reason)}</p>`

const renderHtml = (brand: MailBrand, content: MailContent) => {
  const { heading, paragraphs, code, facts, links = [], quote, reason } = content
  const accents = chooseReadableAccents(brand.color)
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><style>${writeDark(brand.color, accents.dark)}</style><title>${escapeHtml(heading)}</title></head>
<body style="margin:0;padding:0;background:#f1f5f9;${FONT}" class="ground">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="ground" style="background:#f1f5f9"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="card" style="max-width:560px;background:#ffffff;border:1px solid #e2e8f0;border-top:4px solid ${brand.color};border-radius:12px">
<tr><td style="padding:24px 24px 0;${FONT}">${renderLogo(brand)}</td></tr>
<tr><td class="ink" style="padding:24px;${FONT};font-size:14px;line-height:1.5;color:#0f172a;overflow-wrap:anywhere">
<h1 style="margin:0 0 16px;font-size:18px;line-height:1.4;font-weight:600">${escapeHtml(heading)}</h1>
${paragraphs.slice(0, 1).map(paragraph).join('\n')}
${code === undefined ? '' : codeBlock(code)}${facts ? factTable(facts) : ''}${linkList(links, accents.light)}${quote === undefined ? '' : quoteBlock(quote)}
${paragraphs.slice(1).map(paragraph).join('\n')}
${reason === undefined ? '' : renderReason(reason)}
</td></tr>
<tr><td class="quiet" style="padding:16px 24px 24px;border-top:1px solid #e2e8f0;${FONT};font-size:12px;line-height:1.5;color:#475569">${renderFooter(brand)}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`
}

const renderText = (brand: MailBrand, content: MailContent) => {
  const { heading, paragraphs, code, facts, links = [], quote, reason } = content
  const contacts = listContacts(brand)
  const parts = [
    heading,
    ...paragraphs.slice(0, 1),
    ...(code === undefined ? [] : [`    ${code}`]),
    ...(facts ? [facts.map(([name, value]) => `${name}: ${value}`).join('\n')] : []),
    ...links.map(([label, url]) => `${label}: ${url}`),
    ...(quote === undefined ? [] : [quote.replace(/^/gm, '> ')]),
    ...paragraphs.slice(1),
    ...(reason === undefined ? [] : [reason]),
    `-- \n${[brand.company, ...contacts].join('\n')}`,
  ]
  return `${parts.join('\n\n')}\n`
}

/** Renders a single-column mail in the tenant's brand, and the same content as plain text. */
export const renderMail = (brand: MailBrand, content: MailContent) => ({
  text: renderText(brand, content),
  html: renderHtml(brand, content),
})
