import { Button } from '@mantine/core'

interface CsvButtonProps<Row> {
  rows: readonly Row[]
  onSave: (rows: readonly Row[]) => void
}

/** Saves the displayed rows as a file. */
export function CsvButton<Row>({ rows, onSave }: CsvButtonProps<Row>) {
  const isEmpty = rows.length === 0
  return (
    <Button
      variant="default"
      disabled={isEmpty}
      title={isEmpty ? 'There is nothing to save.' : undefined}
      onClick={() => onSave(rows)}
    >
      CSV
    </Button>
  )
}
