import type { ReactNode } from 'react'

interface SectionProps {
  readonly id: string
  readonly title: string
  readonly hint?: string | undefined
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** One part of a report. */
export function Section({ id, title, hint, actions, children }: SectionProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="border-line bg-surface flex scroll-mt-4 flex-col gap-3 rounded-lg border p-4 md:p-5"
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 id={`${id}-title`} tabIndex={-1} className="font-semibold outline-none">
          {title}
        </h3>
        {actions}
      </div>
      {hint !== undefined && <p className="text-muted text-xs">{hint}</p>}
      {children}
    </section>
  )
}
