import { readFile } from 'node:fs/promises'
import { ApiError } from '#contract/errors.ts'

/** Digits and symbols that replace letters in passwords such as P@ssw0rd. */
const LOOK_ALIKES: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
  '+': 't',
}

const toLetters = (text: string) => text.replace(/[@431!0$57+]/g, (character) => LOOK_ALIKES[character] as string)

// From @zxcvbn-ts/language-common 4.1.3: lowercase, printable ASCII, four characters or more.
const LIST = new URL('./common-passwords/passwords.txt', import.meta.url)

const loadList = async () => new Set((await readFile(LIST, 'utf8')).split('\n').filter(Boolean))

let loading: ReturnType<typeof loadList> | undefined

/**
 * Tells whether a password is among the 49,000 most common ones, or is one of them with digits and symbols around it that
 * make up less than half. Most users choose such an addition when a rule requires a digit and a symbol.
 */
export const loadCommonPasswordCheck = async () => {
  loading ??= loadList()
  const list = await loading
  return (password: string) => {
    const whole = password.toLowerCase()
    const word = whole.replace(/^[^a-z]+|[^a-z]+$/g, '')
    const candidates = [whole, toLetters(whole), ...(word.length * 2 >= whole.length ? [word, toLetters(word)] : [])]
    return candidates.some((candidate) => list.has(candidate))
  }
}

type Secret = 'password' | 'pass phrase'

const describeCommon = (what: Secret) =>
  `This ${what} is one of the most common passwords, or close to one. Please choose another.`

export const COMMON_PASSWORD = describeCommon('password')

export const refuseCommonPassword = async (password: string, what: Secret = 'password') => {
  const isCommon = await loadCommonPasswordCheck()
  if (isCommon(password)) throw new ApiError(400, 'common_password', describeCommon(what))
}

export const reusedPassword = () =>
  new ApiError(400, 'reused_password', 'You have used this password before. Please choose another.')
