import { Paper, Title } from '@mantine/core'
import { commands, type IpPolicy } from '#contract/commands.ts'
import { formatAddress } from '#contract/format/places.ts'
import type { TerminalDetail } from '#contract/terminal-detail.ts'
import { call } from '../../api.ts'
import { CommandSelect } from './CommandSelect.tsx'
import { isUnrecorded, useControlDenied } from './control.ts'
import { useDetailChange, withLine } from './detail.ts'
import { InfoItem, InfoList } from './InfoList.tsx'
import { LineMap } from './LineMap.tsx'
import { NameAndMetadata } from './NameAndMetadata.tsx'
import { findReceipt } from './receipts.ts'
import classes from './TerminalPage.module.css'

const policies: readonly IpPolicy[] = ['default', 'public ip']

export function Subscription({ detail, kitnumber }: { detail: TerminalDetail; kitnumber: string }) {
  const line = detail.service_line_data
  return (
    <Paper component="section" withBorder radius={12} p="md" aria-labelledby="subscription">
      <Title order={2} id="subscription">
        Subscription
      </Title>
      <div className={classes.columns}>
        <NameAndMetadata line={line} kitnumber={kitnumber} />
        <div className={classes.stack}>
          <InfoList>
            <InfoItem name="Service Plan">{line.serviceName ?? 'N/A'}</InfoItem>
            <InfoItem name="ID" copy={line.serviceLine} />
          </InfoList>
          {!isUnrecorded(detail) && <IpPolicySelect detail={detail} kitnumber={kitnumber} />}
        </div>
        <figure className={classes.place}>
          <div className={classes.map}>
            <LineMap detail={detail} />
          </div>
          <figcaption>
            <strong>{line.nickname}</strong>
            <span>
              {formatAddress({ ...line, isMobile: line.track !== undefined }) || 'Location unknown'}
              {line.track && line.track.length > 1 && ', with its track of the last 24 hours'}
            </span>
          </figcaption>
        </figure>
      </div>
    </Paper>
  )
}

function IpPolicySelect({ detail, kitnumber }: { detail: TerminalDetail; kitnumber: string }) {
  const { nickname, serviceLine, public_ip } = detail.service_line_data
  const change = useDetailChange(
    kitnumber,
    (ip_policy: IpPolicy) => call(commands.setIpPolicy, { nickname, ip_policy, sl: serviceLine }),
    (before, { ip_policy }) => withLine(before, { public_ip: ip_policy === 'public ip' }),
  )
  return (
    <CommandSelect
      label="IP Policy"
      value={public_ip ? 'public ip' : 'default'}
      choices={policies}
      isUpdating={change.isPending}
      denied={useControlDenied()}
      receipt={findReceipt(detail.receipts, 'ip_policy', null)}
      onChoose={(policy) => change.mutate(policy)}
    />
  )
}
