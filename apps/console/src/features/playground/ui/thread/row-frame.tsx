import { clsx } from 'clsx'
import type { ReactNode } from 'react'

interface RowFrameProps {
  /** True for a narrow column in the middle, false for the whole width. */
  readonly narrow: boolean
  readonly label: string
  readonly children: ReactNode
}

export function RowFrame({ narrow, label, children }: RowFrameProps) {
  return (
    <article
      aria-label={label}
      className={clsx('group w-full px-4 py-3 text-[0.9375rem] leading-6 md:px-6', narrow && 'mx-auto max-w-3xl')}
    >
      {children}
    </article>
  )
}

interface QuietProps {
  readonly plain: boolean
  readonly below?: boolean
  readonly children: ReactNode
}

/** Becomes visible when the pointer or the focus is on the message; always visible on touch screens, and if `plain`. */
export function Quiet({ plain, below = false, children }: QuietProps) {
  return (
    <div
      className={clsx(
        'flex min-h-7 shrink-0 flex-wrap items-center gap-x-3',
        below && 'mt-1.5',
        !plain &&
          'opacity-0 transition-opacity group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100',
      )}
    >
      {children}
    </div>
  )
}
