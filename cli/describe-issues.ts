import type * as z from 'zod/mini'
import { flattenIssue } from '#contract/issues.ts'

type Issue = z.core.$ZodIssue

/** The words of the library are not for users. */
const describeFault = (message: string) =>
  message.startsWith('Invalid input') ? 'missing, or of another type' : message.replace(/\.$/, '')

const describe = ({ path, message }: Issue) => [path.join('.'), describeFault(message)].filter(Boolean).join(': ')

/** All faults of a value in one line, each after the path to it: `rules.0.group: Please enter the group`. */
export const describeIssues = (issues: readonly Issue[]) => issues.flatMap(flattenIssue).map(describe).join('; ')
