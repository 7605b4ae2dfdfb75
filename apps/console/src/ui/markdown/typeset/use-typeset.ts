import { createContext, useContext, useEffect, useState } from 'react'
import type { Typeset, TypesetOrder, Typesetter } from './typesetter.ts'

/** Without a typesetter, programs stay plain and formulas stay as written. */
export const TypesetterContext = createContext<Typesetter | undefined>(undefined)

/** Replaces a text once it is computed. An undefined order requests nothing. */
export function useTypeset(order: TypesetOrder | undefined): Typeset {
  const typesetter = useContext(TypesetterContext)
  const [done, setDone] = useState<{ readonly key: string; readonly typeset: Typeset }>()
  const key = order === undefined ? '' : JSON.stringify(order)
  useEffect(() => {
    if (typesetter === undefined || key === '') return
    const left = new AbortController()
    const asked = JSON.parse(key) as TypesetOrder
    void typesetter.typeset(asked, left.signal).then((typeset) => {
      if (!left.signal.aborted) setDone({ key, typeset })
    })
    return () => left.abort()
  }, [typesetter, key])
  if (order === undefined) return undefined
  return done?.key === key ? done.typeset : typesetter?.known(order)
}
