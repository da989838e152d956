import type { Faq } from '../tenants/configuration.ts'
import { contentWords } from './words.ts'

/** Nearly all words of the question must be in the entry, and most words of the entry in the question. */
const ASKED_COVERED_MIN = 0.8
const ENTRY_COVERED_MIN = 0.6
/** If two entries score closer than this, neither is chosen. */
const CLEARLY_BETTER_BY = 0.35

const getOverlap = (words: ReadonlySet<string>, others: ReadonlySet<string>) =>
  words.size === 0 ? 0 : [...words].filter((word) => others.has(word)).length / words.size

const scoreQuestion = (questionWords: ReadonlySet<string>, { question, keywords }: Faq[number]) => {
  const entry = contentWords(question)
  const questionCovered = getOverlap(questionWords, new Set([...entry, ...contentWords(keywords.join(' '))]))
  // A keyword matches the whole entry.
  const isKeyword = keywords.some((keyword) => getOverlap(contentWords(keyword), questionWords) === 1)
  const entryCovered = isKeyword ? 1 : getOverlap(entry, questionWords)
  const fits = questionCovered >= ASKED_COVERED_MIN && entryCovered >= ENTRY_COVERED_MIN
  return fits ? questionCovered + entryCovered : 0
}

/** The entry that matches the question, if there is exactly one. */
export const findFaqEntry = <Entry extends Faq[number]>(question: string, faq: readonly Entry[]): Entry | undefined => {
  const questionWords = contentWords(question)
  const ranked = faq
    .map((entry) => ({ entry, score: scoreQuestion(questionWords, entry) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
  const [best, second] = ranked
  if (!best || (second && best.score - second.score < CLEARLY_BETTER_BY)) return undefined
  return best.entry
}
