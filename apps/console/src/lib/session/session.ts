import { type SignedInUser, signedInUser } from '@sluice/contract/signed-in-user'
import * as v from 'valibot'
import { clearSignedInKeys, PLAYGROUND_DATABASE, STORAGE_KEYS } from '../storage/keys.ts'
import { type KeyValueStorage, storedRecord } from '../storage/stored-record.ts'
import { createStore, type Store } from '../store/store.ts'

const sessionRecord = v.object({ user: signedInUser, authenticated: v.literal(true) })

/** Who is signed in on this browser. The proof is the gateway's cookie; this is only what the console shows. */
export interface Session extends Pick<Store<SignedInUser | undefined>, 'get' | 'subscribe'> {
  signIn(user: SignedInUser): void
  /** Forgets the user and what sign-out must clear. Safe to call twice. */
  signOut(): void
  /** Takes over what another tab wrote; to be called on the browser's `storage` event. */
  reload(): void
}

/** What else this browser keeps for somebody who is signed in. */
interface OtherPlaces {
  /** Storage that ends with the tab. */
  readonly tab: KeyValueStorage
  readonly databases: { readonly deleteDatabase: (name: string) => unknown } | undefined
}

export function createSession(storage: KeyValueStorage, places?: OtherPlaces): Session {
  const record = storedRecord(storage, STORAGE_KEYS.session, sessionRecord)
  const store = createStore(record.read()?.user)
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
      if (places !== undefined) clearSignedInKeys(places.tab)
      // Other tabs that have it open close it when they are told; until then the browser lets it wait.
      places?.databases?.deleteDatabase(PLAYGROUND_DATABASE)
      store.set(undefined)
    },
    reload() {
      const user = record.read()?.user
      if (user === undefined && places !== undefined) clearSignedInKeys(places.tab)
      if (JSON.stringify(user) !== JSON.stringify(store.get())) store.set(user)
    },
  }
}
