import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import * as z from 'zod/mini'
import { formatCounted } from '#contract/format/numbers.ts'
import { formatDateTime } from '#contract/format/times.ts'
import { type ShareKind, type ShareLink, shareLinks } from '#contract/share-links.ts'
import { call, getErrorMessage } from '../../api.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { type FormErrors, focusFirstError, listErrors } from '../../ui/form-errors.ts'
import { notice } from '../../ui/notice.ts'
import { QueryFailure } from '../QueryFailure.tsx'

interface ShareDialogProps {
  kind: ShareKind
  /** The nickname of a line, or the id of an incident, report or saved view. */
  subject: string
  onClose: () => void
}

const lifetimes = [
  { value: '1', label: 'A day' },
  { value: '7', label: 'A week' },
  { value: '30', label: '30 days' },
  { value: '365', label: 'A year' },
]

/** Creates a link that shows its subject to anyone who has it, and lists the existing links. */
export function ShareDialog({ kind, subject, onClose }: ShareDialogProps) {
  const queries = useQueryClient()
  const queryKey = ['share links', kind, subject]
  const query = useQuery({ queryKey, queryFn: ({ signal }) => call(shareLinks.list, { kind, subject }, signal) })
  const [url, setUrl] = useState<string>()
  const [errors, setErrors] = useState<FormErrors>({})
  const change = {
    onSuccess: () => queries.invalidateQueries({ queryKey }),
    onError: (error: Error) => notice.error(getErrorMessage(error)),
  }
  const create = useMutation({
    mutationFn: (input: z.output<typeof shareLinks.create.input>) => call(shareLinks.create, input),
    ...change,
    onSuccess: ({ path }: { path: string }) => {
      // On localhost the query names the tenant.
      const tenant = new URLSearchParams(location.search).get('tenant')
      setUrl(`${location.origin}${path}${tenant === null ? '' : `?tenant=${encodeURIComponent(tenant)}`}`)
      return queries.invalidateQueries({ queryKey })
    },
  })
  const revoke = useMutation({ mutationFn: (id: string) => call(shareLinks.revoke, { id }), ...change })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const parsed = z.safeParse(shareLinks.create.input, {
      kind,
      subject,
      days: Number(data.get('days')),
      passPhrase: String(data.get('passPhrase')) || null,
    })
    const found = parsed.success ? {} : listErrors(parsed.error.issues)
    setErrors(found)
    focusFirstError(event.currentTarget, found)
    if (parsed.success) create.mutate(parsed.data)
  }
  return (
    <Dialog onClose={onClose} title={`Share this ${kind}`} centered size="lg">
      <Stack gap="md">
        <Text size="sm">
          {kind === 'view'
            ? 'Whoever has the link sees the names, status, places and alerts of the terminals that this view selects, as saved, without signing in, until the link expires or is revoked.'
            : `Whoever has the link sees this ${kind} without signing in, and nothing else, until the link expires or is revoked.`}
        </Text>
        {url === undefined ? (
          <form onSubmit={submit} noValidate>
            <Stack gap="sm">
              <Group align="end" gap="sm" grow>
                <NativeSelect name="days" label="Valid for" defaultValue="7" data={lifetimes} />
                <TextInput
                  name="passPhrase"
                  label="Pass phrase (optional)"
                  error={errors.passPhrase}
                  maxLength={200}
                  autoComplete="off"
                />
              </Group>
              <Button type="submit" loading={create.isPending} style={{ alignSelf: 'end' }}>
                Create link
              </Button>
            </Stack>
          </form>
        ) : (
          <TextInput
            label="The link, which is shown once"
            value={url}
            readOnly
            data-autofocus
            onFocus={({ currentTarget }) => currentTarget.select()}
            rightSectionWidth={80}
            rightSection={
              <Button size="compact-sm" variant="default" onClick={() => void copy(url)}>
                Copy
              </Button>
            }
          />
        )}
        {query.isError && !query.data && <QueryFailure what="The links could not be loaded." query={query} />}
        {query.data && query.data.links.length > 0 && (
          <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Links">
            {query.data.links.map((link) => (
              <Group key={link.id} component="li" justify="space-between" wrap="nowrap">
                <Text size="sm">{describe(link)}</Text>
                {link.state === 'active' && (
                  <Button
                    flex="none"
                    size="compact-sm"
                    variant="default"
                    loading={revoke.isPending && revoke.variables === link.id}
                    onClick={() => revoke.mutate(link.id)}
                  >
                    Revoke
                  </Button>
                )}
              </Group>
            ))}
          </Stack>
        )}
      </Stack>
    </Dialog>
  )
}

const describe = ({ state, createdAt, createdBy, expiresAt, hasPassPhrase, opened }: ShareLink) =>
  [
    state === 'active' ? `Valid until ${formatDateTime(expiresAt)}` : state === 'revoked' ? 'Revoked' : 'Expired',
    ...(hasPassPhrase ? ['with a pass phrase'] : []),
    `opened ${formatCounted(opened, 'time')}`,
    `created ${formatDateTime(createdAt)} by ${createdBy}`,
  ].join(', ')

const copy = async (url: string) => {
  try {
    await navigator.clipboard.writeText(url)
    notice.success('The link is copied.')
  } catch {
    notice.error('The browser does not allow copying. Please select the link and copy it.')
  }
}
