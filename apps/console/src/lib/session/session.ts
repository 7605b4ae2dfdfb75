import { type Capability, can } from '@sluice/contract/capability'
import { type SignedInUser, signedInUser } from '@sluice/contract/signed-in-user'
import { createContext, useContext } from 'react'
import * as v from 'valibot'
import { clearPlaygroundKeys, clearSignedInKeys, PLAYGROUND_DATABASE, STORAGE_KEYS } from '../storage/keys.ts'
import { type KeyValueStorage, storedRecord } from '../storage/stored-record.ts'
import { createStore, type Store, useStore } from '../store.ts'

const sessionRecord = v.object({ user: signedInUser, authenticated: v.literal(true) })

/** The user signed in on this browser, for display only: the gateway's cookie authenticates. */
export interface Session extends Pick<Store<SignedInUser | undefined>, 'get' | 'subscribe'> {
  signIn(user: SignedInUser): void
  /** Clears the user and everything that sign-out must remove. Safe to call twice. */
  signOut(): void
  /** Applies what another tab wrote; call on the browser's `storage` event. */
  reload(): void
}

interface OtherPlaces {
  /** Storage that ends with the tab. */
  readonly tab: KeyValueStorage
  readonly databases: { readonly deleteDatabase: (name: string) => unknown } | undefined
}

export function createSession(storage: KeyValueStorage, places?: OtherPlaces): Session {
  const record = storedRecord(storage, STORAGE_KEYS.session, sessionRecord)
  const store = createStore(record.read()?.user)
  /** Prompts must not stay in a browser where no one is signed in (class S36). */
  const forgetPrompts = () => {
    clearPlaygroundKeys(storage)
    if (places === undefined) return
    clearPlaygroundKeys(places.tab)
    try {
      // Tabs with the database open close it when they are notified; until then the browser delays the deletion.
      places.databases?.deleteDatabase(PLAYGROUND_DATABASE)
    } catch {
      // Browsers that throw here have no database for us either.
    }
  }
  // The deletion never ran if the browser was closed while another tab held the database open.
  if (store.get() === undefined) forgetPrompts()
  return {
    get: store.get,
    subscribe: store.subscribe,
    signIn(user) {
      record.write({ user, authenticated: true })
      store.set(user)
    },
    signOut() {
      record.remove()
      clearSignedInKeys(storage)
      forgetPrompts()
      store.set(undefined)
    },
    reload() {
      const user = record.read()?.user
      // Includes what was typed here after the other tab had cleared it.
      if (user === undefined) forgetPrompts()
      if (JSON.stringify(user) !== JSON.stringify(store.get())) store.set(user)
    },
  }
}

export const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === undefined) throw new Error('useSession needs a SessionContext above it')
  return session
}

/** `undefined` for visitors. */
export function useUser(): SignedInUser | undefined {
  return useStore(useSession())
}

export function useCan(capability: Capability): boolean {
  return can(useUser()?.role, capability)
}
