import { Badge, Button, Checkbox, Group, Text } from '@mantine/core'
import type { User } from '#contract/users.ts'
import { type PageColumn, textColumn } from '../../ui/data-table.ts'
import { createRowSearch } from '../../ui/row-search.ts'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { type Sort, sortByColumn } from '../../ui/table-rows.ts'

interface Actions {
  onEdit: (user: User) => void
  onDelete: (user: User) => void
  onEndSessions: (user: User) => void
  onResetFactors: (user: User) => void
}

interface Choosing {
  chosen: ReadonlySet<string>
  onChoose: (email: string, isChosen: boolean) => void
}

const never = (text: string) => (
  <Text span c="var(--quiet)">
    {text}
  </Text>
)

const lastSignIn = ({ lastSignIn: at, initialPasswordExpires: until }: User, nowMs: number) => {
  if (at) return <TimeAgo at={at} nowMs={nowMs} />
  if (!until) return never('Never')
  return never(until.getTime() > nowMs ? 'Never' : 'Never, password expired')
}

const withChoice = (user: User, choosing: Choosing | undefined) =>
  choosing ? (
    <Checkbox
      label={user.email}
      checked={choosing.chosen.has(user.email)}
      onChange={({ currentTarget }) => choosing.onChoose(user.email, currentTarget.checked)}
    />
  ) : (
    user.email
  )

const sessions = (user: User, onEnd: (user: User) => void) =>
  user.activeSessions === 0 ? (
    never('None')
  ) : (
    <Group gap="xs">
      {user.activeSessions}
      <Button
        size="compact-xs"
        variant="default"
        onClick={() => onEnd(user)}
        aria-label={`End sessions of ${user.email}`}
      >
        End
      </Button>
    </Group>
  )

const factors = (user: User, onReset: (user: User) => void) =>
  user.hasSecondFactor ? (
    <Group gap="xs">
      Yes
      <Button
        size="compact-xs"
        variant="default"
        onClick={() => onReset(user)}
        aria-label={`Reset second factors of ${user.email}`}
      >
        Reset
      </Button>
    </Group>
  ) : (
    never('None')
  )

interface UsersPage extends Actions {
  choosing: Choosing | undefined
  /** The current time, which ages are computed from. */
  nowMs: number
}

export const userColumns: readonly PageColumn<User, UsersPage>[] = [
  {
    ...textColumn<User>('email', 'Email', 240, ({ email }) => email),
    cell: (user, { choosing }) => withChoice(user, choosing),
  },
  textColumn('username', 'GroupID', 92, ({ username }) => username),
  textColumn('customerName', 'Customer Name', 142, ({ customerName }) => customerName),
  textColumn('company', 'Company', 188, ({ company }) => company),
  {
    ...textColumn<User>('role', 'Role', 90, ({ role }) => role),
    cell: ({ role }) => (role === 'admin' ? <Badge>admin</Badge> : 'user'),
  },
  {
    key: 'lastSignIn',
    header: 'Last Sign-In',
    widthPx: 118,
    sortValue: ({ lastSignIn: at }) => at?.getTime() ?? null,
    cell: (user, { nowMs }) => lastSignIn(user, nowMs),
  },
  {
    key: 'sessions',
    header: 'Sessions',
    widthPx: 100,
    cell: (user, { onEndSessions }) => sessions(user, onEndSessions),
  },
  {
    key: 'factors',
    header: 'Second Factor',
    widthPx: 130,
    sortValue: ({ hasSecondFactor }) => (hasSecondFactor ? 1 : 0),
    cell: (user, { onResetFactors }) => factors(user, onResetFactors),
  },
  {
    key: 'actions',
    header: 'Actions',
    widthPx: 146,
    cell: (user, { onEdit, onDelete }) => (
      <Group gap="xs">
        <Button size="compact-sm" variant="default" onClick={() => onEdit(user)} aria-label={`Edit ${user.email}`}>
          Edit
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => onDelete(user)} aria-label={`Delete ${user.email}`}>
          Delete
        </Button>
      </Group>
    ),
  },
]

const search = createRowSearch(userColumns)

export const arrangeUsers = (all: readonly User[], text: string, sort: Sort | undefined) =>
  sortByColumn(search.find(all, text.trim()), userColumns, sort)
