import { Anchor, Button, Group, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { formatReportPeriod } from '#contract/report-words.ts'
import { useBrandTitle } from '../../brand/use-brand-title.ts'
import { QueryFailure } from '../../parts/QueryFailure.tsx'
import { ShareButton } from '../../parts/share/ShareButton.tsx'
import { Waiting } from '../../ui/Waiting.tsx'
import classes from './ReportView.module.css'
import { ReportView } from './ReportView.tsx'
import { download, reportQuery } from './reports.ts'

const route = getRouteApi('/reports/$id')

export function ReportPage() {
  const { id } = route.useParams()
  const { data, error, refetch } = useQuery(reportQuery(id))
  const title = data ? `${data.name}: ${formatReportPeriod(data.report)}` : 'Report'
  useBrandTitle(title)
  return (
    <div className={classes.page}>
      <nav aria-label="Reports">
        <Anchor component={Link} to="/reports" size="sm">
          Reports
        </Anchor>
      </nav>
      {!data && error && <QueryFailure isPage what="The report could not be loaded." query={{ error, refetch }} />}
      {!data && !error && <Waiting text="Loading the report..." retry={() => void refetch()} />}
      {data && (
        <>
          <Group justify="space-between" align="start">
            <Title order={1}>{title}</Title>
            <Group gap="xs">
              <ShareButton kind="report" subject={id} />
              <Button variant="default" onClick={() => void download(id, 'csv')}>
                Download CSV
              </Button>
              <Button onClick={() => void download(id, 'pdf')}>Download PDF</Button>
            </Group>
          </Group>
          <ReportView report={data.report} />
        </>
      )}
    </div>
  )
}
