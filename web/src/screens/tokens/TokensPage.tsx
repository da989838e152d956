import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ApiToken, apiTokens } from '#contract/api-tokens.ts'
import { formatDate } from '#contract/format/times.ts'
import type { Role } from '#contract/identity.ts'
import { serviceScopeCodes } from '#contract/scopes.ts'
import { call } from '../../api.ts'
import { AdminFailure } from '../../parts/AdminFailure.tsx'
import { allTokensQuery, nameScope } from '../../parts/api-tokens/api-tokens.ts'
import { RevokeQuestion } from '../../parts/api-tokens/RevokeQuestion.tsx'
import { TokenDialog } from '../../parts/api-tokens/TokenDialog.tsx'
import { GroupField } from '../../parts/GroupField.tsx'
import { AdminPlaces } from '../../parts/places/Places.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { bindColumns, type PageColumn, textColumn } from '../../ui/data-table.ts'
import { TablePage } from '../../ui/TablePage.tsx'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { useNow } from '../../ui/use-now.ts'

interface TokenActions {
  nowMs: number
  onRevoke: (token: ApiToken) => void
}

const columns: readonly PageColumn<ApiToken, TokenActions>[] = [
  textColumn('name', 'Name', 170, ({ name }) => name),
  textColumn('owner', 'Owner', 190, ({ owner }) => owner || 'Service'),
  textColumn('role', 'Role', 70, ({ role }) => role),
  textColumn('group', 'GroupID', 100, ({ group }) => group),
  {
    key: 'scopes',
    header: 'What it may do',
    widthPx: 200,
    cell: ({ scopes }) => <span title={scopes.map(nameScope).join('\n')}>{scopes.join(', ')}</span>,
  },
  {
    key: 'networks',
    header: 'Addresses',
    widthPx: 130,
    cell: ({ networks }) => <span title={networks.join('\n')}>{networks.join(', ') || 'all'}</span>,
  },
  {
    key: 'expires',
    header: 'Expires',
    widthPx: 130,
    cell: ({ expiresAt }, { nowMs }) => `${formatDate(expiresAt)}${expiresAt.getTime() <= nowMs ? ' (expired)' : ''}`,
  },
  {
    key: 'used',
    header: 'Last Used',
    widthPx: 120,
    cell: ({ lastUsedAt, lastAddress }, { nowMs }) =>
      lastUsedAt ? (
        <span title={`from ${lastAddress}`}>
          <TimeAgo at={lastUsedAt} nowMs={nowMs} />
        </span>
      ) : (
        'never'
      ),
  },
  {
    key: 'actions',
    header: 'Actions',
    widthPx: 100,
    cell: (token, { onRevoke }) => (
      <Button size="compact-sm" variant="default" onClick={() => onRevoke(token)} aria-label={`Revoke ${token.name}`}>
        Revoke
      </Button>
    ),
  },
]

/** Service tokens, and tokens that users created for themselves. */
export function TokensPage() {
  const all = useQuery(allTokensQuery)
  const nowMs = useNow(30_000)
  const [isCreating, setCreating] = useState(false)
  const [revoking, setRevoking] = useState<ApiToken>()
  if (all.isError && !all.data)
    return <AdminFailure what="The tokens could not be loaded." error={all.error} onRetry={() => void all.refetch()} />
  return (
    <TablePage
      places={<AdminPlaces />}
      title="API Tokens"
      count={all.data && String(all.data.length)}
      subtitle="Tokens of services and of users. The permissions of a service are set on the page Access Control."
      actions={
        <>
          <Button variant="default" component="a" href="/api/docs">
            How to Use the API
          </Button>
          <Button onClick={() => setCreating(true)}>Create Service Token</Button>
        </>
      }
    >
      <DataTable
        label="API tokens"
        columns={bindColumns(columns, { nowMs, onRevoke: setRevoking })}
        rows={all.data}
        rowKey={({ id }) => id}
        empty="No tokens yet."
      />
      {isCreating && <ServiceTokenDialog onClose={() => setCreating(false)} />}
      {revoking && (
        <RevokeQuestion
          token={revoking}
          revoke={(input) => call(apiTokens.revoke, input)}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </TablePage>
  )
}

function ServiceTokenDialog({ onClose }: { onClose: () => void }) {
  return (
    <TokenDialog
      title="Create Service Token"
      codes={serviceScopeCodes}
      fields={(errors) => (
        <>
          <NativeSelect
            name="role"
            label="Role"
            description="An admin sees all terminals, a user those of the group"
            data={['user', 'admin']}
          />
          <GroupField description="The customer whose service lines it sees" error={errors.group} />
        </>
      )}
      readFields={(data) => ({ role: data.get('role') as Role, group: String(data.get('group')) })}
      checkFields={({ group }) => (group.trim() === '' ? { group: 'This field is required.' } : {})}
      create={(input) => call(apiTokens.createService, input)}
      onClose={onClose}
    />
  )
}
