import { ActionIcon, CopyButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { CheckIcon, CopyIcon } from '../../ui/icons.tsx'
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

/** An id or an address with a copy button, because typing it would be error-prone. */
export const Copyable = ({ text, of }: { text: string; of: string }) => (
  <span className={classes.copyable}>
    <code>{text}</code>
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <ActionIcon variant="subtle" size={24} aria-label={copied ? 'Copied' : `Copy ${of}`} onClick={copy}>
          {copied ? <CheckIcon /> : <CopyIcon />}
        </ActionIcon>
      )}
    </CopyButton>
  </span>
)
