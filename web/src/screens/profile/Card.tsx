import { Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './ProfilePage.module.css'

/** One topic of a section, with a title. */
export function Card({ title, children, wide }: { title: string; children: ReactNode; wide?: boolean }) {
  const id = useId()
  return (
    <section className={classes.card} aria-labelledby={id} data-wide={wide || undefined}>
      <Title order={3} id={id} size="h5">
        {title}
      </Title>
      {children}
    </section>
  )
}
