import { ActionIcon, CopyButton } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Copyable.module.css'
import { CheckIcon, CopyIcon } from './icons.tsx'

interface CopyableProps {
  text: string
  /** What it is, for the name of the button. */
  of: string
  /** How it is shown, if not as it is. */
  children?: ReactNode
}

/** An id or an address with a copy button, because typing it would be error-prone. */
export const Copyable = ({ text, of, children }: CopyableProps) => (
  <span className={classes.copyable}>
    {children ?? <code>{text}</code>}
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <ActionIcon variant="subtle" size={24} aria-label={copied ? 'Copied' : `Copy ${of}`} onClick={copy}>
          {copied ? <CheckIcon /> : <CopyIcon />}
        </ActionIcon>
      )}
    </CopyButton>
  </span>
)
