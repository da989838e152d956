import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { type NewView, type SavedView, savedViews, type ViewPage, type ViewState } from '#contract/saved-views.ts'
import { call, getErrorMessage } from '../../api.ts'
import { QuestionDialog } from '../../ui/dialogs.tsx'
import { notice } from '../../ui/notice.ts'
import { ShareDialog } from '../share/ShareDialog.tsx'
import { ViewDialog } from './ViewDialog.tsx'
import { toViewAddress, type ViewAction } from './view-state.ts'
import { viewsQuery } from './views-query.ts'

interface ViewDialogsProps {
  page: ViewPage
  view: SavedView | undefined
  action: ViewAction
  getShown: () => ViewState
  onDone: () => void
}

/** Performs the action selected in the menu of views. */
export function ViewDialogs({ page, view, action, getShown, onDone }: ViewDialogsProps) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const save = useMutation({
    mutationFn: ({ id, ...entered }: NewView & { id?: string | undefined }) =>
      id === undefined ? call(savedViews.create, entered) : call(savedViews.change, { id, ...entered }),
    onSuccess: async (saved) => {
      queries.setQueryData(viewsQuery.queryKey, (views) => [
        ...(views?.filter(({ id }) => id !== saved.id) ?? []),
        saved,
      ])
      void queries.invalidateQueries({ queryKey: viewsQuery.queryKey })
      // Renaming does not change what is shown.
      if (action !== 'edit') await navigate({ ...toViewAddress(saved), replace: true, resetScroll: false })
      notice.success(`The view “${saved.name}” is saved.`)
      onDone()
    },
  })
  const remove = useMutation({
    mutationFn: (id: string) => call(savedViews.remove, { id }),
    onSuccess: async () => {
      await navigate({ to: '.', search: (before: object) => ({ ...before, saved: undefined }), replace: true })
      await queries.invalidateQueries({ queryKey: viewsQuery.queryKey })
      notice.success('The view is deleted.')
      onDone()
    },
    onError: (error) => notice.error(getErrorMessage(error)),
  })
  // Saving needs no confirmation. The guard makes it run once even when effects run twice.
  const hasBegun = useRef(false)
  useEffect(() => {
    if (action !== 'save' || !view || hasBegun.current) return
    hasBegun.current = true
    const { map, ...shown } = getShown()
    const { id, name, audience, group, state } = view
    save.mutate(
      { id, name, page, audience, group, state: { ...shown, ...(state.map && map && { map }) } },
      {
        onError: (error) => {
          notice.error(getErrorMessage(error))
          onDone()
        },
      },
    )
  })
  if (action === 'link' && view) return <ShareDialog kind="view" subject={view.id} onClose={onDone} />
  if (action === 'delete' && view)
    return (
      <QuestionDialog
        title="Delete view"
        opened
        pending={remove.isPending}
        action="Delete"
        isDangerous
        onConfirm={() => remove.mutate(view.id)}
        onClose={onDone}
      >
        Delete the view “{view.name}”? {view.audience !== 'nobody' && 'Those whom it is shared with lose it too.'}
      </QuestionDialog>
    )
  if (action === 'save as' || (action === 'edit' && view))
    return (
      <ViewDialog
        page={page}
        view={action === 'edit' ? view : undefined}
        getShown={getShown}
        pending={save.isPending}
        failure={save.error && getErrorMessage(save.error)}
        onSave={(entered) => save.mutate({ ...entered, id: action === 'edit' ? view?.id : undefined })}
        onClose={onDone}
      />
    )
  return null
}
