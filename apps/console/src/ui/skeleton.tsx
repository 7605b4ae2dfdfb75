import { clsx } from 'clsx'

/** A quiet block in the place of something that is on its way. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span aria-hidden="true" className={clsx('bg-subtle block animate-pulse rounded', className ?? 'h-4 w-full')} />
  )
}
