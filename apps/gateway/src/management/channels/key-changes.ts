import { hash } from 'node:crypto'
import { CHANNEL_KEYS_MAX } from '@sluice/contract/channel'
import type { Refusal } from '@sluice/contract/errors'
import type { FieldProblem } from '@sluice/providers/channel-fields/field-problem'
import type { JsonObject } from '@sluice/providers/channel-fields/json-object'
import { keyFingerprint } from '@sluice/routing/key-fingerprint'
import type { KeyStates } from '@sluice/store/queries/channels/channel-keys'
import type { ChannelKinds } from '../channel-kinds.ts'
import { invalidField } from '../issue-text.ts'
import { configChanges } from './channel-config.ts'
import { type ChannelBody, type ChannelPatch, configOf } from './channel-settings.ts'

const NO_RENAMES: ReadonlyMap<string, string> = new Map()

export const fingerprintOf = (key: string): string => keyFingerprint(key, (text) => hash('sha256', text))

export interface KeysChange {
  readonly keys: readonly string[]
  /** The first key that was given or changed, which is to be tested. */
  readonly tried: string
  readonly states: KeyStates
  readonly duplicates: number
}

/** The updated channel. `keys` is undefined when they cannot be decrypted. */
interface StoredKeys {
  readonly type: number
  readonly config: string
  readonly keyCount: number
  readonly keys: readonly string[] | undefined
}

export function distinctKeys(keys: readonly string[]): { readonly keys: readonly string[]; readonly dropped: number } {
  const distinct = [...new Set(keys)]
  return { keys: distinct, dropped: keys.length - distinct.length }
}

/** Applies an update to the stored keys; undefined leaves them unchanged. Stored keys never change their meaning. */
export function keysAfter(
  kinds: ChannelKinds,
  stored: StoredKeys,
  body: ChannelBody,
  patch: Pick<ChannelPatch, 'keys_in_one' | 'key_mode'>,
): KeysChange | Refusal | undefined {
  const config = configOf(kinds, body)
  const changes = configChanges(config, stored.config)
  const isAppended = patch.key_mode === 'append'
  const given = givenKeys(kinds, stored, { body, patch, config, changes })
  if (given !== undefined && 'field' in given) return refusalOf(given)
  if (given === undefined || isAppended) {
    const problem = stayingProblem(kinds, stored, { type: body.type, config, changes })
    if (problem !== undefined) return problem
  }
  if (given === undefined) return changedParts(kinds, stored, { type: body.type, config, changes })
  const [tried = ''] = given
  if (!isAppended) {
    const { keys, dropped } = distinctKeys(given)
    return { keys, tried, states: 'forgotten', duplicates: dropped }
  }
  if (stored.keys === undefined) return { code: 'channel_key_lost' }
  const { keys } = distinctKeys([...stored.keys, ...given])
  if (keys.length > CHANNEL_KEYS_MAX) return invalidField('key', `a channel can have at most ${CHANNEL_KEYS_MAX} keys`)
  return { keys, tried, states: NO_RENAMES, duplicates: stored.keys.length + given.length - keys.length }
}

interface Given {
  readonly type: number
  readonly config: JsonObject
  /** Members of `config` that differ from the stored ones. */
  readonly changes: JsonObject
}

/** Complete keys in a request, as lines or as parts in its config; undefined for none. */
function givenKeys(
  kinds: ChannelKinds,
  stored: StoredKeys,
  {
    body,
    patch,
    config,
    changes,
  }: Omit<Given, 'type'> & {
    readonly body: ChannelBody
    readonly patch: Pick<ChannelPatch, 'keys_in_one' | 'key_mode'>
  },
): readonly string[] | FieldProblem | undefined {
  const { type } = body
  const isAppended = patch.key_mode === 'append'
  const takesSeveral = isAppended || (patch.keys_in_one ?? stored.keyCount > 0)
  if (body.key.trim() !== '' && takesSeveral) return kinds.newKeys(type, body.key, config, CHANNEL_KEYS_MAX)
  const hasSecret = kinds.secretConfigFields.some((name) => changes[name] !== undefined)
  const isAlone = (stored.keys?.length ?? 1) === 1
  if (body.key.trim() === '' && !hasSecret) return undefined
  // Missing parts are taken from the channel's only key.
  const base = isAlone && !isAppended ? stored.keys?.[0] : undefined
  const key = kinds.updatedKey(type, body.key, config, changes, base)
  return typeof key === 'string' ? [key] : key
}

/** Keys that stay must keep their meaning: they are never sent to another vendor, which would read their form differently. */
function stayingProblem(
  kinds: ChannelKinds,
  stored: StoredKeys,
  { type, config, changes }: Given,
): Refusal | undefined {
  if (!kinds.hasSameKeyForm(stored.type, type)) {
    return invalidField('key', 'is required, because channels of this type use a different format')
  }
  if (changes['auth_type'] === undefined) return undefined
  for (const key of stored.keys ?? []) {
    const problem = kinds.keyProblem(type, key, config)
    if (problem !== undefined) return refusalOf(problem)
  }
  return undefined
}

function changedParts(
  kinds: ChannelKinds,
  stored: StoredKeys,
  { type, config, changes }: Given,
): KeysChange | Refusal | undefined {
  const states = new Map<string, string>()
  const keys: string[] = []
  let tried: string | undefined
  for (const before of stored.keys ?? []) {
    const after = kinds.updatedKey(type, '', config, changes, before)
    if (typeof after === 'object') return refusalOf(after)
    keys.push(after ?? before)
    states.set(fingerprintOf(before), fingerprintOf(after ?? before))
    if (after !== before) tried ??= after
  }
  if (tried === undefined) return undefined
  const distinct = distinctKeys(keys)
  return { keys: distinct.keys, tried, states, duplicates: distinct.dropped }
}

function refusalOf({ field, rule }: FieldProblem): Refusal {
  return invalidField(field, rule)
}
