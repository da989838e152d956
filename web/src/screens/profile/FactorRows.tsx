import { Button, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { OwnFactors } from '#contract/factors.ts'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { useNow } from '../../ui/use-now.ts'
import classes from './ProfilePage.module.css'

interface RowProps {
  name: string
  about: ReactNode
  action: string
  /** The accessible name of the action. */
  label?: string
  onAction: () => void
}

function Row({ name, about, action, label, onAction }: RowProps) {
  return (
    <li>
      <div>
        <Text fw={500}>{name}</Text>
        <Text size="xs" className={classes.quiet}>
          {about}
        </Text>
      </div>
      <Button variant="default" h="var(--touch)" onClick={onAction} aria-label={label}>
        {action}
      </Button>
    </li>
  )
}

interface Times {
  addedAt: Date
  lastUsedAt: Date | null
}

function Uses({ addedAt, lastUsedAt }: Times) {
  const nowMs = useNow(30_000)
  return (
    <>
      added <TimeAgo at={addedAt} nowMs={nowMs} /> ·{' '}
      {lastUsedAt ? (
        <>
          last used <TimeAgo at={lastUsedAt} nowMs={nowMs} />
        </>
      ) : (
        'never used'
      )}
    </>
  )
}

export type OwnPasskey = OwnFactors['passkeys'][number]

export function PasskeyRow({ passkey, onRemove }: { passkey: OwnPasskey; onRemove: () => void }) {
  const isHere = passkey.host === window.location.hostname
  return (
    <Row
      name={passkey.name}
      about={
        <>
          passkey{isHere ? '' : ` for ${passkey.host}`} · <Uses {...passkey} />
        </>
      }
      action="Remove"
      label={`Remove ${passkey.name}`}
      onAction={onRemove}
    />
  )
}

export function AppRow({ totp, onRemove }: { totp: Times; onRemove: () => void }) {
  return <Row name="Authenticator app" about={<Uses {...totp} />} action="Remove App" onAction={onRemove} />
}

export function RecoveryRow({ left, onReplace }: { left: number; onReplace: () => void }) {
  const about = `${left} of 10 left, for when you lose the others`
  return <Row name="Recovery codes" about={about} action="New Codes" onAction={onReplace} />
}
