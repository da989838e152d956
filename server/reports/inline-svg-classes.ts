const STYLE = /<style[^>]*>([\s\S]*?)<\/style>/g
const NESTED = /@[^{]*\{(?:[^{}]|\{[^}]*\})*\}/g
const RULE = /\.([\w-]+)\s*\{([^}]*)\}/g
const DECLARATION = /([\w-]+)\s*:\s*([^;]+)/g

/**
 * Replaces the classes of an SVG by attributes, because the PDF library does not support style sheets. Rules for dark
 * mode and other media are dropped: a PDF is white.
 */
export const inlineSvgClasses = (svg: string) => {
  const attributes = new Map<string, string>()
  for (const [, sheet = ''] of svg.matchAll(STYLE))
    for (const [, name = '', declarations = ''] of sheet.replace(NESTED, '').matchAll(RULE)) {
      const written = [...declarations.matchAll(DECLARATION)].map(([, key, value]) => `${key}="${value?.trim()}"`)
      attributes.set(name, written.join(' '))
    }
  return svg.replace(STYLE, '').replace(/\sclass="([^"]*)"/g, (_, names: string) =>
    names
      .split(/\s+/)
      .map((name) => (attributes.has(name) ? ` ${attributes.get(name)}` : ''))
      .join(''),
  )
}
