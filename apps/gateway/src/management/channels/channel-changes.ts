import { can } from '@sluice/contract/capability'
import type { Refusal } from '@sluice/contract/errors'
import { type ChannelSettings, findChannel, insertChannels, updateChannel } from '@sluice/store/queries/channels'
import { invalidField } from '../issue-text.ts'
import type { ManagementDeps } from '../ports.ts'
import type { Caller } from '../sessions/caller.ts'
import { configChanges, parseConfig, publicConfig } from './channel-config.ts'
import {
  changesOf,
  type ChannelBody,
  type ChannelPatch,
  configOf,
  patchedChannel,
  type Settings,
  settingsOf,
  settingsProblem,
} from './channel-settings.ts'

export const NOT_FOUND: Refusal = { code: 'not_found', params: { what: 'Channel' } }

type Deps = Pick<ManagementDeps, 'database' | 'vault' | 'kinds' | 'isHostAllowed' | 'now'>

/** Makes one channel per key and answers their ids. */
export async function createChannels(deps: Deps, body: ChannelBody): Promise<readonly number[] | Refusal> {
  const planned = planNew(deps, body)
  if ('code' in planned) return planned
  const { settings, keys } = planned
  const sealed = keys.map((key) => deps.vault.seal('channel_key', key))
  return await insertChannels(deps.database.kysely, settings, sealed, Math.floor(deps.now() / 1_000))
}

/** Changes what a patch names; answers a refusal or nothing. Only columns whose value changes are written. */
export async function changeChannel(
  deps: Deps,
  caller: Pick<Caller, 'role'>,
  patch: ChannelPatch,
): Promise<Refusal | undefined> {
  const planned = await planChange(deps, caller, patch)
  if ('code' in planned) return planned
  const { stored, settings, key } = planned
  const next: ChannelSettings = {
    ...settings,
    keySealed: key === undefined ? stored.keySealed : deps.vault.seal('channel_key', key),
  }
  const status = patch.status === stored.status ? undefined : patch.status
  const isChanged = await updateChannel(deps.database.kysely, patch.id, { next, before: stored, status })
  return isChanged ? undefined : NOT_FOUND
}

/** A stored channel as a patch would leave it, checked by every rule of an update. */
export interface PlannedChange {
  readonly stored: NonNullable<Awaited<ReturnType<typeof findChannel>>>
  readonly settings: Settings
  /** The new key; undefined keeps the stored one. */
  readonly key: string | undefined
  /** The stored key; undefined when it cannot be opened. */
  readonly storedKey: string | undefined
}

/** Works out what a patch would make of its channel, without writing it. */
export async function planChange(
  deps: Deps,
  caller: Pick<Caller, 'role'>,
  patch: ChannelPatch,
): Promise<PlannedChange | Refusal> {
  const { kinds, vault } = deps
  const stored = await findChannel(deps.database.kysely, patch.id)
  if (stored === undefined) return NOT_FOUND
  if (patch.status === 3 && stored.status !== 3) {
    return invalidField('status', 'must be 1 (enabled) or 2 (disabled)')
  }
  const body = patchedChannel(stored, patch)
  const settings = settingsOf(kinds, body)
  const config = configOf(kinds, body)
  const opened = vault.open('channel_key', stored.keySealed)
  const before = opened.ok ? opened.text : undefined
  const key = keyAfter(deps, stored, body, before)
  if (typeof key === 'object') return key
  const changed = changesOf(stored, settings, config, key !== undefined)
  const problem = settingsProblem(deps, settings, { config, key: key ?? before, changed })
  if (problem !== undefined) return problem
  const isElsewhere = originOf(kinds, stored) !== originOf(kinds, settings)
  if (isElsewhere && !can(caller.role, 'channels.moveKeys') && !isWholeKeyGiven(kinds, stored, body)) {
    return invalidField('key', 'is required, because the channel would send its key to another address')
  }
  return { stored, settings, key, storedKey: before }
}

/** A new channel as it would be stored, and its first key, checked by every rule of a creation. */
export function planNew(
  deps: Pick<Deps, 'kinds' | 'isHostAllowed'>,
  body: ChannelBody,
): { readonly settings: Settings; readonly keys: readonly [string, ...string[]] } | Refusal {
  const { kinds } = deps
  const settings = settingsOf(kinds, body)
  const config = configOf(kinds, body)
  const keys = kinds.newKeys(body.type, body.key, config)
  const problem = settingsProblem(deps, settings, {
    config,
    key: 'field' in keys ? undefined : keys[0],
    changed: () => true,
  })
  if (problem !== undefined) return problem
  if ('field' in keys) return invalidField(keys.field, keys.rule)
  const [first = '', ...more] = keys
  return { settings, keys: [first, ...more] }
}

/** The key after an update; undefined keeps the stored one. */
function keyAfter(
  { kinds }: Deps,
  stored: { readonly type: number; readonly config: string },
  body: ChannelBody,
  before: string | undefined,
): string | undefined | Refusal {
  const config = configOf(kinds, body)
  const changes = configChanges(config, stored.config)
  const key = kinds.updatedKey(body.type, body.key, config, changes, before)
  if (typeof key === 'string') return key
  if (key !== undefined) return invalidField(key.field, key.rule)
  // A key must not travel to another vendor in a form that means something else there.
  if (!kinds.hasSameKeyForm(stored.type, body.type)) {
    return invalidField('key', 'is required, because channels of this type write it in another way')
  }
  if (before === undefined || changes['auth_type'] === undefined) return undefined
  const problem = kinds.keyProblem(body.type, before, config)
  return problem === undefined ? undefined : invalidField(problem.field, problem.rule)
}

/** Scheme, host and port that get the key; empty where they follow from the type and the region in the key. */
function originOf(
  kinds: Deps['kinds'],
  { type, baseUrl }: { readonly type: number; readonly baseUrl: string },
): string {
  const address = baseUrl === '' ? kinds.defaultBaseUrl(type) : baseUrl
  const url = URL.parse(address)
  return url === null ? address : `${url.protocol}//${url.host}`
}

/**
 * Whether a request holds all of a key. Parts of a joined key that it leaves out would come from the stored one, and what
 * it repeats of the stored config is not its own.
 */
function isWholeKeyGiven(kinds: Deps['kinds'], stored: { readonly config: string }, body: ChannelBody): boolean {
  const config = configOf(kinds, body)
  const own = { ...parseConfig(publicConfig(kinds, config)), ...configChanges(config, stored.config) }
  return typeof kinds.updatedKey(body.type, body.key, config, own, undefined) === 'string'
}
