import { createHash } from 'node:crypto'
import { keyFingerprint } from '@sluice/routing/key-fingerprint'
import { listSwitchedOffKeys, switchKeyOff, switchKeyOn } from '@sluice/store/queries/channels/channel-keys'
import { disableChannel, findChannel, setChannelStatus } from '@sluice/store/queries/channels/channels'
import { readKeys } from '@sluice/store/snapshots/key-list'
import { CHANNEL_STATUS } from '@sluice/store/statuses'
import type { Vault } from '@sluice/store/vault'
import { type Switched, tellSwitch, type TellSwitchDeps } from './tell-switch.ts'

export interface SwitchDeps extends TellSwitchDeps {
  readonly vault: Pick<Vault, 'open'>
  /** Forgets the recorded failures of a channel that is switched on. */
  readonly forget: (channel: number) => void
}

export type Cause = Pick<Switched, 'by' | 'reason' | 'actor'>

/** A channel with the names of its keys, in order. */
export interface KeyedChannel {
  readonly id: number
  readonly name: string
  /** The change is made only if the channel still has these keys. */
  readonly keySealed: string
  /** False if the channel has a single key, which is switched together with the channel. */
  readonly hasList: boolean
  readonly fingerprints: readonly string[]
}

/** After a key was switched off, the operators are not notified of the channel's further keys for this long. */
const QUIET_MS = 3_600_000

/** Undefined if the channel does not exist, or its keys cannot be read. */
export async function readKeyedChannel({ database, vault }: SwitchDeps, id: number): Promise<KeyedChannel | undefined> {
  const stored = await findChannel(database.kysely, id)
  const opened = stored === undefined ? undefined : vault.open('channel_key', stored.keySealed)
  if (stored === undefined || opened?.ok !== true) return undefined
  const keys = readKeys(opened.text, stored.keyCount)
  if (keys === undefined) return undefined
  const { name, keySealed, keyCount } = stored
  return { id, name, keySealed, hasList: keyCount > 0, fingerprints: keys.map((key) => keyFingerprint(key, sha256)) }
}

/** Each switch below is one conditional change, reported by the caller that made it: once, even if several replicas try. */

export async function switchChannelOff(
  deps: SwitchDeps,
  channel: { readonly id: number; readonly name: string; readonly keySealed?: string },
  cause: Cause,
): Promise<boolean> {
  const { id, keySealed } = channel
  const isChanged = await disableChannel(deps.database.kysely, id, { reason: cause.reason, at: deps.now(), keySealed })
  if (isChanged) await tellSwitch(deps, { channel, became: 'disabled', ...cause })
  return isChanged
}

/** Switches on only what the gateway itself has disabled. */
export async function switchChannelOn(
  deps: SwitchDeps,
  channel: { readonly id: number; readonly name: string },
  cause: Cause,
): Promise<boolean> {
  const isChanged = await setChannelStatus(
    deps.database.kysely,
    channel.id,
    CHANNEL_STATUS.enabled,
    CHANNEL_STATUS.autoDisabled,
  )
  if (isChanged) {
    deps.forget(channel.id)
    await tellSwitch(deps, { channel, became: 'enabled', ...cause })
  }
  return isChanged
}

/**
 * Switches off a key that its provider refuses, and the channel too if this was its last usable key. Ignores a key that the channel
 * no longer has: it was replaced while its last calls were in progress.
 */
export async function switchRefusedKeyOff(
  deps: SwitchDeps,
  channel: KeyedChannel,
  fingerprint: string,
  cause: Cause,
): Promise<boolean> {
  const { id, fingerprints, keySealed } = channel
  const at = fingerprints.indexOf(fingerprint)
  if (at < 0) return false
  if (!channel.hasList) return await switchChannelOff(deps, channel, cause)
  const db = deps.database.kysely
  const off = { keySealed, status: CHANNEL_STATUS.autoDisabled, reason: cause.reason, sinceMs: deps.now() } as const
  const isChanged = await switchKeyOff(db, { channel: id, fingerprint }, off)
  const keysOff = await listSwitchedOffKeys(db, id)
  if (isChanged) {
    // A closed account refuses all of its keys: one notice is enough.
    const isQuiet = keysOff.some(
      (key) =>
        key.fingerprint !== fingerprint &&
        key.status === CHANNEL_STATUS.autoDisabled &&
        Math.abs(deps.now() - key.sinceMs) < QUIET_MS,
    )
    await tellSwitch(deps, { channel, key: at + 1, became: 'disabled', ...cause, isQuiet })
  }
  const dark = new Set(keysOff.map((key) => key.fingerprint))
  if (fingerprints.some((key) => !dark.has(key))) return isChanged
  return (await switchChannelOff(deps, channel, { ...cause, reason: 'it has no enabled key left' })) || isChanged
}

/** Switches on a key that the gateway switched off, and a channel without other keys. Notifies only of the last such key. */
export async function switchKeyOnAgain(
  deps: SwitchDeps,
  channel: KeyedChannel,
  fingerprint: string,
  cause: Cause,
): Promise<boolean> {
  const { id, fingerprints } = channel
  if (!(await switchKeyOn(deps.database.kysely, { channel: id, fingerprint }, CHANNEL_STATUS.autoDisabled)))
    return false
  deps.forget(id)
  const isWellAgain = await switchChannelOn(deps, channel, cause)
  const keysOff = await listSwitchedOffKeys(deps.database.kysely, id)
  await tellSwitch(deps, {
    channel,
    key: fingerprints.indexOf(fingerprint) + 1,
    became: 'enabled',
    ...cause,
    isQuiet: isWellAgain || keysOff.some(({ status }) => status === CHANNEL_STATUS.autoDisabled),
  })
  return true
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
