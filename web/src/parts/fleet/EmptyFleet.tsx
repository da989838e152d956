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
