import { useQuery } from '@tanstack/react-query'
import type { ReportSchedule } from '#contract/reports.ts'
import { QueryFailure } from '../../parts/QueryFailure.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Waiting } from '../../ui/Waiting.tsx'
import { ReportView } from './ReportView.tsx'
import { previewQuery } from './reports.ts'

/** A preview of the report on the last complete period. */
export function PreviewDialog({ schedule, onClose }: { schedule: ReportSchedule; onClose: () => void }) {
  const { data, error, refetch } = useQuery(previewQuery(schedule))
  return (
    <Dialog onClose={onClose} title={`Preview of “${schedule.name}”`} size="80rem">
      {data ? (
        <ReportView report={data.report} />
      ) : error ? (
        <QueryFailure what="The preview could not be made." query={{ error, refetch }} />
      ) : (
        <Waiting text="Making the preview..." retry={() => void refetch()} />
      )}
    </Dialog>
  )
}
