import { Button, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { factors, type OwnFactors } from '#contract/factors.ts'
import { call, getErrorMessage } from '../../api.ts'
import { QuestionDialog } from '../../ui/dialogs.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { notice } from '../../ui/notice.ts'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { useNow } from '../../ui/use-now.ts'
import { Card } from './Card.tsx'
import { ownFactorsQuery, useFactorChange } from './factors.ts'
import classes from './ProfilePage.module.css'
import { ShortList } from './ShortList.tsx'

const TotpDialog = lazy(() => import('./TotpDialog.tsx').then((it) => ({ default: it.TotpDialog })))
const RecoveryCodesDialog = lazy(() =>
  import('./RecoveryCodesDialog.tsx').then((it) => ({ default: it.RecoveryCodesDialog })),
)

type Open = 'add app' | 'remove app' | 'new codes'

/** What a sign-in asks for after the password, each with what can be done about it. */
export function SecondFactors() {
  const own = useQuery(ownFactorsQuery)
  return (
    <Card title="Second factors">
      <p className={classes.quiet}>
        Whoever knows your password cannot sign in without one of these. Recovery codes are for when you lose them.
      </p>
      {own.isError && !own.data && (
        <Failure
          what="Your second factors could not be loaded."
          why={getErrorMessage(own.error)}
          onRetry={() => void own.refetch()}
        />
      )}
      {own.isPending && <Skeleton height={64} />}
      {own.data && <FactorList own={own.data} />}
    </Card>
  )
}

function FactorList({ own: { totp, recoveryCodesLeft } }: { own: OwnFactors }) {
  const nowMs = useNow(30_000)
  const [open, setOpen] = useState<Open>()
  const [codes, setCodes] = useState<readonly string[]>()
  const close = () => setOpen(undefined)
  const remove = useFactorChange(() => call(factors.removeTotp, {}))
  const replace = useFactorChange(() => call(factors.createRecoveryCodes, {}))
  const report = (error: unknown) => notice.error(getErrorMessage(error))
  const rows = [
    <li key="app">
      <div>
        <Text fw={500}>Authenticator app</Text>
        <Text size="xs" className={classes.quiet}>
          {totp ? (
            <>
              added <TimeAgo at={totp.addedAt} nowMs={nowMs} /> ·{' '}
              {totp.lastUsedAt ? (
                <>
                  last used <TimeAgo at={totp.lastUsedAt} nowMs={nowMs} />
                </>
              ) : (
                'never used'
              )}
            </>
          ) : (
            'A code of six digits that changes every 30 seconds'
          )}
        </Text>
      </div>
      {totp ? (
        <Button variant="default" h="var(--touch)" onClick={() => setOpen('remove app')}>
          Remove App
        </Button>
      ) : (
        <Button variant="default" h="var(--touch)" onClick={() => setOpen('add app')}>
          Add App
        </Button>
      )}
    </li>,
    ...(totp
      ? [
          <li key="codes">
            <div>
              <Text fw={500}>Recovery codes</Text>
              <Text size="xs" className={classes.quiet}>
                {recoveryCodesLeft} of 10 left
              </Text>
            </div>
            <Button variant="default" h="var(--touch)" onClick={() => setOpen('new codes')}>
              New Codes
            </Button>
          </li>,
        ]
      : []),
  ]
  return (
    <>
      <ShortList label="Second factors" rows={rows} />
      <Suspense>
        {open === 'add app' && <TotpDialog onClose={close} onCodes={setCodes} />}
        {codes && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(undefined)} />}
      </Suspense>
      <QuestionDialog
        title="Remove App"
        opened={open === 'remove app'}
        pending={remove.isPending}
        action="Remove"
        isDangerous
        onConfirm={() =>
          remove.mutate(undefined, {
            onSuccess: ({ message }) => notice.success(message),
            onError: report,
            onSettled: close,
          })
        }
        onClose={close}
      >
        Your account is then protected less. Delete the entry in the app yourself.
      </QuestionDialog>
      <QuestionDialog
        title="New Codes"
        opened={open === 'new codes'}
        pending={replace.isPending}
        action="Create New Codes"
        onConfirm={() =>
          replace.mutate(undefined, {
            onSuccess: ({ recoveryCodes }) => setCodes(recoveryCodes),
            onError: report,
            onSettled: close,
          })
        }
        onClose={close}
      >
        The codes that you have are not valid any more then.
      </QuestionDialog>
    </>
  )
}
