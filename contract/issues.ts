import type * as z from 'zod/mini'

type Issue = z.core.$ZodIssue

/** For a union of objects, the issues of the member that the value comes closest to. */
export const flattenIssue = (issue: Issue): Issue[] => {
  // A union with its own message says more than its members.
  if (issue.code !== 'invalid_union' || issue.message !== 'Invalid input') return [issue]
  const [closest] = issue.errors.toSorted((one, other) => one.length - other.length)
  return (closest ?? []).flatMap((inner) => flattenIssue({ ...inner, path: [...issue.path, ...inner.path] }))
}
