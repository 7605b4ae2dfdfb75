import { type ReactNode, useEffect, useState } from 'react'
import { createTypesetter } from './typesetter.ts'
import { TypesetterContext } from './use-typeset.ts'

export function Typesetting({ children }: { children: ReactNode }) {
  const [typesetter] = useState(() =>
    createTypesetter(() => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })),
  )
  useEffect(() => () => typesetter.rest(), [typesetter])
  return <TypesetterContext value={typesetter}>{children}</TypesetterContext>
}
