import { Button } from '@mantine/core'
import { Scene } from '../../ui/Scene.tsx'

/** Replaces the list when the fleet has no terminals. */
export function EmptyFleet() {
  return (
    <>
      <Scene name="dish" />
      <br />
      No terminals yet. They appear here by themselves as soon as there are any.
    </>
  )
}

/** Replaces the list when no terminal matches the filter. */
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
