import { Button } from '@mantine/core'
import { Scene } from '../../ui/Scene.tsx'

/** Instead of the list of a fleet without terminals. */
export function EmptyFleet() {
  return (
    <>
      <Scene name="dish" />
      <br />
      No terminals yet. They appear here by themselves as soon as there are any.
    </>
  )
}

/** Instead of the list where a filter leaves nothing of it. */
export function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <>
      <span>No terminals match.</span>
      <br />
      <Button variant="default" h="var(--touch)" mt="sm" onClick={onClear}>
        Clear Filters
      </Button>
    </>
  )
}
