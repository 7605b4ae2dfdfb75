import type {
  AppliedConfiguration,
  ConfigurationChange,
  ConfigurationPlan,
  ExportedConfiguration,
} from '@sluice/contract/configuration/plan'
import type { Refusal } from '@sluice/contract/errors'
import type { Database } from '@sluice/store/database'
import { isOptionKey } from '@sluice/store/options/options'
import { findGroupBeyond } from '@sluice/store/queries/accounts/users'
import { recordChanges } from '@sluice/store/queries/audit/audit'
import {
  type ConfigurationOwner,
  lockConfiguration,
  type OwnedItem,
  releaseOwnedItems,
  replaceOwnedItems,
} from '@sluice/store/queries/configuration/owned-items'
import { type Actor, applyChanges, type ApplyDeps, entryOf } from './apply-changes.ts'
import { optionDigest } from './compare-options.ts'
import { compare, type CompareDeps, type Comparison, isDrifted } from './compare.ts'
import { type CurrentState, readCurrentState, sha256 } from './current-state.ts'
import type { DeclaredConfiguration } from './document/check-document.ts'
import { sorted } from './document/option-values.ts'
import type { Problems } from './document/read-document.ts'
import { priceEffectOf, type PricedState } from './price-effect.ts'
import { writeDocument } from './write-document.ts'

export interface ConfigurationDeps extends ApplyDeps, Pick<CompareDeps, 'priceOverridesProblem'> {
  readonly database: Database
  /** Milliseconds of a monotonic clock. */
  readonly steady: () => number
  /** Called with the channels whose calls use another key from now on. */
  readonly onCalledAnew?: ((channels: readonly number[]) => void) | undefined
}

export interface ApplyOrder {
  readonly prune: boolean
  /** Digest of the state of a plan; if undefined, the file is applied to any state. */
  readonly state?: string | undefined
  readonly actor: Actor
  readonly action: string
}

/** Options and channels as a file: exports a gateway's state, compares, applies and releases files, and finds drift. */
export interface Configuration {
  export(): Promise<ExportedConfiguration | { readonly sharedNames: readonly string[] }>
  plan(declared: DeclaredConfiguration, prune: boolean): Promise<ConfigurationPlan | Problems | Refusal>
  /** Applies a file in one transaction: everything or nothing. */
  apply(declared: DeclaredConfiguration, order: ApplyOrder): Promise<AppliedConfiguration | Problems | Refusal>
  /** Releases everything that a file owns; returns the number of released items. */
  release(owner: string, actor: Actor, action: string): Promise<number>
  /** Items that files own but something else has changed. */
  drift(): Promise<readonly Pick<OwnedItem, 'kind' | 'name' | 'owner' | 'channel_id'>[]>
}

export function createConfiguration(deps: ConfigurationDeps): Configuration {
  return new StoredConfiguration(deps)
}

class StoredConfiguration implements Configuration {
  readonly #deps: ConfigurationDeps

  constructor(deps: ConfigurationDeps) {
    this.#deps = deps
  }

  async export(): ReturnType<Configuration['export']> {
    const { database, vault } = this.#deps
    return writeDocument(await readCurrentState(database.kysely, vault))
  }

