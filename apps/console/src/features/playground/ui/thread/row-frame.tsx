import { clsx } from 'clsx'
import type { ReactNode } from 'react'

interface RowFrameProps {
  /** A calm column in the middle; else the whole width. */
  readonly narrow: boolean
  /** Who says it. */
  readonly label: string
  readonly children: ReactNode
}

/** The place of one message. */
export function RowFrame({ narrow, label, children }: RowFrameProps) {
  return (
    <article aria-label={label} className={clsx('group w-full px-4 py-3 md:px-6', narrow && 'mx-auto max-w-3xl')}>
      {children}
    </article>
  )
}

/** What comes forward when the pointer or the focus is on the message; always there for fingers, and where it is `plain`. */
export function Quiet({ plain, children }: { plain: boolean; children: ReactNode }) {
  return (
    <div
      className={clsx(
        'mt-1 flex min-h-7 flex-wrap items-center gap-x-3',
        !plain &&
          'opacity-0 transition-opacity group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100',
      )}
    >
      {children}
    </div>
  )
}
