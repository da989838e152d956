import { Alert, NativeSelect, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useState } from 'react'
import { ApiError } from '#contract/errors.ts'
import { type OverLimitBehavior, overLimitBehaviors, type Pool } from '#contract/plans.ts'
import { FormActions } from '../../ui/FormActions.tsx'
import { AssignedLines } from './AssignedLines.tsx'
import { PoolOutlook } from './PoolOutlook.tsx'
import { PoolPreview } from './PoolPreview.tsx'
import { checkForm, emptyForm, type FormErrors, type PoolForm, toForm } from './pool-form.ts'
import { TopUps } from './TopUps.tsx'
import { useSavePool } from './use-save-pool.ts'

const behaviorDescriptions: Record<OverLimitBehavior, string> = {
  'Hard Cap': 'At the limit, lines are opted out of further priority data, and in again with the next cycle.',
  'Soft Cap': 'At the limit, the users who manage plans are notified. Nothing else changes.',
  'Purchase Buckets': 'At the limit, a bucket of 500 GB is added for this cycle, each time it is reached.',
}

interface PoolEditorProps {
  /** Undefined for a new pool. */
  pool: Pool | undefined
  /** On the page of a pool, its usage is next to the form. */
  isInDialog: boolean
  onSaved: () => void
  onClose: () => void
}

export function PoolEditor({ pool, isInDialog, onSaved, onClose }: PoolEditorProps) {
  const [form, setForm] = useState<PoolForm>(pool ? toForm(pool) : emptyForm)
  const [errors, setErrors] = useState<FormErrors>({})
  const { save, isPending, wasSaved, message, error } = useSavePool(pool, onClose)
  useEffect(() => {
    if (wasSaved) onSaved()
  }, [wasSaved, onSaved])
  const change = (part: Partial<PoolForm>) => setForm((before) => ({ ...before, ...part }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = checkForm(form, pool === undefined)
    setErrors(found)
    if (Object.keys(found).length === 0) save(form)
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {pool && isInDialog && <PoolOutlook pool={pool} />}
        <TextInput
          label="Pool Name"
          required
          value={form.name}
          error={errors.name}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          autoComplete="off"
          data-autofocus
        />
        <NativeSelect
          label="Over Limit Behavior"
          description={behaviorDescriptions[form.behavior]}
          data={overLimitBehaviors}
          value={form.behavior}
          onChange={({ currentTarget }) => change({ behavior: currentTarget.value as OverLimitBehavior })}
        />
        <TextInput
          label="Usage Limit (GB)"
          required
          inputMode="numeric"
          value={form.limit}
          error={errors.limit}
          onChange={({ currentTarget }) => change({ limit: currentTarget.value })}
          autoComplete="off"
        />
        {pool && (
          <>
            <TopUps form={form} onChange={setForm} />
            <TextInput
              label="Next Month Usage Limit (GB)"
              required
              inputMode="numeric"
              value={form.nextLimit}
              error={errors.nextLimit}
              onChange={({ currentTarget }) => change({ nextLimit: currentTarget.value })}
              autoComplete="off"
            />
          </>
        )}
        <AssignedLines form={form} onChange={setForm} />
        <PoolPreview pool={pool} form={form} />
        {message === 'saved' && (
          <Alert color="green" role="status">
            Saved successfully!
          </Alert>
        )}
        {message === 'failed' && (
          <Alert color="red" role="alert" title="Failed to save. Try again.">
            {getRefusalReason(error)}
          </Alert>
        )}
        <FormActions action="Save Changes" pending={isPending} isDisabled={wasSaved} onCancel={onClose} />
      </Stack>
    </form>
  )
}

/** The reason for a refusal that retrying would not change. */
const getRefusalReason = (error: Error | null) =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 ? error.message : undefined
