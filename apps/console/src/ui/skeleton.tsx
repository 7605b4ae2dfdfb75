import { clsx } from 'clsx'

export function Skeleton({ className }: { className?: string }) {
  return (
    <span aria-hidden="true" className={clsx('bg-subtle block animate-pulse rounded', className ?? 'h-4 w-full')} />
  )
}
