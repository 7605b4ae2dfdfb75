import type { OwnKeyPlace } from '@sluice/store/own-key-seal'
import type { TokenSnapshot } from '@sluice/store/snapshots/tokens'
import { StoredCredential } from '../stages/caller-credential.ts'
import type { OwnKeys, OwnKey } from '../stages/identity.ts'

/** Undefined if the stored key cannot be decrypted. */
export type OpenOwnKey = (place: OwnKeyPlace, sealed: string) => string | undefined

/** The provider keys stored by a token's user; undefined for the many users without any. */
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
