import { Button, Group, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { OwnFactors } from '#contract/factors.ts'
import { hasPasskeys } from '../../parts/passkeys.ts'
import { QueryFailure } from '../../parts/QueryFailure.tsx'
import { Card } from './Card.tsx'
import { FactorQuestion, type Question } from './FactorQuestion.tsx'
import { AppRow, PasskeyRow, RecoveryRow } from './FactorRows.tsx'
import { ownFactorsQuery } from './factors.ts'
import classes from './ProfilePage.module.css'
import { ShortList } from './ShortList.tsx'

const TotpDialog = lazy(() => import('./TotpDialog.tsx').then((it) => ({ default: it.TotpDialog })))
const PasskeyDialog = lazy(() => import('./PasskeyDialog.tsx').then((it) => ({ default: it.PasskeyDialog })))
const RecoveryCodesDialog = lazy(() =>
  import('./RecoveryCodesDialog.tsx').then((it) => ({ default: it.RecoveryCodesDialog })),
)

/** The second factors of a sign-in, each with its actions. */
export function SecondFactors({ onAdded }: { onAdded?: () => void }) {
  const own = useQuery(ownFactorsQuery)
  return (
    <Card title="Second factors">
      <Text className={classes.quiet}>
        Whoever knows your password cannot sign in without one of these. A passkey also signs you in without a password.
      </Text>
      {own.isError && !own.data && <QueryFailure what="Your second factors could not be loaded." query={own} />}
      {own.isPending && <Skeleton height={64} />}
      {own.data && <FactorList own={own.data} onAdded={onAdded} />}
    </Card>
  )
}

interface FactorListProps {
  own: OwnFactors
  /** Called once a factor was added and its recovery codes were shown. Given where that is all that the page asks for. */
  onAdded: (() => void) | undefined
}

function FactorList({ own: { totp, passkeys, recoveryCodesLeft }, onAdded }: FactorListProps) {
  const [adding, setAdding] = useState<'app' | 'passkey'>()
  const [question, setQuestion] = useState<Question>()
  const [codes, setCodes] = useState<readonly string[]>()
  const close = () => setAdding(undefined)
  const closeCodes = () => {
    setCodes(undefined)
    onAdded?.()
  }
  const rows = [
    ...passkeys.map((passkey) => (
      <PasskeyRow key={passkey.id} passkey={passkey} onRemove={() => setQuestion({ kind: 'passkey', passkey })} />
    )),
    ...(totp ? [<AppRow key="app" totp={totp} onRemove={() => setQuestion({ kind: 'app' })} />] : []),
    ...(totp || passkeys.length > 0
      ? [<RecoveryRow key="codes" left={recoveryCodesLeft} onReplace={() => setQuestion({ kind: 'codes' })} />]
      : []),
  ]
  return (
    <>
      {rows.length > 0 && <ShortList label="Second factors" rows={rows} />}
      {(hasPasskeys() || !totp) && (
        <Group gap="xs">
          {hasPasskeys() && (
            <Button variant={onAdded ? 'filled' : 'default'} h="var(--touch)" onClick={() => setAdding('passkey')}>
              Add Passkey
            </Button>
          )}
          {!totp && (
            <Button
              variant={onAdded && !hasPasskeys() ? 'filled' : 'default'}
              h="var(--touch)"
              onClick={() => setAdding('app')}
            >
              Add App
            </Button>
          )}
        </Group>
      )}
      <Suspense>
        {adding === 'app' && <TotpDialog onClose={close} onCodes={setCodes} />}
        {adding === 'passkey' && <PasskeyDialog onClose={close} onCodes={setCodes} />}
        {codes && <RecoveryCodesDialog codes={codes} onClose={closeCodes} />}
      </Suspense>
      {question && <FactorQuestion question={question} onCodes={setCodes} onClose={() => setQuestion(undefined)} />}
    </>
  )
}
