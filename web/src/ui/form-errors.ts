interface Issue {
  path: readonly PropertyKey[]
  message: string
}

/** Error messages by field name. */
export type FormErrors = Partial<Record<string, string>>

/** The first error of each field. */
export const listErrors = (issues: readonly Issue[]): FormErrors =>
  Object.fromEntries(issues.map(({ path, message }) => [String(path[0]), message]).reverse())

/** Focuses the first field of the form that has an error. */
export const focusFirstError = (form: HTMLFormElement, errors: FormErrors) => {
  const fields = [...form.elements] as (Element & { name?: string; focus?: () => void })[]
  fields.find(({ name }) => name !== undefined && name in errors)?.focus?.()
}
