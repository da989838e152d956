import { formatUptime } from '#contract/format/durations.ts'
import type { Router } from '#contract/terminal-detail.ts'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { useNow } from '../../ui/use-now.ts'
import { InfoItem, InfoList } from './InfoList.tsx'

const ageIntervalMs = 5000

const either = (value: boolean | null, yes: string, no: string) => (value === null ? 'N/A' : value ? yes : no)

export function RouterTab({ router }: { router: Router }) {
  const nowMs = useNow(ageIntervalMs)
  return (
    <InfoList>
      <InfoItem name="ROUTER ID" copy={router.router_id} />
      <InfoItem name="HARDWARE VERSION">{router.hardware_version ?? 'N/A'}</InfoItem>
      <InfoItem name="CLIENTS">{router.clients ?? 'N/A'}</InfoItem>
      <InfoItem name="UPTIME">{router.wifi_uptime_S === null ? 'N/A' : formatUptime(router.wifi_uptime_S)}</InfoItem>
      <InfoItem name="LAST UPDATED">
        {router.update_from_telemetry ? <TimeAgo at={router.update_from_telemetry} nowMs={nowMs} /> : 'N/A'}
      </InfoItem>
      <InfoItem name="IS REPEATER">{either(router.wifi_is_repeater, 'TRUE', 'FALSE')}</InfoItem>
      <InfoItem name="BYPASSED">{either(router.wifi_is_bypass, 'YES', 'NO')}</InfoItem>
      <InfoItem name="SOFTWARE VERSION">{router.wifi_software_version ?? 'N/A'}</InfoItem>
    </InfoList>
  )
}
