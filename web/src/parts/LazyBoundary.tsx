import { CatchBoundary } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { Failure } from '../ui/Failure.tsx'

interface LazyBoundaryProps {
  /** The message if the code does not load. */
  what: string
  fallback: ReactNode
  children: ReactNode
}

/** A part of a page whose code is loaded later. If that fails, this part shows the error and the rest stays usable. */
export function LazyBoundary({ what, fallback, children }: LazyBoundaryProps) {
  const showError = () => (
    <Failure what={what} why="Please check your connection and try again." onRetry={() => location.reload()} />
  )
  return (
    <CatchBoundary getResetKey={() => what} errorComponent={showError}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </CatchBoundary>
  )
}
