import { Checkbox, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import * as z from 'zod/mini'
import { isUserEvent, webhookEventNames, webhookEventTypes } from '#contract/webhook-event-types.ts'
import { type Webhook, WebhookForm, webhooks } from '#contract/webhooks.ts'
import { call, getErrorMessage } from '../../api.ts'
import { GroupField } from '../../parts/GroupField.tsx'
import { CodeCheckbox } from '../../ui/CodeCheckbox.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormActions } from '../../ui/FormActions.tsx'
import { type FormErrors, focusFirstError, listErrors, splitFieldError } from '../../ui/form-errors.ts'
import { SecretDialog } from './SecretDialog.tsx'
import { useWebhookChange } from './webhooks.ts'

type Kind = WebhookForm['target']['kind']

const splitNames = (text: string) =>
  text
    .split(/[\n,]+/)
    .map((name) => name.trim())
    .filter((name) => name !== '')

const readTarget = (data: FormData) => {
  const kind = data.get('kind') as Kind
  if (kind === 'group') return { kind, group: String(data.get('target')) }
  return kind === 'terminals' ? { kind, terminals: splitNames(String(data.get('target'))) } : { kind }
}

const readForm = (data: FormData) => ({
  name: String(data.get('name')),
  url: String(data.get('url')),
  format: String(data.get('format')),
  eventTypes: data.getAll('eventTypes').map(String),
  target: readTarget(data),
})

const TARGET_ERROR = 'Please name a group, or terminals.'

interface WebhookDialogProps {
  /** The webhook to change; undefined to create one. */
  webhook: Webhook | undefined
  onClose: () => void
}

/** The form of a webhook; after creation it shows the secret. */
export function WebhookDialog({ webhook, onClose }: WebhookDialogProps) {
  const [secret, setSecret] = useState<string>()
  if (secret !== undefined) return <SecretDialog secret={secret} onClose={onClose} />
  return (
    <Dialog onClose={onClose} title={webhook ? 'Change Webhook' : 'Create Webhook'} centered size="lg">
      <Form webhook={webhook} onClose={onClose} onSecret={setSecret} />
    </Dialog>
  )
}

function Form({ webhook, onClose, onSecret }: WebhookDialogProps & { onSecret: (secret: string) => void }) {
  const [errors, setErrors] = useState<FormErrors>({})
  const [kind, setKind] = useState<Kind>(webhook?.target.kind ?? 'all')
  const send = async (form: WebhookForm) => {
    if (webhook) return { secret: undefined, ...(await call(webhooks.change, { id: webhook.id, ...form })) }
    return call(webhooks.create, form)
  }
  // Errors are shown in the form.
  const save = useWebhookChange(send, undefined, () => undefined)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = readForm(new FormData(event.currentTarget))
    const parsed = z.safeDecode(WebhookForm, given as z.input<typeof WebhookForm>)
    const listed = parsed.success ? {} : listErrors(parsed.error.issues)
    const found = listed.target ? { ...listed, target: TARGET_ERROR } : listed
    setErrors(found)
    focusFirstError(event.currentTarget, found)
    if (!parsed.success) return
    const form = event.currentTarget
    save.mutate(parsed.data, {
      onSuccess: ({ secret }) => (secret === undefined ? onClose() : onSecret(secret)),
      onError: (error) => {
        const refused = splitFieldError(getErrorMessage(error), ['url'])
        setErrors(refused)
        focusFirstError(form, refused)
      },
    })
  }
  const failure = save.error && errors.url === undefined ? getErrorMessage(save.error) : undefined
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <TextInput
          name="name"
          label="Name"
          description="Who receives the events"
          defaultValue={webhook?.name}
          required
          error={errors.name}
          data-autofocus
          autoComplete="off"
        />
        <TextInput
          name="url"
          label="Address"
          description="It begins with https:// and is on the public internet"
          defaultValue={webhook?.url}
          required
          error={errors.url}
          inputMode="url"
          autoComplete="off"
        />
        <NativeSelect
          name="format"
          label="Format"
          defaultValue={webhook?.format}
          data={[
            { value: 'standard', label: 'Standard Webhooks, for programs' },
            { value: 'slack', label: 'Slack, in words' },
            { value: 'teams', label: 'Microsoft Teams, in words' },
          ]}
        />
        <NativeSelect
          name="kind"
          label="About"
          value={kind}
          onChange={(event) => setKind(event.currentTarget.value as Kind)}
          data={[
            { value: 'all', label: 'All terminals' },
            { value: 'group', label: 'The terminals of a group' },
            { value: 'terminals', label: 'Some terminals' },
          ]}
        />
        <TargetField key={kind} kind={kind} webhook={webhook} error={errors.target} />
        <Checkbox.Group
          label="Events"
          required
          error={errors.eventTypes}
          defaultValue={webhook?.eventTypes ?? ['incident.opened', 'incident.resolved']}
        >
          <Stack gap={6} mt={6}>
            {webhookEventTypes
              .filter((type) => kind === 'all' || !isUserEvent(type))
              .map((type) => (
                <CodeCheckbox key={type} name="eventTypes" code={type} label={webhookEventNames[type]} />
              ))}
          </Stack>
        </Checkbox.Group>
        <FormActions
          action={webhook ? 'Save' : 'Create Webhook'}
          pending={save.isPending}
          failure={failure}
          onCancel={onClose}
        />
      </Stack>
    </form>
  )
}

interface TargetFieldProps {
  kind: Kind
  webhook: Webhook | undefined
  error: string | undefined
}

function TargetField({ kind, webhook, error }: TargetFieldProps) {
  const target = webhook?.target
  if (kind === 'group')
    return <GroupField name="target" defaultValue={target?.kind === 'group' ? target.group : ''} error={error} />
  if (kind === 'terminals')
    return (
      <Textarea
        name="target"
        label="Terminals"
        description="By nickname, service line or kit number, one on each line. Events of pools are left out"
        required
        defaultValue={target?.kind === 'terminals' ? target.terminals.join('\n') : ''}
        error={error}
        autosize
        minRows={2}
        maxRows={6}
      />
    )
  return null
}
