/** One line of the doctor's report: what was checked, the result, and how to fix a problem. */
export interface Finding {
  level: 'ok' | 'warn' | 'FAIL'
  name: string
  fact: string
  fix?: string
}

const sentence = (text: string) =>
  text
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replace(/\.$/, '')

export const formatFinding = ({ level, name, fact, fix }: Finding) =>
  `${level.padEnd(4)} ${name}: ${sentence(fact)}.${fix === undefined ? '' : ` Fix: ${sentence(fix)}.`}`

export const ok = (name: string, fact: string): Finding => ({ level: 'ok', name, fact })
export const warn = (name: string, fact: string, fix: string): Finding => ({ level: 'warn', name, fact, fix })
export const fail = (name: string, fact: string, fix: string): Finding => ({ level: 'FAIL', name, fact, fix })
