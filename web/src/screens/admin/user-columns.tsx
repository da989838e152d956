import { Badge, Button, Checkbox, Group, Text } from '@mantine/core'
import type { User } from '#contract/users.ts'
import type { Column } from '../../ui/data-table.ts'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { isUserColumn } from './users.ts'

interface Actions {
  onEdit: (user: User) => void
  onDelete: (user: User) => void
  onEndSessions: (user: User) => void
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
    <Group gap="xs" wrap="nowrap">
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

/** `nowMs` is when the page looked at the clock; ages grow with it. */
export function userColumns(actions: Actions, choosing: Choosing | undefined, nowMs: number): Column<User>[] {
  const columns: Column<User>[] = [
    { key: 'email', header: 'Email', widthPx: 250, cell: (user) => withChoice(user, choosing) },
    { key: 'username', header: 'GroupID', widthPx: 130, cell: (user) => user.username },
    { key: 'customerName', header: 'Customer Name', widthPx: 180, cell: (user) => user.customerName },
    { key: 'company', header: 'Company', widthPx: 170, cell: (user) => user.company },
    {
      key: 'role',
      header: 'Role',
      widthPx: 90,
      cell: ({ role }) => (role === 'admin' ? <Badge variant="light">admin</Badge> : 'user'),
    },
    { key: 'lastSignIn', header: 'Last Sign-In', widthPx: 170, cell: (user) => lastSignIn(user, nowMs) },
    { key: 'sessions', header: 'Sessions', widthPx: 100, cell: (user) => sessions(user, actions.onEndSessions) },
    {
      key: 'actions',
      header: 'Actions',
      widthPx: 150,
      cell: (user) => (
        <Group gap="xs" wrap="nowrap">
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => actions.onEdit(user)}
            aria-label={`Edit ${user.email}`}
          >
            Edit
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => actions.onDelete(user)}
            aria-label={`Delete ${user.email}`}
          >
            Delete
          </Button>
        </Group>
      ),
    },
  ]
  return columns.map((column) => ({ ...column, isSortable: isUserColumn(column.key) }))
}
