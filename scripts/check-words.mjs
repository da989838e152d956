import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listRepositoryFiles } from './repository-files.mjs'

const SOURCE = /^(?!server\/migrations\/).*\.(ts|tsx|mjs|js|css|md)$/

// Homemade words and notations, each with the standard one to use instead.
const RETIRED = [
  { word: /\bhouses?\b|[a-z]House\b|\bHouse\b/, instead: 'app, stack, installation or fixture' },
  { word: /\b(un)?told\b|\btold[A-Z]|[a-z]Told\b/, instead: 'reported, notified, sent or shown' },
  { word: /\b(un)?heard\b|\bheard[A-Z]|[a-z]Heard\b/, instead: 'received' },
  { word: /\bkept\b(?! (apart|from|out|up))|\bkept[A-Z]|[a-z]Kept\b/, instead: 'retained, cached or stored' },
  { word: /\bwish(es)?\b|\bwish[A-Z]|[a-z]Wish(es)?\b/, instead: 'desired value or preferences' },
  { word: /\breckon/i, instead: 'accounting, count or compute' },
  {
    word: /\b(const|let|function) ([a-z]\w*Of|of[A-Z]\w*)\b|^\s*(async )?#?(?!(lastI|i)ndexOf|valueOf)[a-z]\w*Of\(.*\{$/,
    instead: 'a verb for a function, byId for a map, a noun for a value',
  },
  { word: /^\s*\{?\.\.\.(\{|\[[^\]]*\],?$)/, instead: 'the properties or elements without a spread' },
]

// Third-party identifiers, such as aria-labelledby, are exempt.
const SPELLING = [
  /\be-mail|colour|favourit|honour|neighbour|behaviour|\bcentre\b|\bmetres?\b|\blicence|\bgrey\b/i,
  /\bcancell(ed|ing)|\btravell|\bmodell(ed|ing)|\blabelled\b|\bsignall(ed|ing)/i,
  /\b(organ|recogn|normal|neutral|summar|minim|maxim|optim|author|synchron)is(e|ed|es|ing|ation)\b|\banalys(e|ed|ing)\b/i,
  /\bprogrammes?\b|\bcheques?\b|\bwhilst\b|\bfulfil\b/i,
].map((word) => ({ word, instead: 'the American spelling' }))

const findWords = (text, words) =>
  text.split('\n').flatMap((line, index) =>
    words
      .filter(({ word }) => word.test(line))
      .map(({ word, instead }) => ({
        line: index + 1,
        found: word.exec(line)[0],
        instead,
      })),
  )

/** Lists the lines that use a retired word, with the word to use instead. */
export const findRetiredWords = (text) => findWords(text, RETIRED)

/** Lists the lines that are not in American spelling. */
export const findBritishSpelling = (text) => findWords(text, SPELLING)

export const checkWords = async (root) =>
  listRepositoryFiles(root)
    .filter((file) => SOURCE.test(file) && !file.startsWith('scripts/check-words.'))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      const found = [...findRetiredWords(text), ...findBritishSpelling(text)]
      return found.map(({ line, found: word, instead }) => `${file}:${line}: "${word}"; write ${instead}`)
    })
