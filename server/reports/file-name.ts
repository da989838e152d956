import type { StoredReport } from './stored-reports.ts'

const toWord = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[^\w]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
    .toLowerCase()

/** 'report-north-2026-11-02.pdf', in characters that are safe in every file system and header. */
export const formatFileName = ({ report: { group, firstDay } }: Pick<StoredReport, 'report'>, extension: string) =>
  ['report', ...(group === null ? [] : [toWord(group)]), firstDay].filter((word) => word !== '').join('-') +
  `.${extension}`
