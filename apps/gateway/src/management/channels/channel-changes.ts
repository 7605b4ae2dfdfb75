import { can } from '@sluice/contract/capability'
import { CHANNEL_KEYS_MAX, CHANNEL_STATUS } from '@sluice/contract/channel'
import { isRefusal, type Refusal } from '@sluice/contract/errors'
import type { ChannelSettings } from '@sluice/contract/fields/channel'
import {
  findChannel,
  insertChannels,
  type SealedKeys,
  type StoredSettings,
  updateChannel,
} from '@sluice/store/queries/channels/channels'
import { readKeys, writeKeys } from '@sluice/store/snapshots/key-list'
import { unlessChannelOwned } from '../configuration/owned-by-file.ts'
import { invalidField } from '../issue-text.ts'
import type { Caller } from '../sessions/caller.ts'
import { configChanges, parseConfig, publicConfig } from './channel-config.ts'
import type { ChannelDeps } from './channel-ports.ts'
import {
  changesOf,
  type ChannelBody,
  type ChannelPatch,
  configOf,
  patchedChannel,
  settingsOf,
  settingsProblem,
} from './channel-settings.ts'
import { distinctKeys, keysAfter, type KeysChange } from './key-changes.ts'

export const NOT_FOUND: Refusal = { code: 'not_found', params: { what: 'Channel' } }

type Queries = ChannelDeps['database']['kysely']
type Deps = Pick<ChannelDeps, 'database' | 'vault' | 'kinds' | 'isHostAllowed' | 'callerKeyOrigins' | 'routing' | 'now'>

/** Creates one channel per key, or one with all keys, and returns their ids. `duplicates` counts the keys left out. */
export async function createChannels(
  deps: Deps,
  body: ChannelBody,
): Promise<{ readonly ids: readonly number[]; readonly duplicates: number } | Refusal> {
  const planned = planNew(deps, body)
  if (isRefusal(planned)) return planned
  const { settings, keys, duplicates } = planned
  const sealed = body.keys_in_one ? [sealedKeys(deps, keys)] : keys.map((key) => sealedKeys(deps, [key]))
  const ids = await insertChannels(deps.database.kysely, settings, sealed, Math.floor(deps.now() / 1_000))
  return { ids, duplicates }
}

/** Writes only the columns whose value changes. Returns how many of the given keys were left out. */
export async function changeChannel(
  deps: Deps,
  caller: Pick<Caller, 'role'>,
  patch: ChannelPatch,
): Promise<{ readonly duplicates: number } | Refusal> {
  const changed = await unlessChannelOwned(deps.database, patch, (trx) => writeChange(deps, trx, caller, patch))
  if (isRefusal(changed)) return changed
  if (changed.isCalledAnew) deps.routing.forget(patch.id)
  return { duplicates: changed.duplicates }
}

async function writeChange(
  deps: Deps,
  trx: Queries,
  caller: Pick<Caller, 'role'>,
  patch: ChannelPatch,
): Promise<{ readonly duplicates: number; readonly isCalledAnew: boolean } | Refusal> {
  const planned = await planChange(deps, trx, caller, patch)
  if (isRefusal(planned)) return planned
  const { stored, settings, keys } = planned
  const next: StoredSettings = {
    ...settings,
    ...(keys === undefined ? kept(stored) : changedKeys(deps, stored, keys)),
  }
  const status = patch.status === stored.status ? undefined : patch.status
  if (await updateChannel(trx, patch.id, { next, before: stored, status, keyStates: keys?.states })) {
    const isAnew = status === CHANNEL_STATUS.enabled || isCalledAnew(stored, next)
    return { duplicates: keys?.duplicates ?? 0, isCalledAnew: isAnew }
  }
  return (await findChannel(trx, patch.id)) === undefined ? NOT_FOUND : { code: 'channel_changed' }
}

/** Whether calls now go elsewhere or use another key, so that recorded failures no longer apply. */
function isCalledAnew(before: StoredSettings, next: StoredSettings): boolean {
  const fields = ['keySealed', 'type', 'baseUrl', 'other', 'config', 'modelMapping'] as const
  return fields.some((field) => before[field] !== next[field])
}

export type StoredChannel = NonNullable<Awaited<ReturnType<typeof findChannel>>>

/** A stored channel with a patch applied, checked by every rule of an update. */
export interface PlannedChange {
  readonly stored: StoredChannel
  readonly settings: ChannelSettings
  /** Undefined keeps the stored keys. */
  readonly keys: KeysChange | undefined
}

