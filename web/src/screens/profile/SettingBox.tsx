import { Checkbox } from '@mantine/core'
import type { Profile } from '#contract/profile.ts'
import classes from './ProfilePage.module.css'
import { useProfileChange } from './profile.ts'

type SettingName = {
  [Name in keyof Profile]: Profile[Name] extends boolean ? Name : never
}[keyof Profile]

interface SettingBoxProps<Name extends SettingName> {
  known: Profile
  name: Name
  label: string
  send: (part: Record<Name, boolean>) => Promise<unknown>
  /** Returns false to prevent the box from being checked. */
  mayCheck?: () => boolean
}

/** One call per checkbox. The box is reset if the call fails. */
export function SettingBox<Name extends SettingName>({ known, name, label, send, mayCheck }: SettingBoxProps<Name>) {
  const change = useProfileChange(send as (part: Partial<Profile>) => Promise<unknown>)
  return (
    <Checkbox
      className={classes.box}
      label={label}
      checked={known[name]}
      disabled={change.isPending}
      onChange={({ currentTarget: { checked } }) => {
        if (checked && mayCheck?.() === false) return
        change.mutate({ [name]: checked })
      }}
    />
  )
}
