import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './ProfilePage.module.css'
import { type ProfileSectionId, profileSections } from './sections.ts'

/** One section of the profile, the target of a link in the navigation. */
export function Section({ id, children }: { id: ProfileSectionId; children: ReactNode }) {
  const titleId = `${id}-title`
  return (
    <section id={id} className={classes.section} aria-labelledby={titleId}>
      <Title order={2} id={titleId} size="h2" className={classes.wide}>
        {profileSections.find((section) => section.id === id)?.title}
      </Title>
      {children}
    </section>
  )
}
