import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listRepositoryFiles } from './repository-files.mjs'

const SOURCE = /^(?!server\/migrations\/).*\.(ts|tsx|mjs|js)$/

// Words of our own, each with the word of the field to use instead.
const RETIRED = [
  { word: /\bhouses?\b|[a-z]House\b|\bHouse\b/, instead: 'app, stack, installation or fixture' },
  { word: /\b(un)?told\b|\btold[A-Z]|[a-z]Told\b/, instead: 'reported, notified, sent or shown' },
  { word: /\b(un)?heard\b|\bheard[A-Z]|[a-z]Heard\b/, instead: 'received' },
  { word: /\bkept[A-Z]|[a-z]Kept\b|\b(const|let) kept\b/, instead: 'retained, cached or stored' },
  { word: /\bwish(es)?\b|\bwish[A-Z]|[a-z]Wish(es)?\b/, instead: 'desired value or preferences' },
  { word: /\breckon/i, instead: 'accounting, count or compute' },
  {
    word: /\b(const [a-z]\w*Of = (async )?(\(|[a-z]\w* =>)|function [a-z]\w*Of\b)/,
    instead: 'a verb for a function, byId for a map',
  },
]

/** Lists the lines that use a retired word, with the word to use instead. */
export const findRetiredWords = (text) =>
  text.split('\n').flatMap((line, index) =>
    RETIRED.filter(({ word }) => word.test(line)).map(({ word, instead }) => ({
      line: index + 1,
      found: word.exec(line)[0],
      instead,
    })),
  )

export const checkWords = async (root) =>
  listRepositoryFiles(root)
    .filter((file) => SOURCE.test(file) && !file.startsWith('scripts/check-words.'))
    .flatMap((file) =>
      findRetiredWords(readFileSync(join(root, file), 'utf8')).map(
        ({ line, found, instead }) => `${file}:${line}: "${found}"; write ${instead}`,
      ),
    )
