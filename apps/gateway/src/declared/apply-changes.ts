import { CHANNEL_STATUS } from '@sluice/contract/channel'
import type { ConfigurationChange } from '@sluice/contract/configuration/plan'
import { type AuditEntry, recordChanges } from '@sluice/store/queries/audit/audit'
import { listSwitchedOffKeys, replaceKeyStates } from '@sluice/store/queries/channels/channel-keys'
import { deleteChannel, insertChannels, setChannelStatus, updateChannel } from '@sluice/store/queries/channels/channels'
import {
  type ConfigurationOwner,
  type OwnedItem,
  replaceOwnedItems,
} from '@sluice/store/queries/configuration/owned-items'
import { setOptions, unsetOptions } from '@sluice/store/queries/options'
import type { Schema } from '@sluice/store/schema/schema'
import type { Vault } from '@sluice/store/vault'
import type { Transaction } from 'kysely'
import type { ChannelRules } from './channel-rules.ts'
import type { ChannelWrite, Comparison } from './compare.ts'

export interface Actor {
  /** 0 for a command or the start of the gateway. */
  readonly id: number
  readonly name: string
  readonly role: number
  /** Empty for a command. */
  readonly address: string
}

export interface ApplyDeps {
  readonly vault: Vault
  readonly rules: ChannelRules
  /** Unix milliseconds. */
  readonly now: () => number
  readonly newId: () => string
}

/** Limit of a recorded text: rows are kept forever. */
const TEXT_LIMIT = 2_000

/** Writes all changes of a comparison with their audit entries; returns the channels whose keys are new. */
export async function applyChanges(
  deps: ApplyDeps,
  trx: Transaction<Schema>,
  comparison: Comparison,
  { owner, actor, action }: { readonly owner: ConfigurationOwner; readonly actor: Actor; readonly action: string },
): Promise<readonly number[]> {
  const { options, removed, changes } = comparison
  await setOptions(
    trx,
    options.entries.map(({ key, text, secret }) => ({ key, value: secret ? deps.vault.seal('option', text) : text })),
  )
  await unsetOptions(trx, options.unset)
  for (const { id } of removed) await deleteChannel(trx, id)
  const items: OwnedItem[] = [...options.items]
  const ids = new Map(removed.map(({ id, name }) => [name, id]))
  for (const write of comparison.channels) {
    const id = await writeChannel(deps, trx, write)
    ids.set(write.item.name, id)
    items.push({ ...write.item, channel_id: id })
  }
  await replaceOwnedItems(trx, { owner, items })
  const entries = changes.map((change): AuditEntry => {
    const id = change.kind === 'channel' ? String(ids.get(change.name) ?? '') : change.name
    return entryOf(deps, change, { id, actor, action, owner: owner.owner })
  })
  await recordChanges(trx, deps.vault, entries)
  return comparison.channels
    .filter(({ stored, keys }) => stored !== undefined && keys !== undefined)
    .flatMap(({ item }) => ids.get(item.name) ?? [])
}

async function writeChannel(
  { rules, now }: ApplyDeps,
  trx: Transaction<Schema>,
  { stored, settings, keys, status }: ChannelWrite,
): Promise<number> {
  const code = status === undefined ? undefined : CHANNEL_STATUS[status]
  if (stored === undefined) {
    const [id = 0] = await insertChannels(
      trx,
      settings,
      [rules.sealKeys(keys ?? [], undefined)],
      Math.floor(now() / 1_000),
    )
    if (code === CHANNEL_STATUS.disabled) await setChannelStatus(trx, id, code)
    return id
  }
  const sealed =
    keys === undefined ? { keySealed: stored.keySealed, keyCount: stored.keyCount } : rules.sealKeys(keys, stored)
  const next = { ...settings, ...sealed }
  await updateChannel(trx, stored.id, { next, before: stored, status: code })
  if (keys !== undefined) {
    const stay = new Set(keys.map(rules.fingerprint))
    const off = await listSwitchedOffKeys(trx, stored.id)
    await replaceKeyStates(
      trx,
      stored.id,
      off.filter(({ fingerprint }) => stay.has(fingerprint)),
    )
  }
  return stored.id
}

export function entryOf(
  { now, newId }: Pick<ApplyDeps, 'now' | 'newId'>,
  { kind, action: what, fields }: ConfigurationChange,
  {
    id,
    actor,
    action,
    owner,
  }: { readonly id: string; readonly actor: Actor; readonly action: string; readonly owner: string },
): AuditEntry {
  const values = (side: 'before' | 'after') =>
    Object.fromEntries(fields.flatMap((field) => (field[side] === null ? [] : [[field.field, shortened(field[side])]])))
  return {
    call_id: newId(),
    begun_ms: now(),
    actor_id: actor.id,
    actor_name: actor.name,
    actor_role: actor.role,
    address: actor.address,
    action,
    outcome: 'done',
    target_kind: kind,
    target_id: id,
    before_values: JSON.stringify(values('before')),
    after_values: JSON.stringify({ ...values('after'), configuration: `${what}: ${owner}` }),
  }
}

function shortened(text: string): string {
  return text.length > TEXT_LIMIT ? `${text.slice(0, TEXT_LIMIT)}…` : text
}
