import { Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { QueryFailure } from '../../parts/QueryFailure.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { effectiveQuery, type MatrixUser } from './matrix.ts'
import classes from './WhyDialog.module.css'

/** The permissions of one user and where each comes from. */
export function WhyDialog({ user, onClose }: { user: MatrixUser; onClose: () => void }) {
  const effective = useQuery(effectiveQuery(user.id))
  return (
    <Dialog onClose={onClose} title={`Access of ${user.full_name}`} centered size="md">
      <Stack gap="md">
        <Text c="var(--quiet)">
          {user.email}, {user.role === 'admin' ? 'administrator' : `group ${user.username}`}
        </Text>
        {effective.isPending && <Skeleton height={160} />}
        {effective.isError && !effective.data && <QueryFailure what="This could not be loaded." query={effective} />}
        {effective.data && (
          <dl className={classes.items}>
            {effective.data.items.map(({ code, label, allows, value, why }) => (
              <div key={code}>
                <dt>{label}</dt>
                <dd>
                  <strong>{shownValue(value)}</strong>
                  <span>{allows}</span>
                  <span>{why}</span>
                </dd>
              </div>
            ))}
          </dl>
        )}
      </Stack>
    </Dialog>
  )
}

const shownValue = (value: string) => (value === 'true' ? 'Yes' : value === 'false' ? 'No' : value.replaceAll('_', ' '))
