import { NativeSelect, Switch } from '@mantine/core'
import { useFocusReturn } from '../../ui/focus-return.ts'
import classes from './AccessCell.module.css'
import type { MatrixItem, MatrixUser } from './matrix.ts'

interface AccessCellProps {
  user: MatrixUser
  item: MatrixItem
  value: string
  saving: boolean
  onChange: (value: string) => void
}

const spaced = (option: string) => option.replaceAll('_', ' ')

/** A switch, a select, or a dash for an unknown kind of item. Administrators have every item. */
export function AccessCell({ user, item, value, saving, onChange }: AccessCellProps) {
  const label = `${item.label} of ${user.full_name}`
  const isAdmin = user.role === 'admin'
  const toggle = useFocusReturn<HTMLInputElement>(saving)
  const select = useFocusReturn<HTMLSelectElement>(saving)
  const why = isAdmin ? 'Administrators hold every item.' : undefined
  if (item.kind === 'boolean') {
    return (
      <Switch
        ref={toggle}
        aria-label={label}
        title={why}
        classNames={{ track: classes.track, thumb: classes.thumb }}
        checked={isAdmin || value === 'true'}
        disabled={saving || isAdmin}
        onChange={({ currentTarget }) => onChange(String(currentTarget.checked))}
      />
    )
  }
  if (item.kind === 'enum') {
    return (
      <NativeSelect
        ref={select}
        aria-label={label}
        title={why}
        size="xs"
        data={item.enum_options.map((option) => ({ value: option, label: spaced(option) }))}
        value={isAdmin ? item.enum_options.at(-1) : value}
        disabled={saving || isAdmin}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )
  }
  return <span title="This page does not know this kind of item.">-</span>
}
