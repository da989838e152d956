import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { dishMark } from '#contract/dish-mark.ts'
import type { TenantConfig } from '#contract/tenants.ts'
import { escapeHtml } from './escape-html.ts'
import { toMailBrand } from './mail-brand.ts'
import { chooseReadableAccents } from './readable-accents.ts'

const builtFont = fileURLToPath(new URL('../../dist/web/font.css', import.meta.url))

let font: string | undefined

/** The app's font as a style; empty without a build, which leaves the system's font. */
export const writeFont = () => {
  font ??= existsSync(builtFont) ? readFileSync(builtFont, 'utf8') : ''
  return font
}

const writeStyle = (color: string) => {
  const accent = chooseReadableAccents(color)
  return `${writeFont()}
:root { color-scheme: light dark; --ink: #0f172a; --quiet: #475569; --line: #e2e8f0; --card: #fff; --ground: #f8fafc;
  --accent: ${accent.light}; --on-accent: #fff; --up: #15803d; --partly: #b45309; --down: #b91c1c }
@media (prefers-color-scheme: dark) { :root { --ink: #e2e8f0; --quiet: #94a3b8; --line: #1c2a4d; --card: #0c1631; --ground: #050b1e;
  --accent: ${accent.dark}; --on-accent: #000; --up: #4ade80; --partly: #fb923c; --down: #f87171 } }
body { margin: 0; border-top: 4px solid ${color}; background: var(--ground); color: var(--ink); font: 14px/1.5 Inter, system-ui, sans-serif; overflow-wrap: anywhere }
header, main, footer { max-width: 880px; margin: 0 auto; padding: 0 16px }
header { display: flex; align-items: center; gap: 12px; padding-top: 24px; font-size: 18px; font-weight: 600 }
header img { display: block; height: 36px; max-width: 240px }
header svg { width: 36px; height: 36px; flex: none; color: var(--accent) }
h1, h2, h3 { font-weight: 600 } h1 { margin: 24px 0 8px; font-size: 28px; line-height: 1.25 } h2 { margin: 32px 0 8px; font-size: 18px; line-height: 1.4 } h3 { margin: 16px 0 0; font-size: 14px }
p { margin: 0 0 8px; max-width: 80ch } a { color: var(--accent) } .quiet, footer { color: var(--quiet); font-size: 12px }
footer { padding-top: 24px; padding-bottom: 32px }
label { display: block; margin: 16px 0 4px; font-weight: 500 }
input { width: 280px; max-width: 100%; min-height: 44px; box-sizing: border-box; padding: 0 12px; border: 1px solid #7c8ba1; border-radius: 8px; background: var(--card); color: inherit; font: inherit }
button { margin: 12px 0; min-height: 44px; padding: 0 20px; border: 0; border-radius: 8px; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer }
[role=alert] { color: var(--down); font-weight: 500 }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }`
}

const { filled, lines, lineWidth } = dishMark
const MARK = `<svg viewBox="0 0 48 48" aria-hidden="true"><path fill="currentColor" d="${filled.join('')}"/>
<path fill="none" stroke="currentColor" stroke-width="${lineWidth}" stroke-linecap="round" d="${lines.join('')}"/></svg>`

interface PublicPage {
  heading: string
  /** As HTML. */
  content: string
  /** Styles of this page only. */
  style?: string
  /** As HTML, in small print at the end. */
  footer?: string
  /** Whether search engines may list it. */
  isIndexed?: boolean
}

/** A server-rendered page without scripts or a session, in the tenant's brand and the look of the app. */
export const writePublicPage = (config: TenantConfig, page: PublicPage) => {
  const { heading, content, style = '', footer = '', isIndexed = false } = page
  const { company, color } = toMailBrand(config)
  const name = escapeHtml(company)
  const favicon = config.images?.favicon
  const icon = escapeHtml(favicon ?? '/brand/favicon.svg')
  const logo = config.images?.navbar ?? config.images?.logo
  const robots = isIndexed ? '' : '<meta name="robots" content="noindex">'
  const mark = logo?.startsWith('/')
    ? `<img src="${escapeHtml(logo)}" alt="${name}">`
    : `${favicon ? `<img src="${icon}" alt="">` : MARK}${name}`
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${robots}
<title>${escapeHtml(heading)} - ${name}</title><link rel="icon" href="${icon}"><style>${writeStyle(color)}
${style}</style></head>
<body><header>${mark}</header><main><h1>${escapeHtml(heading)}</h1>
${content}
</main>${footer === '' ? '' : `<footer>${footer}</footer>`}</body>
</html>
`
}
