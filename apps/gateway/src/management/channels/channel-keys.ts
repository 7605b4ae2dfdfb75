import { CHANNEL_STATUS } from '@sluice/contract/channel'
import { isRefusal, type Refusal } from '@sluice/contract/errors'
import * as routes from '@sluice/contract/routes/channels'
import { listSwitchedOffKeys, removeKey, switchKeyOff, switchKeyOn } from '@sluice/store/queries/channels/channel-keys'
import { findChannel } from '@sluice/store/queries/channels/channels'
import { type Binding, bind } from '../bind.ts'
import { unlessChannelOwned } from '../configuration/owned-by-file.ts'
import { keysOf, NOT_FOUND, sealedKeys, type StoredChannel } from './channel-changes.ts'
import type { ChannelDeps } from './channel-ports.ts'
import { fingerprintOf } from './key-changes.ts'

const NO_KEY: Refusal = { code: 'not_found', params: { what: 'Key' } }

type Deps = Pick<ChannelDeps, 'database' | 'vault' | 'routing' | 'now'>

/** The key for calls that serve no request, such as for balances and model lists: the first that is on, otherwise the first. */
export async function usableKey(
  deps: Pick<Deps, 'database' | 'vault'>,
  stored: StoredChannel,
): Promise<string | undefined> {
  const keys = keysOf(deps, stored)
  if (keys === undefined || stored.keyCount === 0) return keys?.[0]
  const off = await offKeys(deps.database.kysely, stored.id)
  return keys.find((key) => !off.has(fingerprintOf(key))) ?? keys[0]
}

/** Keys are identified by their fingerprints; no reply ever contains a key. */
export function channelKeyRoutes(deps: Deps): readonly Binding[] {
  const db = deps.database.kysely
  return [
    bind(routes.listChannelKeys, async ({ id }) => {
      const channel = await loadKeys(deps, id, db)
      if (isRefusal(channel)) return channel
      return {
        data: channel.fingerprints.map((fingerprint, at) => {
          const state = channel.off.get(fingerprint)
          return {
            position: at + 1,
            fingerprint,
            status: state?.status ?? CHANNEL_STATUS.enabled,
            reason: state?.reason ?? '',
            since: Math.floor((state?.sinceMs ?? 0) / 1_000),
          }
        }),
      }
    }),
    bind(routes.setChannelKeyStatus, async ({ id, params: { fingerprint }, body: { status } }) => {
      const channel = await loadKeys(deps, id, db)
      if (isRefusal(channel)) return channel
      const { stored, fingerprints, off } = channel
      if (!fingerprints.includes(fingerprint)) return NO_KEY
      const named = { channel: id, fingerprint }
      if (status === CHANNEL_STATUS.enabled) {
        if (await switchKeyOn(db, named)) deps.routing.forget(id)
        return {}
      }
      if (off.get(fingerprint)?.status === CHANNEL_STATUS.disabled) return {}
      if (isLastOn(channel, fingerprint)) return { code: 'last_key' }
      const change = {
        keySealed: stored.keySealed,
        status: CHANNEL_STATUS.disabled,
        reason: '',
        sinceMs: deps.now(),
      } as const
      return (await switchKeyOff(db, named, change)) ? {} : { code: 'channel_changed' }
    }),
    bind(routes.deleteChannelKey, ({ id, params: { fingerprint } }) =>
      unlessChannelOwned(deps.database, { id }, async (trx): Promise<object | Refusal> => {
        const channel = await loadKeys(deps, id, trx)
        if (isRefusal(channel)) return channel
        const { stored, keys, fingerprints } = channel
        const at = fingerprints.indexOf(fingerprint)
        if (at < 0) return NO_KEY
        if (keys.length === 1 || isLastOn(channel, fingerprint)) return { code: 'last_key' }
        const named = { channel: id, fingerprint }
        const next = sealedKeys(deps, keys.toSpliced(at, 1), true)
        return (await removeKey(trx, named, { before: stored.keySealed, ...next })) ? {} : { code: 'channel_changed' }
      }),
    ),
  ]
}

async function loadKeys(deps: Deps, id: number, within: Deps['database']['kysely']) {
  const stored = await findChannel(within, id)
  if (stored === undefined) return NOT_FOUND
  const keys = keysOf(deps, stored)
  if (keys === undefined) return { code: 'channel_key_lost' } satisfies Refusal
  return { stored, keys, fingerprints: keys.map(fingerprintOf), off: await offKeys(within, id) }
}

/** Whether this is the only key that is on. Without it, the channel would be on but could not serve anyone. */
function isLastOn(
  { fingerprints, off }: { readonly fingerprints: readonly string[]; readonly off: ReadonlyMap<string, unknown> },
  fingerprint: string,
): boolean {
  return !off.has(fingerprint) && fingerprints.every((each) => each === fingerprint || off.has(each))
}

async function offKeys(db: Deps['database']['kysely'], id: number) {
  const rows = await listSwitchedOffKeys(db, id)
  return new Map(rows.map((row) => [row.fingerprint, row]))
}
