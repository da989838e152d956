import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useDeferredValue, useMemo, useState } from 'react'
import type { User } from '#contract/users.ts'
import { AdminFailure } from '../../parts/AdminFailure.tsx'
import { AdminPlaces } from '../../parts/places/Places.tsx'
import { splitSelection } from '../../parts/table/split-selection.ts'
import { parseSort, toSortSearch } from '../../parts/table-search.ts'
import { usersQuery } from '../../parts/users-query.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { bindColumns } from '../../ui/data-table.ts'
import { MessageDialog } from '../../ui/dialogs.tsx'
import { formatShownCount } from '../../ui/shown-count.ts'
import { TablePage } from '../../ui/TablePage.tsx'
import { useNow } from '../../ui/use-now.ts'
import { DeleteQuestion } from './DeleteQuestion.tsx'
import { EndSessionsQuestion } from './EndSessionsQuestion.tsx'
import { ImportDialog } from './ImportDialog.tsx'
import { NotifyDialog } from './NotifyDialog.tsx'
import { ResetFactorsQuestion } from './ResetFactorsQuestion.tsx'
import { UserDialog } from './UserDialog.tsx'
import { useChoice } from './use-choice.ts'
import { arrangeUsers, userColumns } from './user-columns.tsx'

const route = getRouteApi('/admin-page')
const nobody: ReadonlySet<string> = new Set()

type Dialog =
  | { kind: 'form'; user: User | 'new' }
  | { kind: 'delete' | 'sessions' | 'factors'; user: User }
  | { kind: 'import' }

export function AdminPage() {
  const filter = route.useSearch()
  const navigate = route.useNavigate()
  const all = useQuery(usersQuery)
  const [dialog, setDialog] = useState<Dialog>()
  const choice = useChoice()
  const nowMs = useNow(30_000)

  const deferred = useDeferredValue(filter)
  const rows = useMemo(
    () => all.data && arrangeUsers(all.data, deferred.q ?? '', parseSort(deferred)),
    [all.data, deferred],
  )
  const show = (change: Partial<typeof filter>) =>
    navigate({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false })
  const actions = {
    onEdit: (user: User) => setDialog({ kind: 'form', user }),
    onDelete: (user: User) => setDialog({ kind: 'delete', user }),
    onEndSessions: (user: User) => setDialog({ kind: 'sessions', user }),
    onResetFactors: (user: User) => setDialog({ kind: 'factors', user }),
  }
  const recipients = splitSelection(all.data ?? [], rows ?? [], choice.chosen ?? nobody, ({ email }) => email)
  const choosing = choice.chosen && {
    chosen: recipients.ids,
    onChoose: (email: string, isChosen: boolean) => choice.choose([email], isChosen),
  }
  const close = () => setDialog(undefined)

  if (all.isError && !all.data)
    return <AdminFailure what="The users could not be loaded." error={all.error} onRetry={() => void all.refetch()} />
  return (
    <TablePage
      places={<AdminPlaces />}
      title="Users"
      count={rows && formatShownCount(rows.length, all.data?.length ?? 0)}
      search={{ label: 'Search users', text: filter.q ?? '', onChange: (text) => show({ q: text || undefined }) }}
      actions={
        <>
          {choice.chosen && (
            <ChoiceButtons shown={rows ?? []} chosen={recipients.ids} onChoose={choice.choose} onEnd={choice.end} />
          )}
          <Button variant="default" onClick={() => choice.press(recipients.ids.size)}>
            Notify Users
          </Button>
          <Button variant="default" onClick={() => setDialog({ kind: 'import' })}>
            Import Users
          </Button>
          <Button onClick={() => setDialog({ kind: 'form', user: 'new' })}>Create User</Button>
        </>
      }
    >
      <DataTable
        label="Users"
        columns={bindColumns(userColumns, { ...actions, choosing, nowMs })}
        rows={rows}
        rowKey={({ user_id }) => user_id}
        empty={all.data?.length ? 'No users match your search.' : 'No users yet.'}
        sort={parseSort(filter)}
        onSort={(sort) => show(toSortSearch(sort))}
      />
      <MessageDialog title="Notify Users" text={choice.alert} onClose={choice.closeAlert} />
      {choice.isWriting && (
        <NotifyDialog
          emails={[...recipients.ids]}
          hiddenCount={recipients.hiddenCount}
          onSent={choice.end}
          onClose={choice.stopWriting}
        />
      )}
      {dialog?.kind === 'form' && <UserDialog user={dialog.user} onClose={close} />}
      {dialog?.kind === 'delete' && <DeleteQuestion user={dialog.user} onClose={close} />}
      {dialog?.kind === 'sessions' && <EndSessionsQuestion user={dialog.user} onClose={close} />}
      {dialog?.kind === 'factors' && <ResetFactorsQuestion user={dialog.user} onClose={close} />}
      {dialog?.kind === 'import' && <ImportDialog onClose={close} />}
    </TablePage>
  )
}

interface ChoiceButtonsProps {
  shown: readonly User[]
  chosen: ReadonlySet<string>
  onChoose: (emails: readonly string[], isChosen: boolean) => void
  onEnd: () => void
}

function ChoiceButtons({ shown, chosen, onChoose, onEnd }: ChoiceButtonsProps) {
  const emails = shown.map(({ email }) => email)
  const isAll = emails.length > 0 && emails.every((email) => chosen.has(email))
  return (
    <>
      <Button variant="subtle" onClick={onEnd}>
        Cancel
      </Button>
      <Button variant="default" onClick={() => onChoose(emails, !isAll)}>
        {isAll ? 'Deselect All' : 'Select All'}
      </Button>
    </>
  )
}
