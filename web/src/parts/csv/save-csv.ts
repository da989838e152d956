import { type CsvColumn, formatCsv } from '#contract/csv.ts'
import { saveFile } from '../../ui/save-file.ts'

export const saveCsv = <Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[], name: string) =>
  saveFile(new Blob([formatCsv(columns, rows)], { type: 'text/csv;charset=utf-8' }), name)
