import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useDeferredValue, useMemo, useState } from 'react'
import { ApiError } from '#contract/errors.ts'
import { getErrorMessage } from '../../api.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { bindColumns, type Column } from '../../ui/data-table.ts'
import { MessageDialog } from '../../ui/dialogs.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { formatShownCount } from '../../ui/shown-count.ts'
import { TablePage } from '../../ui/TablePage.tsx'
import { AccessCell } from './AccessCell.tsx'
import { ItemExplanations } from './ItemExplanations.tsx'
import { getValue, type MatrixItem, type MatrixUser, matrixQuery, useSetAccess } from './matrix.ts'
import { arrangeUsers, userColumns } from './user-columns.tsx'
import { WhyDialog } from './WhyDialog.tsx'

const route = getRouteApi('/access-control')

const itemWidthPx = 160

const cellKey = (user: string, item: string) => `${user} ${item}`

export function AccessControlPage() {
  const { q = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const matrix = useQuery(matrixQuery)
  const [explained, setExplained] = useState<MatrixUser>()
  const [saving, setSaving] = useState<ReadonlyMap<string, string>>(new Map())
  const [failure, setFailure] = useState<string>()
  const set = useSetAccess((error) => setFailure(getServerMessage(error) ?? 'Failed to update'))

  const text = useDeferredValue(q)
  const users = matrix.data?.users
  const rows = useMemo(() => users && arrangeUsers(users, text), [users, text])
  const change = (user: MatrixUser, item: MatrixItem, value: string) => {
    const key = cellKey(user.id, item.code)
    setSaving((before) => new Map(before).set(key, value))
    set.mutate(
      { user_id: user.id, item_code: item.code, value },
      { onSettled: () => setSaving((before) => new Map([...before].filter(([each]) => each !== key))) },
    )
  }
  const columns: Column<MatrixUser>[] = [
    ...bindColumns(userColumns, { onAsk: setExplained }),
    ...(matrix.data?.items ?? []).map(
      (item): Column<MatrixUser> => ({
        key: item.code,
        header: item.label,
        widthPx: itemWidthPx,
        cell: (user) => {
          if (!matrix.data) return undefined
          const picked = saving.get(cellKey(user.id, item.code))
          return (
            <AccessCell
              user={user}
              item={item}
              value={picked ?? getValue(matrix.data, user, item)}
              saving={picked !== undefined}
              onChange={(value) => change(user, item, value)}
            />
          )
        },
      }),
    ),
  ]
  if (matrix.isError && !matrix.data)
    return (
      <Failure
        isPage
        what={isForbidden(matrix.error) ? 'Forbidden' : getErrorMessage(matrix.error)}
        why={isForbidden(matrix.error) ? getErrorMessage(matrix.error) : 'The matrix could not be loaded.'}
        onRetry={() => void matrix.refetch()}
      />
    )
  return (
    <TablePage
      title="Access Control"
      subtitle="Manage feature access"
      count={rows && `Users: ${formatShownCount(rows.length, matrix.data?.users.length ?? 0)}`}
      search={{
        label: 'Search by name, email or username',
        text: q,
        onChange: (next) =>
          navigate({ search: (before) => ({ ...before, q: next || undefined }), replace: true, resetScroll: false }),
      }}
    >
      {matrix.data && <ItemExplanations items={matrix.data.items} />}
      <DataTable
        label="Feature access"
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        empty="No users match your search."
      />
      <MessageDialog title="Access Control" text={failure} onClose={() => setFailure(undefined)} />
      {explained && <WhyDialog user={explained} onClose={() => setExplained(undefined)} />}
    </TablePage>
  )
}

/** The server's message; undefined when it sent none. */
const getServerMessage = (error: unknown) =>
  error instanceof ApiError && error.status !== 0 && error.code !== 'unknown' ? error.message : undefined

const isForbidden = (error: unknown) => error instanceof ApiError && error.status === 403
