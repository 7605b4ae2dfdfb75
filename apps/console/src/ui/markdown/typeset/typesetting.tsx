import { type ReactNode, useEffect, useState } from 'react'
import { createTypesetter } from './typesetter.ts'
import { TypesetterContext } from './use-typeset.ts'

/** Colours programs and typesets formulas in a worker, which starts with the first of them. */
export function Typesetting({ children }: { children: ReactNode }) {
  const [typesetter] = useState(() =>
    createTypesetter(() => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })),
  )
  useEffect(() => () => typesetter.rest(), [typesetter])
  return <TypesetterContext value={typesetter}>{children}</TypesetterContext>
}
