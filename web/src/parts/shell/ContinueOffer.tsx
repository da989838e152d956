import { ActionIcon, Button } from '@mantine/core'
import { useLocation, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { continueTo, isLanding } from '../../continue-to.ts'
import { getPageName } from '../../pages.ts'
import { useSession } from '../../session.ts'
import { CloseIcon } from '../../ui/icons.tsx'
import classes from './Shell.module.css'

/** After sign-in: a button to the page that was requested before. */
export function ContinueOffer() {
  const router = useRouter()
  const session = useSession()
  const here = useLocation({ select: ({ pathname }) => pathname })
  const [, setDismissed] = useState(false)
  const href = continueTo.find()
  if (session.state !== 'signed in' || !isLanding(here) || !href) return null
  if (session.user.newUser || session.user.mustAddFactor) return null
  const openRequestedPage = () => {
    continueTo.clear()
    router.history.push(href)
  }
  const dismiss = () => {
    continueTo.clear()
    setDismissed(true)
  }
  return (
    <section className={classes.offer} aria-label="Where you were going">
      <Button onClick={openRequestedPage} variant="filled" h="var(--touch)">
        Continue to {getPageName(router, href)}
      </Button>
      <ActionIcon variant="subtle" color="gray" size="var(--touch)" aria-label="Stay here" onClick={dismiss}>
        <CloseIcon />
      </ActionIcon>
    </section>
  )
}
