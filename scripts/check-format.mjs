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

/** Lists the lines that format numbers, times or units on their own. */
export const findOwnFormats = (text) =>
  text.split('\n').flatMap((line, index) =>
    FORMATS.flatMap(({ pattern, instead }) => {
      const found = /^\s*(\/\/|\*|\/\*)/.test(line) ? null : pattern.exec(line)
      return found ? [{ line: index + 1, found: found[0].trim(), instead }] : []
    }),
  )

export const checkFormat = async (root) =>
  listRepositoryFiles(root)
    .filter((file) => PRODUCT.test(file) && !NOT_SHOWN.test(file) && !file.startsWith(MODULE))
    .flatMap((file) =>
      findOwnFormats(readFileSync(join(root, file), 'utf8')).map(
        ({ line, found, instead }) => `${file}:${line}: "${found}"; write ${instead}`,
      ),
    )
