import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { EventsButton } from '../../parts/events/EventsButton.tsx'
import { useIsNarrow } from '../../ui/use-is-narrow.ts'

/** What happened in the fleet. On a narrow screen, the toolbar has an icon for the events instead. */
export function ActivityButtons() {
  const isNarrow = useIsNarrow()
  return (
    <>
      <Button variant="default" component={Link} to="/incidents">
        Incidents
      </Button>
      {!isNarrow && <EventsButton isLive />}
    </>
  )
}
