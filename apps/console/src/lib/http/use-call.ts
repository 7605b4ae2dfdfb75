import { createContext, useContext } from 'react'
import type { Call } from './call.ts'

export const CallContext = createContext<Call | undefined>(undefined)

/** The client of the running app. */
export function useCall(): Call {
  const call = useContext(CallContext)
  if (call === undefined) throw new Error('useCall needs a CallContext above it')
  return call
}
