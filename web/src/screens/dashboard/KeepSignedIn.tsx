import { Button, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { apiTokens } from '#contract/api-tokens.ts'
import { formatDate } from '#contract/format/times.ts'
import { identity } from '#contract/identity.ts'
import { call, getErrorMessage } from '../../api.ts'
import { useIsAdmin } from '../../session.ts'
import { isWallToken, tokens } from '../../tokens.ts'
import { QuestionDialog } from '../../ui/dialogs.tsx'

/**
 * The screen continues with a session that can only read the wall, and the administrator's session ends here.
 */
async function replaceSession() {
  const { token } = await call(apiTokens.createWall, { name: `Wall of ${formatDate(new Date())}` })
  // If it fails, the session is left without tokens, and the token of the wall must not be lost.
  await call(identity.logout, {}).catch(() => undefined)
  tokens.storeWall(token)
  // Removes everything of the administrator from this page.
  location.reload()
}

/** For administrators: replaces their session on this screen with a long-lived read-only one. */
export function KeepSignedIn() {
  const isAdmin = useIsAdmin()
  const [isQuestionOpen, setQuestionOpen] = useState(false)
  const startWallSession = useMutation({ mutationFn: replaceSession })
  if (!isAdmin || isWallToken(tokens.access)) return null
  return (
    <>
      <Button variant="subtle" size="compact-md" onClick={() => setQuestionOpen(true)}>
        Keep this screen signed in
      </Button>
      <QuestionDialog
        title="Keep this screen signed in"
        opened={isQuestionOpen}
        pending={startWallSession.isPending}
        action="Keep signed in"
        onConfirm={() => startWallSession.mutate()}
        onClose={() => setQuestionOpen(false)}
      >
        You are signed out here. The screen shows this wall for a year, and can read nothing else and change nothing.
        Administrators see it on the page API Tokens, and can end it there at any time.
        {startWallSession.isError && (
          <Text c="red" mt="sm" role="alert">
            {getErrorMessage(startWallSession.error)}
          </Text>
        )}
      </QuestionDialog>
    </>
  )
}
