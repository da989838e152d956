import { Paper, Tabs, Title } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { TerminalDetail } from '#contract/terminal-detail.ts'
import { listDevices } from './devices.ts'
import { Performance, type Reload } from './Performance.tsx'
import { RouterTab } from './RouterTab.tsx'
import classes from './TerminalPage.module.css'
import { TerminalTab } from './TerminalTab.tsx'

const route = getRouteApi('/terminal/$kitnumber')

interface DevicesProps {
  detail: TerminalDetail
  kitnumber: string
  reload: Reload
}

export function Devices({ detail, kitnumber, reload }: DevicesProps) {
  const { device } = route.useSearch()
  const navigate = route.useNavigate()
  const devices = listDevices(detail)
  const chosen = devices.find(({ key }) => key === device) ?? devices[0]
  const choose = (key: string | null) =>
    navigate({
      search: (before) => ({ ...before, device: key === null || key === devices[0]?.key ? undefined : key }),
      replace: true,
      resetScroll: false,
    })
  return (
    <Paper component="section" withBorder radius={12} p="md" aria-labelledby="devices">
      <Title order={2} id="devices">
        Devices
      </Title>
      {!chosen && (
        <p className={classes.none}>
          No data to show <small>The vendor lists no terminal on this line.</small>
        </p>
      )}
      {chosen && (
        <Tabs value={chosen.key} onChange={choose} keepMounted={false} mt="xs">
          <Tabs.List aria-label="Devices" className={classes.tabs}>
            {devices.map(({ key, label }) => (
              <Tabs.Tab key={key} value={key}>
                {label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {/* The key resets the tab, so that no choice for one terminal carries over to the next. */}
          <Tabs.Panel value={chosen.key} key={chosen.key} className={classes.device}>
            {'router' in chosen ? (
              <RouterTab router={chosen.router} />
            ) : (
              <TerminalTab terminal={chosen.terminal} detail={detail} kitnumber={kitnumber}>
                <Performance terminal={chosen.terminal} detail={detail} kitnumber={kitnumber} reload={reload} />
              </TerminalTab>
            )}
          </Tabs.Panel>
        </Tabs>
      )}
    </Paper>
  )
}
