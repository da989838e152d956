import { Title } from '@mantine/core'
import { commands } from '#contract/commands.ts'
import { type MetadataField, metadataMaxLength, serviceLines } from '#contract/service-lines.ts'
import { call } from '../../api.ts'
import { useAt } from '../../past-search.ts'
import { usePermissions } from '../../permissions.ts'
import { type Line, useDetailChange, withLine } from './detail.ts'
import { EditableText } from './EditableText.tsx'
import classes from './TerminalPage.module.css'

const nameMaxLength = 100

const metadataLabels: Record<MetadataField, string> = {
  metadata1: 'Metadata 1',
  metadata2: 'Metadata 2',
  metadata3: 'Metadata 3',
}

const wasSaved = (saving: Promise<unknown>) =>
  saving.then(
    () => true,
    () => false,
  )

/** The customer's name for the line, and its metadata for users who may see it. */
export function NameAndMetadata({ line, kitnumber }: { line: Line; kitnumber: string }) {
  const { rename_terminal, metadata } = usePermissions()
  const isPast = useAt() !== undefined
  const rename = useDetailChange(
    kitnumber,
    (customname: string) => call(commands.rename, { nickname: line.nickname, customname }),
    (detail, { customname }) => withLine(detail, { customname }),
  )
  const maySee = metadata === 'read_only' || metadata === 'read_write'
  return (
    <section className={classes.stack} aria-label="Name & Metadata">
      <Title order={3} className={classes.partTitle}>
        Name & Metadata
      </Title>
      <EditableText
        label="Custom Name"
        value={line.customname}
        maxLength={nameMaxLength}
        canEdit={rename_terminal === true && !isPast}
        isSaving={rename.isPending}
        onSave={(text) => wasSaved(rename.mutateAsync(text))}
      />
      {maySee &&
        (['metadata1', 'metadata2', 'metadata3'] as const).map((field) => (
          <MetadataRow
            key={field}
            field={field}
            line={line}
            kitnumber={kitnumber}
            canEdit={metadata === 'read_write' && !isPast}
          />
        ))}
    </section>
  )
}

interface MetadataRowProps {
  field: MetadataField
  line: Line
  kitnumber: string
  canEdit: boolean
}

function MetadataRow({ field, line, kitnumber, canEdit }: MetadataRowProps) {
  const change = useDetailChange(
    kitnumber,
    (value: string) => call(serviceLines.setMetadata, { nickname: line.nickname, field, value, sl: line.serviceLine }),
    (detail, { value }) => withLine(detail, { [field]: value }),
  )
  return (
    <EditableText
      label={metadataLabels[field]}
      value={line[field] ?? null}
      maxLength={metadataMaxLength}
      canEdit={canEdit}
      isSaving={change.isPending}
      onSave={(text) => wasSaved(change.mutateAsync(text))}
    />
  )
}
