import { type Capability, can } from '@sluice/contract/capability'
import type { SignedInUser } from '@sluice/contract/signed-in-user'
import { createContext, useContext } from 'react'
import { useStore } from '../store/use-store.ts'
import type { Session } from './session.ts'

export const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === undefined) throw new Error('useSession needs a SessionContext above it')
  return session
}

/** The signed-in user; `undefined` for visitors. */
export function useUser(): SignedInUser | undefined {
  return useStore(useSession())
}

/** Whether the signed-in user holds a capability. */
export function useCan(capability: Capability): boolean {
  return can(useUser()?.role, capability)
}
