interface Issue {
  path: readonly PropertyKey[]
  message: string
}

/** Error messages by field name. */
export type FormErrors = Partial<Record<string, string>>

/** The first error of each field. */
export const listErrors = (issues: readonly Issue[]): FormErrors =>
  Object.fromEntries(issues.map(({ path, message }) => [String(path[0]), message]).reverse())

/** The server names the field of a refused value before a colon: `url: The port must be 443.` */
export const splitFieldError = (message: string, fields: readonly string[]): FormErrors => {
  const [, field = '', text = ''] = /^(\w+): (.+)$/s.exec(message) ?? []
  return fields.includes(field) ? { [field]: text.charAt(0).toUpperCase() + text.slice(1) } : {}
}

/** Focuses the first field of the form that has an error. */
export const focusFirstError = (form: HTMLFormElement, errors: FormErrors) => {
  const fields = [...form.elements] as (Element & { name?: string; focus?: () => void })[]
  fields.find(({ name }) => name !== undefined && name in errors)?.focus?.()
}
