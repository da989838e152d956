import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { audit, type Verification } from '#contract/audit.ts'
import { call, getErrorMessage } from '../../api.ts'
import { MessageDialog } from '../../ui/dialogs.tsx'

const verdict = ({ entries, head, fault }: Verification) => {
  if (fault) return `The log was tampered with. ${fault.problem}`
  if (!head) return 'The log has no entries yet.'
  return `The log is intact: all ${entries} entries are as they were written. The hash of entry ${head.id} is ${head.hash}.`
}

/** Makes the server verify the whole log and shows the result. */
export function VerifyButton() {
  const verify = useMutation({ mutationFn: () => call(audit.verify, {}) })
  const text = verify.data ? verdict(verify.data) : verify.error ? getErrorMessage(verify.error) : undefined
  return (
    <>
      <Button variant="default" onClick={() => verify.mutate()} loading={verify.isPending}>
        Verify
      </Button>
      <MessageDialog title="Verify" text={text} onClose={() => verify.reset()} />
    </>
  )
}
