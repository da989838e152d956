import { Anchor, Paper, Skeleton, Title } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { messageOf } from '../../api.ts'
import { useBrandTitle } from '../../brand/use-brand-title.ts'
import { nameOf } from '../../parts/fleet/fleet.ts'
import { placeOf } from '../../parts/fleet/place.ts'
import { useLiveFleet } from '../../parts/fleet/use-live-fleet.ts'
import { StatusMark } from '../../parts/StatusMark.tsx'
import { shownStatus } from '../../parts/status.ts'
import { ageText, exactTime } from '../../ui/age.ts'
import { Failure } from '../../ui/Failure.tsx'
import { MessagePage } from '../../ui/MessagePage.tsx'
import { useNow } from '../../ui/use-now.ts'
import classes from './TerminalPage.module.css'

const route = getRouteApi('/signed-in/terminal/$kitnumber')

/** Name, status, place and age of one terminal, as they are now. */
export function TerminalPage() {
  const { kitnumber } = route.useParams()
  const { fleet } = useLiveFleet()
  const now = useNow(5000)
  const terminal = fleet.data?.terminals.find(
    ({ nickname, serviceLine }) => nickname === kitnumber || serviceLine === kitnumber,
  )
  useBrandTitle(terminal ? nameOf(terminal) : 'Terminal')

  if (fleet.isPending) return <Skeleton height={160} m="md" radius={12} w="auto" />
  if (!fleet.data) {
    return (
      <Failure
        what="The terminal could not be loaded."
        why={messageOf(fleet.error)}
        onRetry={() => void fleet.refetch()}
      />
    )
  }
  if (!terminal) return <MessagePage title="Terminal" text="You are not authorized to view this terminal." />
  const facts = {
    Place: placeOf(terminal),
    Kind: terminal.isMobile ? 'Mobile' : 'Fixed',
    Alerts: terminal.alerts.join(', ') || 'N/A',
    'Service Line': terminal.serviceLine,
    Nickname: terminal.nickname,
  }
  return (
    <div className={classes.page}>
      <Anchor component={Link} to="/dashboard" size="sm">
        Dashboard
      </Anchor>
      <Paper withBorder radius={12} p="md">
        <div className={classes.head}>
          <Title order={1}>{nameOf(terminal)}</Title>
          <StatusMark status={shownStatus(terminal)} />
          <span className={classes.seen} title={terminal.lastSeen ? exactTime(terminal.lastSeen) : undefined}>
            {terminal.lastSeen ? `Last seen ${ageText(terminal.lastSeen.getTime(), now)}` : 'Never seen'}
          </span>
        </div>
        <dl className={classes.facts}>
          {Object.entries(facts).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </Paper>
    </div>
  )
}
