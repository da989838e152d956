import { Checkbox, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import * as z from 'zod/mini'
import { CreateToken } from '#contract/api-tokens.ts'
import { type Scope, scopeCodes, scopes } from '#contract/scopes.ts'
import { getErrorMessage } from '../../api.ts'
import { CodeCheckbox } from '../../ui/CodeCheckbox.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormActions } from '../../ui/FormActions.tsx'
import { type FormErrors, focusFirstError, listErrors } from '../../ui/form-errors.ts'
import { SecretOnce } from '../../ui/SecretOnce.tsx'
import { useTokenChange } from './api-tokens.ts'
import classes from './TokenDialog.module.css'

const lifetimes = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
]

interface TokenDialogProps<Extra extends object> {
  title: string
  codes?: readonly Scope[]
  /** Additional fields, submitted by name. */
  fields?: (errors: FormErrors) => ReactNode
  readFields?: (data: FormData) => Extra
  checkFields?: (extra: Extra) => FormErrors
  create: (input: CreateToken & Extra) => Promise<{ token: string }>
  onClose: () => void
}

/** The form that creates a token, then shows its secret once. */
export function TokenDialog<Extra extends object>(props: TokenDialogProps<Extra>) {
  const [secret, setSecret] = useState<string>()
  return (
    <Dialog onClose={props.onClose} title={props.title} centered size="lg" closeOnClickOutside={!secret}>
      {secret ? (
        <SecretOnce
          noun="token"
          label="Token"
          secret={secret}
          about="Anyone who has it can use it, so treat it like a password."
          onClose={props.onClose}
        />
      ) : (
        <TokenForm {...props} onCreated={setSecret} />
      )}
    </Dialog>
  )
}

const readForm = (data: FormData) => ({
  name: String(data.get('name')),
  scopes: data.getAll('scopes').map(String),
  expiresInDays: String(data.get('expiresInDays')),
  networks: String(data.get('networks'))
    .split(/[\s,]+/)
    .filter((network) => network !== ''),
})

function TokenForm<Extra extends object>({
  codes = scopeCodes,
  fields,
  readFields,
  checkFields,
  create,
  onClose,
  onCreated,
}: TokenDialogProps<Extra> & { onCreated: (secret: string) => void }) {
  const [errors, setErrors] = useState<FormErrors>({})
  const change = useTokenChange(create)
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const parsed = z.safeDecode(CreateToken, readForm(data) as z.input<typeof CreateToken>)
    const extra = readFields?.(data)
    const found: FormErrors = {
      ...(parsed.success ? {} : listErrors(parsed.error.issues)),
      ...(extra && checkFields?.(extra)),
    }
    setErrors(found)
    focusFirstError(event.currentTarget, found)
    if (!parsed.success || Object.keys(found).length > 0) return
    const input = { ...parsed.data, ...extra } as CreateToken & Extra
    change.mutate(input, { onSuccess: ({ token }) => onCreated(token) })
  }
  return (
    <form onSubmit={save} noValidate>
      <Stack gap="sm">
        <TextInput
          name="name"
          label="Name"
          description="What uses it, such as a script or a server"
          required
          error={errors.name}
          data-autofocus
          autoComplete="off"
        />
        {fields?.(errors)}
        <Checkbox.Group label="What it may do" required error={errors.scopes}>
          <div className={classes.scopes}>
            {codes.map((scope) => (
              <CodeCheckbox key={scope} name="scopes" code={scope} label={scopes[scope]} />
            ))}
          </div>
        </Checkbox.Group>
        <NativeSelect name="expiresInDays" label="Valid for" data={lifetimes} defaultValue="90" />
        <Textarea
          name="networks"
          label="Addresses it may be used from"
          description="Such as 192.0.2.7 or 192.0.2.0/24, one on each line. Empty: from everywhere"
          autosize
          minRows={2}
          maxRows={6}
          error={errors.networks}
        />
        <FormActions
          action="Create Token"
          pending={change.isPending}
          failure={change.error ? getErrorMessage(change.error) : undefined}
          onCancel={onClose}
        />
      </Stack>
    </form>
  )
}
