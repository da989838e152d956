import { Alert, Button, CopyButton, Group, Stack } from '@mantine/core'
import { Dialog } from '../../ui/Dialog.tsx'
import { saveFile } from '../../ui/save-file.ts'
import classes from './SecondFactors.module.css'

/** Shows new recovery codes, once. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = `${codes.join('\n')}\n`
  return (
    <Dialog onClose={onClose} title="Recovery codes" centered closeOnClickOutside={false}>
      <Stack gap="sm">
        <Alert color="blue" title="Store these codes now.">
          They are not shown again. Each signs you in once, instead of another factor, when you have lost it.
        </Alert>
        <ul className={classes.codes} aria-label="Recovery codes">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <Group justify="flex-end">
          <CopyButton value={text}>
            {({ copied, copy }) => (
              <Button variant="default" h="var(--touch)" onClick={copy}>
                {copied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </CopyButton>
          <Button
            variant="default"
            h="var(--touch)"
            onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), 'recovery-codes.txt')}
          >
            Download
          </Button>
          <Button h="var(--touch)" onClick={onClose} data-autofocus>
            Done
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
