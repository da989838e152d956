import { Checkbox } from '@mantine/core'
import type { Profile } from '#contract/profile.ts'
import { useFocusReturn } from '../../ui/focus-return.ts'
import classes from './ProfilePage.module.css'
import { useProfileSetting } from './profile.ts'

type SettingName = {
  [Name in keyof Profile]: Profile[Name] extends boolean ? Name : never
}[keyof Profile]

interface SettingBoxProps<Name extends SettingName> {
  known: Profile
  name: Name
  label: string
  send: (part: Pick<Profile, Name>) => Promise<unknown>
  /** Returns false to prevent the box from being checked. */
  mayCheck?: () => boolean
}

/** One call per checkbox. The box is reset if the call fails. */
export function SettingBox<Name extends SettingName>({ known, name, label, send, mayCheck }: SettingBoxProps<Name>) {
  const { value, isSaving, set } = useProfileSetting(known, name, send)
  return (
    <Checkbox
      ref={useFocusReturn<HTMLInputElement>(isSaving)}
      className={classes.box}
      label={label}
      checked={value}
      disabled={isSaving}
      onChange={({ currentTarget: { checked } }) => {
        if (checked && mayCheck?.() === false) return
        set(checked)
      }}
    />
  )
}
