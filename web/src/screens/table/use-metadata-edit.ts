import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isTableMetadataAllowed, type MetadataField, serviceLines } from '#contract/service-lines.ts'
import type { TerminalDetailsItem } from '#contract/terminals.ts'
import { call } from '../../api.ts'
import type { Details } from '../../parts/fleet/fleet.ts'
import { detailsQuery } from '../../parts/fleet/fleet-queries.ts'
import { notice } from '../../ui/notice.ts'

const rule = 'Only letters, digits, and spaces are allowed.'
const failure = 'Failed to save metadata.'

export interface MetadataEdit {
  id: string
  nickname: string
  field: MetadataField
  draft: string
  error: string | undefined
}

/** The cell that is being edited. It is stored outside the row, which is unmounted when it scrolls out of view. */
export function useMetadataEdit() {
  const queries = useQueryClient()
  const [edit, setEdit] = useState<MetadataEdit>()
  const saving = useMutation({
    mutationFn: ({ nickname, field, draft }: MetadataEdit) =>
      call(serviceLines.setMetadata, { nickname, field, value: draft.trim() || null }),
    onSuccess: ({ value }, { nickname, field }) => {
      queries.setQueryData(detailsQuery.queryKey, (details) => details && withMetadata(details, nickname, field, value))
      setEdit(undefined)
    },
    onError: (error) => {
      console.error(failure, error)
      notice.error(failure)
      setEdit((open) => open && { ...open, error: failure })
    },
  })
  return {
    edit,
    isSaving: saving.isPending,
    begin: ({ id, nickname, ...row }: TerminalDetailsItem, field: MetadataField) =>
      setEdit({ id, nickname, field, draft: row[field] ?? '', error: undefined }),
    type: (draft: string) =>
      setEdit((open) => open && { ...open, draft, error: isTableMetadataAllowed(draft.trim()) ? undefined : rule }),
    save: () => {
      if (!edit || saving.isPending) return
      if (isTableMetadataAllowed(edit.draft.trim())) saving.mutate(edit)
      else setEdit({ ...edit, error: rule })
    },
    cancel: () => setEdit(undefined),
  }
}

const withMetadata = (details: Details, nickname: string, field: MetadataField, value: string | null): Details => ({
  ...details,
  terminals: details.terminals.map((row) => (row.nickname === nickname ? { ...row, [field]: value } : row)),
})
