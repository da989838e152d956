import { Anchor, Button, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ApiToken, apiTokens } from '#contract/api-tokens.ts'
import { formatDate } from '#contract/format/times.ts'
import { call } from '../../api.ts'
import { ownTokensQuery } from '../../parts/api-tokens/api-tokens.ts'
import { RevokeQuestion } from '../../parts/api-tokens/RevokeQuestion.tsx'
import { TokenDialog } from '../../parts/api-tokens/TokenDialog.tsx'
import { QueryFailure } from '../../parts/QueryFailure.tsx'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { useNow } from '../../ui/use-now.ts'
import { Card } from './Card.tsx'
import classes from './ProfilePage.module.css'
import { ShortList } from './ShortList.tsx'

/** The user's API tokens, each with a button to revoke it. */
export function TokenList() {
  const all = useQuery(ownTokensQuery)
  const [isCreating, setCreating] = useState(false)
  const [revoking, setRevoking] = useState<ApiToken>()
  return (
    <Card title="API tokens">
      <Text className={classes.quiet}>
        Programs use a token to act for you.{' '}
        <Anchor href="/api/docs" underline="always">
          How to use the API
        </Anchor>
      </Text>
      {all.isError && !all.data && <QueryFailure what="Your tokens could not be loaded." query={all} />}
      {all.isPending && <Skeleton height={64} />}
      {all.data && all.data.length > 0 && (
        <ShortList
          label="API tokens"
          rows={all.data.map((token) => <TokenRow key={token.id} token={token} onRevoke={() => setRevoking(token)} />)}
        />
      )}
      <Button variant="default" h="var(--touch)" style={{ alignSelf: 'start' }} onClick={() => setCreating(true)}>
        Create Token
      </Button>
      {isCreating && (
        <TokenDialog
          title="Create Token"
          create={(input) => call(apiTokens.createOwn, input)}
          onClose={() => setCreating(false)}
        />
      )}
      {revoking && (
        <RevokeQuestion
          token={revoking}
          revoke={(input) => call(apiTokens.revokeOwn, input)}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </Card>
  )
}

function TokenRow({ token, onRevoke }: { token: ApiToken; onRevoke: () => void }) {
  const nowMs = useNow(30_000)
  const isExpired = token.expiresAt.getTime() <= nowMs
  return (
    <li>
      <div>
        <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
          {token.name}
        </Text>
        <Text size="xs" className={classes.quiet} style={{ overflowWrap: 'anywhere' }}>
          {token.hint}… · {token.scopes.join(', ')}
        </Text>
        <Text size="xs" className={classes.quiet}>
          {isExpired ? 'expired' : 'expires'} {formatDate(token.expiresAt)} ·{' '}
          {token.lastUsedAt ? (
            <>
              last used <TimeAgo at={token.lastUsedAt} nowMs={nowMs} /> from {token.lastAddress}
            </>
          ) : (
            'never used'
          )}
        </Text>
      </div>
      <Button variant="default" h="var(--touch)" onClick={onRevoke} aria-label={`Revoke ${token.name}`}>
        Revoke
      </Button>
    </li>
  )
}
