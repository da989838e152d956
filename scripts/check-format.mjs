import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listRepositoryFiles } from './repository-files.mjs'

const MODULE = 'contract/format/'
const PRODUCT = /^(contract|web\/src|server|demo|client|cli)\/.*\.(ts|tsx)$/
const NOT_SHOWN = /\.test\.tsx?$|(^|\/)testing\//

// Code that formats or sorts by locale, or slices a date into text. ISO times in files and calls are not for readers, so
// toISOString alone is fine.
const FORMATS = [
  { pattern: /\.toLocale\w*\(/, instead: 'a function of contract/format' },
  { pattern: /\bIntl\./, instead: 'a function of contract/format' },
  { pattern: /\.toFixed\(/, instead: 'formatDecimal' },
  { pattern: /\.localeCompare\(/, instead: 'compareNatural' },
  { pattern: /\.toISOString\(\).*\.replace\(|\.to(Date|Time|UTC)String\(/, instead: 'formatDateTime or formatDate' },
  { pattern: /[\d}] %[^\d{]/, instead: 'formatPercent; percent has no space before it' },
]

const PAGES = /^(contract|web\/src)\//

// A count before a noun or in a column, which a large fleet makes longer than three digits.
const COUNTS = [
  {
    pattern: /(?<!=)\{(\w+\.)*(length|size|count|\w+Count|terminals|observed)\} [a-z]/,
    instead: 'formatCount or formatCounted',
  },
  { pattern: /\{(\w+\.)*(length|size) - [\w.]+\} [a-z]/, instead: 'formatCount' },
  { pattern: /(?<!=)\{[\w.]+\} (GB|TB|km)\b/, instead: 'formatGb or formatDistance' },
  { pattern: /\{ (attempts|count|terminals|waiting) \}\) => \1[ ,]/, instead: 'formatCount' },
]

const findFormats = (text, formats) =>
  text.split('\n').flatMap((line, index) =>
    formats.flatMap(({ pattern, instead }) => {
      const found = /^\s*(\/\/|\*|\/\*)/.test(line) ? null : pattern.exec(line)
      return found ? [{ line: index + 1, found: found[0].trim(), instead }] : []
    }),
  )

/** Lists the lines that format numbers, times or units on their own. */
export const findOwnFormats = (text) => findFormats(text, FORMATS)

/** Lists the lines that show a count as it is: 10000 instead of 10,000. */
export const findBareCounts = (text) => findFormats(text, COUNTS)

export const checkFormat = async (root) =>
  listRepositoryFiles(root)
    .filter((file) => PRODUCT.test(file) && !NOT_SHOWN.test(file) && !file.startsWith(MODULE))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      const faults = [...findOwnFormats(text), ...(PAGES.test(file) ? findBareCounts(text) : [])]
      return faults.map(({ line, found, instead }) => `${file}:${line}: "${found}"; write ${instead}`)
    })
