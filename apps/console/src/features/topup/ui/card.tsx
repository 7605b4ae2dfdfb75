import { type ReactNode, useId } from 'react'

/** A named section of the page. */
export function Card({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="border-line bg-surface flex flex-col gap-3 rounded-lg border p-4 md:p-5">
      <h2 id={id} className="font-semibold">
        {title}
      </h2>
      {children}
    </section>
  )
}
