import { CatchBoundary } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { Failure } from '../ui/Failure.tsx'

interface LazyBoundaryProps {
  /** What to say if it never comes. */
  what: string
  fallback: ReactNode
  children: ReactNode
}

/** A part of a page whose code comes after the rest. If it does not, or breaks, this part says so and the rest stays. */
export function LazyBoundary({ what, fallback, children }: LazyBoundaryProps) {
  const broken = () => (
    <Failure what={what} why="Please check your connection and try again." onRetry={() => location.reload()} />
  )
  return (
    <CatchBoundary getResetKey={() => what} errorComponent={broken}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </CatchBoundary>
  )
}