  async plan(declared: DeclaredConfiguration, prune: boolean): ReturnType<Configuration['plan']> {
    const { database, vault, now, steady } = this.#deps
    const db = database.kysely
    const read = await db.transaction().execute(async (trx) => {
      const state = await readCurrentState(trx, vault)
      return { state, comparison: await compare(this.#compareWithin(trx), state, declared, prune) }
    })
    const { state, comparison } = read
    if ('problems' in comparison) return comparison
    const superseded = supersededBy(state, declared)
    if (superseded !== undefined) return superseded
    const { changes, unchanged, leftAlone } = comparison
    const [before, after] = [pricedBefore(state), pricedAfter(state, comparison)]
    return {
      owner: declared.owner,
      revision: declared.revision,
      document: documentDigest(declared),
      state: state.digest,
      changes: [...changes],
      unchanged,
      left_alone: leftAlone,
      prices: await priceEffectOf(db, before, after, { now: now(), steady }),
    }
  }

  async apply(
    declared: DeclaredConfiguration,
    { prune, state: expected, actor, action }: ApplyOrder,
  ): ReturnType<Configuration['apply']> {
    const { database, vault, now, onCalledAnew } = this.#deps
    const done = await database.kysely.transaction().execute(async (trx) => {
      await lockConfiguration(trx, database.engine)
      const state = await readCurrentState(trx, vault)
      if (expected !== undefined && expected !== state.digest) return { code: 'configuration_stale' } satisfies Refusal
      const superseded = supersededBy(state, declared)
      if (superseded !== undefined) return superseded
      const comparison = await compare(this.#compareWithin(trx), state, declared, prune)
      if ('problems' in comparison) return comparison
      const { owner: label, revision } = declared
      const owner = { owner: label, revision, digest: documentDigest(declared), applied_ms: now() }
      const applied = { owner: label, revision, changes: [...comparison.changes], unchanged: comparison.unchanged }
      if (comparison.changes.length > 0) {
        return { applied, calledAnew: await applyChanges(this.#deps, trx, comparison, { owner, actor, action }) }
      }
      if (!isRecorded(state, owner, comparison)) await replaceOwnedItems(trx, { owner, items: itemsOf(comparison) })
      return { applied, calledAnew: [] }
    })
    if (!('applied' in done)) return done
    if (done.calledAnew.length > 0) onCalledAnew?.(done.calledAnew)
    return done.applied
  }

  async release(owner: string, actor: Actor, action: string): Promise<number> {
    const { database, vault } = this.#deps
    return await database.kysely.transaction().execute(async (trx) => {
      await lockConfiguration(trx, database.engine)
      const released = await releaseOwnedItems(trx, owner)
      const entries = released.map((item) => {
        const id = item.kind === 'channel' ? String(item.channel_id) : item.name
        return entryOf(this.#deps, releaseChange(item), { id, actor, action, owner })
      })
      await recordChanges(trx, vault, entries)
      return released.length
    })
  }

  async drift(): ReturnType<Configuration['drift']> {
    const { database, vault, rules } = this.#deps
    const state = await readCurrentState(database.kysely, vault)
    const channels = new Map(state.channels.map((channel) => [channel.id, channel]))
    return state.items.filter((item) => {
      if (item.kind === 'option') return !isOptionKey(item.name) || item.digest !== optionDigest(state, item.name)
      const stored = channels.get(item.channel_id)
      return stored === undefined || isDrifted(rules, stored, item)
    })
  }

  #compareWithin(trx: Database['kysely']): CompareDeps {
    return { ...this.#deps, lostGroup: (groups) => findGroupBeyond(trx, groups) }
  }
}

function releaseChange({ kind, name }: OwnedItem): ConfigurationChange {
  return { kind: kind === 'channel' ? 'channel' : 'option', name, action: 'release', drifted: false, fields: [] }
}

/** Digest of the file's content, regardless of its formatting. */
export function documentDigest({ document }: Pick<DeclaredConfiguration, 'document'>): string {
  return sha256(JSON.stringify(sorted(document)))
}

/** A refusal if a file is older than the applied one, or differs from it under the same revision. */
function supersededBy(state: CurrentState, declared: DeclaredConfiguration): Refusal | undefined {
  const { owner, revision } = declared
  const last = state.owners.find((each) => each.owner === owner)
  if (last === undefined) return undefined
  const isOther = revision > 0 && last.revision === revision && last.digest !== documentDigest(declared)
  if (last.revision <= revision && !isOther) return undefined
  return { code: 'configuration_superseded', params: { owner, applied: last.revision, revision } }
}

function itemsOf({ options, channels }: Comparison): readonly OwnedItem[] {
  return [...options.items, ...channels.map(({ item }) => item)]
}

function isRecorded(
  { owners, items }: CurrentState,
  { owner, revision, digest }: ConfigurationOwner,
  comparison: Comparison,
): boolean {
  const last = owners.find((each) => each.owner === owner)
  const recorded = new Map(items.map((item) => [`${item.kind} ${item.name}`, item]))
  const isSame = itemsOf(comparison).every((item) => recorded.get(`${item.kind} ${item.name}`)?.digest === item.digest)
  return last?.revision === revision && last.digest === digest && isSame
}

function pricedBefore({ options, channels }: CurrentState): PricedState {
  return { options, channels: new Map(channels.map((channel) => [channel.id, channel])) }
}

function pricedAfter(state: CurrentState, { options, channels, removed }: Comparison): PricedState {
  const after = new Map<number, { readonly type: number; readonly modelConfigs: string | null }>(
    state.channels.map((channel) => [channel.id, channel]),
  )
  for (const { stored, settings } of channels) if (stored !== undefined) after.set(stored.id, settings)
  for (const { id } of removed) after.delete(id)
  return { options: options.after, channels: after }
}
