import type { ReactNode } from 'react'
import { Copyable } from '../../ui/Copyable.tsx'
import classes from './InfoList.module.css'

export const InfoList = ({ children }: { children: ReactNode }) => <dl className={classes.list}>{children}</dl>

interface InfoItemProps {
  name: string
  children?: ReactNode
  /** Shown in full, with a copy button. */
  copy?: string | null
}

export const InfoItem = ({ name, children, copy }: InfoItemProps) => (
  <div className={classes.item}>
    <dt>{name}</dt>
    {copy !== undefined && <dd>{copy === null || copy === '' ? 'N/A' : <Copyable text={copy} of={name} />}</dd>}
    {copy === undefined && <dd>{children}</dd>}
  </div>
)
