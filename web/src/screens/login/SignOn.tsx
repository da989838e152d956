import { Anchor, Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { getErrorMessage } from '../../api.ts'
import { useTenantConfig } from '../../brand/tenant.ts'
import { startSignOn } from '../../sign-on.ts'
import classes from './LoginPage.module.css'

interface SignOnProps {
  /** A code is being entered, or the password form was requested: the form stays visible. */
  isPasswordShown: boolean
  children: ReactNode
}

/** The tenant's single sign-on above the password form; only the form if there is none. */
export function SignOn({ isPasswordShown, children }: SignOnProps) {
  const { singleSignOn } = useTenantConfig()
  const [isOpened, setOpened] = useState(isPasswordShown)
  const start = useMutation({ mutationFn: startSignOn })
  if (!singleSignOn || isPasswordShown) return children
  const isFormShown = isOpened || !singleSignOn.isOnly
  return (
    <>
      <Stack gap="xs" mb="md">
        <Button
          h="var(--touch)"
          variant={isFormShown ? 'default' : 'filled'}
          // On success the browser leaves this page.
          loading={start.isPending || start.isSuccess}
          onClick={() => start.mutate()}
        >
          {singleSignOn.label}
        </Button>
        <Text role="alert" size="xs" className={classes.problem}>
          {start.isError && getErrorMessage(start.error)}
        </Text>
      </Stack>
      {isFormShown ? (
        <>
          <Text size="xs" c="var(--quiet)" ta="center" mb="xs">
            or with a password
          </Text>
          {children}
        </>
      ) : (
        <Anchor component="button" type="button" size="sm" display="block" mx="auto" onClick={() => setOpened(true)}>
          Sign in with a password
        </Anchor>
      )}
    </>
  )
}
