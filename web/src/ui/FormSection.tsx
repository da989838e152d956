import { Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './FormSection.module.css'

/** A section of a form page. */
export function FormSection({ title, about, children }: { title: string; about: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section className={classes.section} aria-labelledby={id}>
      <Title order={2} id={id} size="h4">
        {title}
      </Title>
      <Text c="var(--quiet)">{about}</Text>
      {children}
    </section>
  )
}