/** Applies a patch to its channel without writing it. */
export async function planChange(
  deps: Omit<Deps, 'database'>,
  db: Queries,
  caller: Pick<Caller, 'role'>,
  patch: ChannelPatch,
): Promise<PlannedChange | Refusal> {
  const { kinds } = deps
  const stored = await findChannel(db, patch.id)
  if (stored === undefined) return NOT_FOUND
  if (patch.status === CHANNEL_STATUS.autoDisabled && stored.status !== CHANNEL_STATUS.autoDisabled) {
    return invalidField('status', 'must be 1 (enabled) or 2 (disabled)')
  }
  const body = patchedChannel(stored, patch)
  const settings = settingsOf(kinds, body)
  const config = configOf(kinds, body)
  const before = keysOf(deps, stored)
  const keys = keysAfter(kinds, { ...stored, keys: before }, body, patch)
  if (keys !== undefined && isRefusal(keys)) return keys
  const changed = changesOf(stored, settings, config, keys !== undefined)
  const problem = settingsProblem(deps, settings, { config, key: tellingKey(keys?.keys ?? before), changed })
  if (problem !== undefined) return problem
  const isElsewhere = originOf(kinds, stored) !== originOf(kinds, settings)
  const travels = patch.key_mode === 'append' || !isWholeKeyGiven(kinds, stored, body)
  if (isElsewhere && travels && !can(caller.role, 'channels.moveKeys')) {
    return invalidField('key', 'is required, because the channel would send its key to a different address')
  }
  return { stored, settings, keys }
}

/** The keys of a stored channel, in order; undefined when they cannot be decrypted. */
export function keysOf({ vault }: Pick<Deps, 'vault'>, stored: SealedKeys): readonly string[] | undefined {
  const opened = vault.open('channel_key', stored.keySealed)
  return opened.ok ? readKeys(opened.text, stored.keyCount) : undefined
}

/** Keys in stored form. A channel that lists its keys continues to do so unless other keys replace them. */
export function sealedKeys({ vault }: Pick<Deps, 'vault'>, keys: readonly string[], asList?: boolean): SealedKeys {
  const { text, count } = writeKeys(keys, asList)
  return { keySealed: vault.seal('channel_key', text), keyCount: count }
}

function changedKeys(deps: Deps, stored: SealedKeys, { keys, states }: KeysChange): SealedKeys {
  return sealedKeys(deps, keys, keys.length > 1 || (states !== 'forgotten' && stored.keyCount > 0))
}

function kept({ keySealed, keyCount }: SealedKeys): SealedKeys {
  return { keySealed, keyCount }
}

/** The key for rules about config and key together, which concern single-word keys. */
function tellingKey(keys: readonly string[] | undefined): string | undefined {
  return keys?.find((key) => !key.includes('|')) ?? keys?.[0]
}

/** A new channel in stored form and its keys, checked by every rule for creation. */
export function planNew(
  deps: Pick<Deps, 'kinds' | 'isHostAllowed' | 'callerKeyOrigins'>,
  body: ChannelBody,
):
  | { readonly settings: ChannelSettings; readonly keys: readonly [string, ...string[]]; readonly duplicates: number }
  | Refusal {
  const { kinds } = deps
  const settings = settingsOf(kinds, body)
  const config = configOf(kinds, body)
  const given = kinds.newKeys(body.type, body.key, config, body.keys_in_one ? CHANNEL_KEYS_MAX : undefined)
  const { keys, dropped } = 'field' in given || !body.keys_in_one ? { keys: given, dropped: 0 } : distinctKeys(given)
  const key = 'field' in keys ? undefined : tellingKey(keys)
  const problem = settingsProblem(deps, settings, { config, key, changed: () => true })
  if (problem !== undefined) return problem
  if ('field' in keys) return invalidField(keys.field, keys.rule)
  const [first = '', ...more] = keys
  return { settings, keys: [first, ...more], duplicates: dropped }
}

/** Scheme, host and port that receive the key; empty where type and region in the key determine them. */
function originOf(
  kinds: Deps['kinds'],
  { type, baseUrl }: { readonly type: number; readonly baseUrl: string },
): string {
  const address = baseUrl === '' ? kinds.defaultBaseUrl(type) : baseUrl
  const url = URL.parse(address)
  return url === null ? address : `${url.protocol}//${url.host}`
}

/** Whether a request contains a complete key: no part from the stored key, and no parts repeated from the stored config. */
function isWholeKeyGiven(kinds: Deps['kinds'], stored: { readonly config: string }, body: ChannelBody): boolean {
  if (body.key.trim() !== '') return true
  const config = configOf(kinds, body)
  const own = { ...parseConfig(publicConfig(kinds, config)), ...configChanges(config, stored.config) }
  return typeof kinds.updatedKey(body.type, body.key, config, own, undefined) === 'string'
}
