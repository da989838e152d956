import type * as z from 'zod/mini'

type Issue = z.core.$ZodIssue

/** Of a choice between objects, what is wrong with the one that the value comes closest to. */
export const flattenIssue = (issue: Issue): Issue[] => {
  // A choice with words of its own says more than its parts.
  if (issue.code !== 'invalid_union' || issue.message !== 'Invalid input') return [issue]
  const [closest] = issue.errors.toSorted((one, other) => one.length - other.length)
  return (closest ?? []).flatMap((inner) => flattenIssue({ ...inner, path: [...issue.path, ...inner.path] }))
}
