import type * as z from 'zod/mini'
import { flattenIssue } from '#contract/issues.ts'

type Issue = z.core.$ZodIssue

/** The words of the library are not for users. */
const describeFault = (message: string) =>
  message.startsWith('Invalid input') ? 'missing, or of another type' : message.replace(/\.$/, '')

const describe = ({ path, message }: Issue) => [path.join('.'), describeFault(message)].filter(Boolean).join(': ')

/** The first fault of each part of a value, in one line: `issuer: This field is required; rules.0.group: Please …`. */
export const describeIssues = (issues: readonly Issue[]) => {
  const faults = issues.flatMap(flattenIssue)
  const isFirst = ({ path }: Issue, at: number) =>
    faults.findIndex((other) => other.path.join('.') === path.join('.')) === at
  return faults.filter(isFirst).map(describe).join('; ')
}
