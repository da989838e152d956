import { Dialog } from '../../ui/Dialog.tsx'
import { SecretOnce } from '../../ui/SecretOnce.tsx'

/** Shows the secret of a webhook. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title="Secret" centered size="lg" closeOnClickOutside={false}>
      <SecretOnce
        noun="secret"
        label="Signing secret"
        secret={secret}
        about="The receiver uses it to verify that an event comes from this portal."
        onClose={onClose}
      />
    </Dialog>
  )
}
