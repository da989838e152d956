import { Group, Text, TextInput, Title } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { type ReactNode, useRef } from 'react'
import { SearchIcon } from './icons.tsx'
import classes from './TablePage.module.css'

interface TablePageProps {
  /** Above the title: the pages that this one belongs to. */
  places?: ReactNode
  title: string
  subtitle?: string
  /** Next to the title. */
  count?: string | undefined
  search?: { label: string; text: string; onChange: (text: string) => void }
  /** Between the search and the actions. */
  filters?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** The frame of every table: its name and count, search at the left, the main action at the right. */
export function TablePage({ places, title, subtitle, count, search, filters, actions, children }: TablePageProps) {
  return (
    <div className={classes.page}>
      {places}
      <Group gap="sm" align="baseline">
        <Title order={1}>{title}</Title>
        {count !== undefined && (
          <Text c="var(--quiet)" role="status" className={classes.count}>
            {count}
          </Text>
        )}
      </Group>
      {subtitle && <Text c="var(--quiet)">{subtitle}</Text>}
      <div className={classes.toolbar}>
        {search && <SearchBox {...search} />}
        {filters}
        {actions && <div className={classes.actions}>{actions}</div>}
      </div>
      {children}
    </div>
  )
}

function SearchBox({ label, text, onChange }: { label: string; text: string; onChange: (text: string) => void }) {
  const box = useRef<HTMLInputElement>(null)
  useHotkeys([['/', () => box.current?.focus()]])
  return (
    <TextInput
      ref={box}
      className={classes.search}
      classNames={{ input: classes.searchInput }}
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<SearchIcon />}
      value={text}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
