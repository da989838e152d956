import { Anchor } from '@mantine/core'
import classes from './AvailabilityPage.module.css'

/** Opens the availability of a group or a line. */
export function OpenLink({ name, onOpen }: { name: string; onOpen: () => void }) {
  return (
    <Anchor component="button" type="button" onClick={onOpen} className={classes.name} title={name}>
      {name}
    </Anchor>
  )
}
