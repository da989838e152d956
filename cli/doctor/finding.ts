/** One line of the doctor: what was looked at, what is the case, and what to do where something is amiss. */
export interface Finding {
  level: 'ok' | 'warn' | 'FAIL'
  name: string
  fact: string
  mend?: string
}

const sentence = (text: string) =>
  text
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replace(/\.$/, '')

export const formatFinding = ({ level, name, fact, mend }: Finding) =>
  `${level.padEnd(4)} ${name}: ${sentence(fact)}.${mend === undefined ? '' : ` How to mend: ${sentence(mend)}.`}`

export const ok = (name: string, fact: string): Finding => ({ level: 'ok', name, fact })
export const warn = (name: string, fact: string, mend: string): Finding => ({ level: 'warn', name, fact, mend })
export const fail = (name: string, fact: string, mend: string): Finding => ({ level: 'FAIL', name, fact, mend })
