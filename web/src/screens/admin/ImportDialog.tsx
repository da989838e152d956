import { Alert, Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { formatCount } from '#contract/format/numbers.ts'
import { users } from '#contract/users.ts'
import { call, getErrorMessage } from '../../api.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { notice } from '../../ui/notice.ts'
import { ImportLines } from './ImportLines.tsx'
import { useUserChange } from './users.ts'

const columns = 'email, GroupID, customerName, company, role, initialPassword'

/** Previews an import line by line before it can be applied. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const [file, setFile] = useState<{ name: string; csv: string }>()
  const preview = useUserChange((csv: string) => call(users.importCsv, { csv }))
  const apply = useUserChange(({ csv, plan }: { csv: string; plan: string }) =>
    call(users.importCsv, { csv, plan, apply: true }),
  )
  const read = async (chosen: File | null) => {
    if (!chosen) return
    const csv = await chosen.text()
    setFile({ name: chosen.name, csv })
    apply.reset()
    preview.mutate(csv)
  }
  const plan = preview.data
  const outcomes = plan?.lines.map(({ outcome }) => outcome) ?? []
  const count = (outcome: string) => outcomes.filter((each) => each === outcome).length
  const todo = count('create') + count('change')
  const hindrance = !plan
    ? 'Choose a file first.'
    : count('fault') > 0
      ? 'Lines of the file have faults.'
      : todo === 0
        ? 'Nothing would change.'
        : undefined
  const save = () => {
    if (!file || !plan) return
    apply.mutate(
      { csv: file.csv, plan: plan.plan },
      {
        onSuccess: ({ applied }) => {
          if (!applied) return
          notice.success(`${formatCount(count('create'))} created, ${formatCount(count('change'))} changed.`)
          onClose()
        },
      },
    )
  }
  const failure = apply.error ?? preview.error
  return (
    <Dialog onClose={onClose} title="Import Users" centered size={800}>
      <Stack gap="sm">
        <Text c="var(--quiet)">
          A CSV file with the columns {columns}. Existing users are changed, but not their passwords. Nothing happens
          before you confirm, and then every line or none.
        </Text>
        <Group>
          <FileButton onChange={read} accept=".csv,text/csv">
            {(props) => (
              <Button variant="default" {...props} loading={preview.isPending}>
                Choose File
              </Button>
            )}
          </FileButton>
          {file && <Text>{file.name}</Text>}
        </Group>
        {failure && (
          <Alert color="red" role="alert">
            {getErrorMessage(failure)}
          </Alert>
        )}
        {plan && !preview.error && <ImportLines lines={plan.lines} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button onClick={save} disabled={hindrance !== undefined} title={hindrance} loading={apply.isPending}>
            {todo > 0 && count('fault') === 0 ? `Import ${todo}` : 'Import'}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
