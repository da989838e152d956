import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Navigate } from '@tanstack/react-router'
import { QueryFailure } from '../../parts/QueryFailure.tsx'
import { toViewAddress } from '../../parts/views/view-state.ts'
import { viewsQuery } from '../../parts/views/views-query.ts'
import { Failure } from '../../ui/Failure.tsx'
import { Waiting } from '../../ui/Waiting.tsx'

const route = getRouteApi('/views/$id')

/** Redirects to the page of a view, with its state in the URL. */
export function OpenViewPage() {
  const { id } = route.useParams()
  const { data: views, error, refetch, isFetchedAfterMount } = useQuery({ ...viewsQuery, staleTime: 0 })
  const view = views?.find((each) => each.id === id)
  if (view) return <Navigate {...toViewAddress(view)} replace />
  if (!views && error) return <QueryFailure isPage what="The view could not be loaded." query={{ error, refetch }} />
  if (!views || !isFetchedAfterMount) return <Waiting text="Loading the view..." retry={() => void refetch()} />
  return (
    <Failure
      isPage
      what="There is no such view."
      why="It was deleted, or it is not shared with you."
      onRetry={() => void refetch()}
    />
  )
}
