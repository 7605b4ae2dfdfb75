import { createHash } from 'node:crypto'
import type { Refusal } from '@sluice/contract/errors'
import * as routes from '@sluice/contract/routes/own-keys'
import { createRateLimiter } from '@sluice/coordination/rate-limit'
import { keyFingerprint } from '@sluice/routing/key-fingerprint'
import { sealOwnKey } from '@sluice/store/own-key-seal'
import {
  deleteOwnKey,
  listCallerChannels,
  listOwnKeys,
  type OwnKeyRow,
  putOwnKey,
  type SealedOwnKey,
} from '@sluice/store/queries/accounts/own-keys'
import { findTokenByKeyHash } from '@sluice/store/snapshots/tokens'
import { bareKey } from '../../tokens/bare-key.ts'
import { type Binding, bind } from '../bind.ts'
import type { StepUp } from '../identity/step-up.ts'
import { invalidField } from '../issue-text.ts'
import type { SharedPorts } from '../ports.ts'
import { refusalOf } from '../sessions/critical-throttle.ts'
import { keyHash } from '../tokens/token-key.ts'

export type OwnKeyDeps = Pick<SharedPorts, 'database' | 'vault' | 'now' | 'kinds'>

/** Changes that one user may make; each makes every relay reload its callers. */
const CHANGES = { limit: 30, periodMs: 60 * 60_000 } as const
/** Users tracked at once. Further ones are refused rather than let through (class S28). */
const CAPACITY = 100_000

const NOT_FOUND: Refusal = { code: 'not_found', params: { what: 'Key' } }

/** A user's own provider keys. No reply contains a key, and other users' keys do not exist here (class S11). */
export function ownKeyRoutes({ database, vault, now, kinds }: OwnKeyDeps, stepUp: StepUp): readonly Binding[] {
  const db = database.kysely
  const changes = createRateLimiter({ capacity: CAPACITY, now })
  const mayChange = (userId: number) => refusalOf(changes.take(String(userId), CHANGES))
  const seal = (userId: number, vendor: string, key: string): SealedOwnKey => ({
    sealed: sealOwnKey(vault, { userId, vendor }, key),
    fingerprint: keyFingerprint(key, (text) => createHash('sha256').update(text).digest('hex')),
    createdTime: Math.floor(now() / 1_000),
  })

  const fallsBack = async (userId: number, vendor: string): Promise<boolean> =>
    (await listOwnKeys(db, userId)).some((row) => row.vendor === vendor && row.fallsBack)

  return [
    bind(routes.listOwnKeys, async ({ caller }) => {
      const [keys, channels] = await Promise.all([listOwnKeys(db, caller.id), listCallerChannels(db)])
      const vendors = new Set(channels.flatMap(({ type, config }) => kinds.callerVendor(type, config) ?? []))
      return { data: { keys: keys.map(ownKeyOnWire), vendors: [...vendors].toSorted() } }
    }),

    bind(routes.putOwnKey, async ({ caller, body }) => {
      const { vendor, key, label, fallback } = body
      const tooMany = mayChange(caller.id)
      if (tooMany !== undefined) return tooMany
      if (!kinds.vendors.includes(vendor)) return invalidField('vendor', `must be one of ${kinds.vendors.join(', ')}`)
      const problem = key === undefined ? undefined : kinds.vendorKeyProblem(vendor, key)
      if (problem !== undefined) {
        return invalidField('key', problem === 'unfit' ? `is not a key of ${vendor}` : `is a key of ${problem.owner}`)
      }
      if (key !== undefined && (await findTokenByKeyHash(db, keyHash(bareKey(key)))) !== undefined) {
        return invalidField('key', 'is a key of this gateway, not of a provider')
      }
      // The holder of the provider's account can read every request sent with this key; with a fallback the owner also pays here.
      const proof = { password: body.current_password, totpCode: body.totp_code }
      const isGuarded = key !== undefined || (fallback && !(await fallsBack(caller.id, vendor)))
      const notShown = isGuarded ? await stepUp.demand(caller, proof) : undefined
      if (notShown !== undefined) return notShown
      const setting = { userId: caller.id, vendor, label, fallsBack: fallback }
      const id = await putOwnKey(db, setting, key === undefined ? undefined : seal(caller.id, vendor, key))
      if (id === undefined) return invalidField('key', 'is required')
      const stored = (await listOwnKeys(db, caller.id)).find((row) => row.id === id)
      return stored === undefined ? NOT_FOUND : { data: ownKeyOnWire(stored) }
    }),

    bind(routes.deleteOwnKey, async ({ caller, id }) => {
      const tooMany = mayChange(caller.id)
      if (tooMany !== undefined) return tooMany
      return (await deleteOwnKey(db, caller.id, id)) ? {} : NOT_FOUND
    }),
  ]
}

function ownKeyOnWire({ id, vendor, label, fingerprint, fallsBack, createdTime }: OwnKeyRow): routes.OwnKey {
  return { id, vendor, label, fingerprint, fallback: fallsBack, created_at: createdTime }
}
