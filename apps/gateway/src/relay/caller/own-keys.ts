import type { OwnKeyPlace } from '@sluice/store/own-key-seal'
import type { TokenSnapshot } from '@sluice/store/snapshots/tokens'
import { StoredCredential } from './caller-credential.ts'

/** A key that a user has stored here for their own calls. */
export interface OwnKey {
  /** Undefined where it cannot be opened: then nothing is sent with it, but its setting stands. */
  readonly credential: StoredCredential | undefined
  /** Whether the platform's channels may serve what it could not. */
  readonly fallsBack: boolean
}

/** By the name of the vendor. */
export type OwnKeys = ReadonlyMap<string, OwnKey>

/** Opens a stored key; undefined where that fails. */
export type OpenOwnKey = (place: OwnKeyPlace, sealed: string) => string | undefined

/** The own keys of a token's user; undefined for the many who have none. */
export function ownKeysOf({ ownKeys = [], user }: TokenSnapshot, open: OpenOwnKey): OwnKeys | undefined {
  if (ownKeys.length === 0) return undefined
  return new Map(
    ownKeys.map(({ vendor, sealed, fallsBack }): [string, OwnKey] => {
      const key = open({ userId: user.id, vendor }, sealed)
      const credential = key === undefined ? undefined : new StoredCredential(key, { vendor, fallsBack })
      return [vendor, { credential, fallsBack }]
    }),
  )
}
