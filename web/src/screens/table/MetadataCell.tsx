import { ActionIcon, Popover, TextInput } from '@mantine/core'
import { type KeyboardEvent, useId } from 'react'
import { type MetadataField, metadataMaxLength } from '#contract/service-lines.ts'
import type { TerminalDetailsItem } from '#contract/terminals.ts'
import { getDisplayName } from '../../parts/fleet/fleet.ts'
import { CheckIcon, CloseIcon, PencilIcon } from '../../ui/icons.tsx'
import classes from './TerminalTablePage.module.css'
import type { useMetadataEdit } from './use-metadata-edit.ts'

interface MetadataCellProps {
  row: TerminalDetailsItem
  field: MetadataField
  label: string
  editing: ReturnType<typeof useMetadataEdit>
}

/** Metadata that can be edited in place: Enter saves, Escape cancels. */
export function MetadataCell({ row, field, label, editing }: MetadataCellProps) {
  const { edit } = editing
  const value = row[field]
  if (edit?.id === row.id && edit.field === field)
    return <Editor editing={editing} label={`${label} of ${getDisplayName(row)}`} />
  return (
    <button
      type="button"
      className={classes.metadata}
      title={`Edit ${label}`}
      onClick={(event) => {
        event.stopPropagation()
        editing.begin(row, field)
      }}
    >
      <span>{value || '-'}</span>
      <span className="visually-hidden">Edit {`${label} of ${getDisplayName(row)}`}</span>
      <PencilIcon />
    </button>
  )
}

function Editor({ editing, label }: { editing: MetadataCellProps['editing']; label: string }) {
  const { edit, isSaving, type, save, cancel } = editing
  const errorId = useId()
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter') save()
    if (event.key === 'Escape') cancel()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: a click in here must not open the row
    <div className={classes.editor} onClick={(event) => event.stopPropagation()}>
      <Popover opened={edit?.error !== undefined} position="bottom-start" withArrow withRoles={false}>
        <Popover.Target>
          <TextInput
            className={classes.editorInput}
            size="xs"
            autoFocus
            aria-label={label}
            aria-invalid={edit?.error !== undefined}
            aria-describedby={errorId}
            maxLength={metadataMaxLength}
            readOnly={isSaving}
            value={edit?.draft ?? ''}
            onChange={({ currentTarget }) => type(currentTarget.value)}
            onKeyDown={press}
          />
        </Popover.Target>
        <Popover.Dropdown p="xs">
          <span id={errorId} role="alert" className={classes.error}>
            {edit?.error}
          </span>
        </Popover.Dropdown>
      </Popover>
      <ActionIcon variant="subtle" size={26} aria-label="Save" loading={isSaving} onClick={save}>
        <CheckIcon />
      </ActionIcon>
      <ActionIcon variant="subtle" size={26} aria-label="Cancel" disabled={isSaving} onClick={cancel}>
        <CloseIcon />
      </ActionIcon>
    </div>
  )
}
