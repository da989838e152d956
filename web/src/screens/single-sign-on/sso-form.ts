import * as z from 'zod/mini'
import type { Rule, StoredSso } from '#contract/single-sign-on.ts'
import { SsoChange } from '#contract/single-sign-on.ts'

/** The form's input; numbers as typed. */
export interface SsoForm extends Omit<SsoChange, 'recheckMinutes' | 'graceMinutes' | 'clientSecret'> {
  clientSecret: string
  recheckMinutes: string
  graceMinutes: string
}

export const emptyRule: Rule = { claim: 'groups', operator: 'equals', value: '', outcome: 'user', group: '' }

export const toForm = ({ settings, administrators }: StoredSso): SsoForm => ({
  issuer: '',
  clientId: '',
  scopes: 'openid email profile offline_access',
  buttonLabel: 'Single Sign-On',
  rules: [] as Rule[],
  isEnabled: false,
  isOnly: false,
  ...settings,
  clientSecret: '',
  recheckMinutes: String(settings?.recheckMinutes ?? 15),
  graceMinutes: String(settings?.graceMinutes ?? 240),
  breakGlass: administrators.filter(({ isBreakGlass }) => isBreakGlass).map(({ user_id }) => user_id),
})

/** By the path of the field: `rules.0.value`. */
export type Errors = Partial<Record<string, string>>

export const checkForm = (form: SsoForm): { change?: SsoChange; errors: Errors } => {
  const parsed = z.safeDecode(SsoChange, form)
  if (parsed.success) return { change: parsed.data, errors: {} }
  const issues = parsed.error.issues.map(({ path, message }) => [path.join('.'), message])
  return { errors: Object.fromEntries(issues.reverse()) }
}

/** What was said about fields that are being changed counts no more. */
export const dropErrors = (errors: Errors, fields: readonly string[]): Errors =>
  Object.fromEntries(Object.entries(errors).filter(([path]) => !fields.includes(path.split('.')[0] as string)))
