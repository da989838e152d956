import { Switch } from '@mantine/core'
import { useState } from 'react'
import classes from './EventsDrawer.module.css'
import type { AlertChoice } from './event-alerts.ts'
import { playSound } from './sound.ts'

interface AlertSwitchesProps {
  choice: AlertChoice
  onChoice: (choice: AlertChoice) => void
}

/** The permission can be withdrawn in the browser's settings. */
const isAllowed = () => 'Notification' in window && Notification.permission === 'granted'

/** Switches for notifications and a sound; both are off by default. */
export function AlertSwitches({ choice, onChoice }: AlertSwitchesProps) {
  const [problem, setProblem] = useState<string>()
  const switchNotifications = async (isOn: boolean) => {
    setProblem(undefined)
    if (!isOn) return onChoice({ ...choice, notifies: false })
    const permission = 'Notification' in window ? await Notification.requestPermission() : 'denied'
    if (permission === 'granted') return onChoice({ ...choice, notifies: true })
    setProblem('This browser does not allow notifications. Allow them for this site in its settings.')
  }
  const switchSound = (isOn: boolean) => {
    onChoice({ ...choice, sounds: isOn })
    if (isOn) playSound()
  }
  return (
    <fieldset className={classes.alerts}>
      <legend className="visually-hidden">When there is trouble</legend>
      <Switch
        label="Notify me"
        checked={choice.notifies && isAllowed()}
        onChange={({ currentTarget }) => void switchNotifications(currentTarget.checked)}
      />
      <Switch
        label="Play a sound"
        checked={choice.sounds}
        onChange={({ currentTarget }) => switchSound(currentTarget.checked)}
      />
      {problem !== undefined && <p role="alert">{problem}</p>}
    </fieldset>
  )
}
