import type { ConfigurationChange } from '@sluice/contract/configuration/plan'
import { isRefusal, refusalText } from '@sluice/contract/errors'
import { splitList } from '@sluice/contract/fields/comma-list'
import type { OwnedItem } from '@sluice/store/queries/configuration/owned-items'
import { changedFields, channelDigest, channelFields, settingsToStore } from './channel-fields.ts'
import type { ChannelRules, PlannedChannel } from './channel-rules.ts'
import { type ComparedOptions, compareOptions } from './compare-options.ts'
import { type CurrentState, meantStatus, type WholeChannel } from './current-state.ts'
import type { DeclaredChannel, DeclaredConfiguration } from './document/check-document.ts'
import type { DocumentProblem, Problems } from './document/read-document.ts'

export interface ChannelWrite {
  /** Undefined for a new one. */
  readonly stored: WholeChannel | undefined
  readonly settings: PlannedChannel['settings']
  /** Undefined keeps the stored keys. */
  readonly keys: readonly string[] | undefined
  /** Undefined keeps the stored status. */
  readonly status: 'enabled' | 'disabled' | undefined
  /** The file's ownership of the channel afterwards; the id of a new channel is not known yet. */
  readonly item: OwnedItem
}

export interface Comparison {
  readonly changes: readonly ConfigurationChange[]
  readonly options: ComparedOptions
  /** Every channel in the file, including unchanged ones. */
  readonly channels: readonly ChannelWrite[]
  readonly removed: readonly WholeChannel[]
  readonly unchanged: number
  readonly leftAlone: number
}

export interface CompareDeps {
  /** Finds a group that users belong to and that is not among these. */
  readonly lostGroup: (groups: readonly string[]) => Promise<string | undefined>
  readonly rules: ChannelRules
  readonly priceOverridesProblem: (text: string) => string | undefined
}

const PROBLEMS_MAX = 20
const SECRET = '(secret)'
const OTHER_SECRET = '(another secret)'

/** Compares a checked file with the current state. Its problems are those that only the state can reveal. */
export async function compare(
  deps: CompareDeps,
  state: CurrentState,
  declared: DeclaredConfiguration,
  prune: boolean,
): Promise<Comparison | Problems> {
  const { rules } = deps
  const options = compareOptions(state, declared, prune)
  if ('rule' in options) return { problems: [declared.problem(['options', options.key], options.rule)] }
  const groups = [...options.after.GroupRatio.keys()]
  const owned = new Map(state.items.filter(({ kind }) => kind === 'channel').map((item) => [item.name, item]))
  const optionProblems = await findOptionProblems(deps, state, declared, groups)
  const channels = compareChannels(rules, state, declared, { owned, groups, problems: optionProblems })
  const dropped = compareDropped(rules, state, declared, { owned, prune })
  if (channels.problems.length > 0) return { problems: channels.problems.slice(0, PROBLEMS_MAX) }
  const changes = [...options.changes, ...channels.changes, ...dropped.changes]
  const all = declared.options.length + declared.channels.length
  const touched = changes.filter(({ action }) => action !== 'remove' && action !== 'release').length
  return {
    changes,
    options,
    channels: channels.writes,
    removed: dropped.removed,
    unchanged: all - touched,
    leftAlone: leftAlone(state, declared),
  }
}

/** Finds unreadable prices, and a removed group that still has users. */
async function findOptionProblems(
  { priceOverridesProblem, lostGroup }: CompareDeps,
  state: CurrentState,
  { options, problem }: DeclaredConfiguration,
  groups: readonly string[],
): Promise<readonly DocumentProblem[]> {
  const problems: DocumentProblem[] = []
  const overrides = options.find(({ key }) => key === 'PriceOverrides')
  const badPrice = overrides && priceOverridesProblem(overrides.text)
  if (badPrice !== undefined) problems.push(problem(['options', 'PriceOverrides'], badPrice))
  const lost = await lostGroup(groups)
  if (lost !== undefined && state.options.GroupRatio.has(lost)) {
    problems.push(problem(['options', 'Groups'], `must keep the group "${lost}", because users belong to it`))
  }
  return problems
}

interface ComparedChannels {
  readonly writes: readonly ChannelWrite[]
  readonly changes: readonly ConfigurationChange[]
  readonly problems: readonly DocumentProblem[]
}

/** `owned`: the items that files own, by name. `problems`: those found so far, to which the result adds. */
function compareChannels(
  rules: ChannelRules,
  state: CurrentState,
  { owner, channels, problem }: DeclaredConfiguration,
  known: {
    readonly owned: ReadonlyMap<string, OwnedItem>
    readonly groups: readonly string[]
    readonly problems: readonly DocumentProblem[]
  },
): ComparedChannels {
  const problems = [...known.problems]
  const changes: ConfigurationChange[] = []
  const writes: ChannelWrite[] = []
  for (const channel of channels) {
    if (problems.length >= PROBLEMS_MAX) break
    const found = findStored(state, known.owned, channel, owner)
    if ('rule' in found) {
      problems.push(problem(channel.path('name'), found.rule))
      continue
    }
    const unknown = splitList(channel.form.group).findIndex((group) => !known.groups.includes(group))
    if (unknown >= 0) {
      problems.push(problem([...channel.path('groups'), unknown], 'names a group that is not in Groups'))
      continue
    }
    const { stored, item } = found
    const planned = rules.plan(channel.form, stored && { channel: stored, hasKey: channel.hasKey })
    if (isRefusal(planned)) {
      const field = planned.field ?? 'name'
      const rule = planned.code === 'invalid_body' ? String(planned.params?.['rule']) : refusalText(planned)
      problems.push(problem(channel.path(field), rule))
      continue
    }
    const write = writeOf(rules, owner, channel, planned, stored)
    writes.push(write)
    changes.push(...changesOf(rules, write, item))
  }
  return { writes, changes, problems }
}

/** Channels that the file's owner has but the file no longer names: deleted with `prune`, otherwise released. */
function compareDropped(
  rules: ChannelRules,
  state: CurrentState,
  declared: DeclaredConfiguration,
  { owned, prune }: { readonly owned: ReadonlyMap<string, OwnedItem>; readonly prune: boolean },
): { readonly removed: readonly WholeChannel[]; readonly changes: readonly ConfigurationChange[] } {
  const named = new Set(declared.channels.map(({ form }) => form.name))
  const dropped = [...owned.values()].filter(({ owner, name }) => owner === declared.owner && !named.has(name))
  const removed: WholeChannel[] = []
  const changes: ConfigurationChange[] = []
  for (const item of dropped) {
    const stored = state.channels.find(({ id }) => id === item.channel_id)
    const base = { kind: 'channel', name: item.name } as const
    if (prune && stored !== undefined) {
      removed.push(stored)
      const fields = changedFields(channelFields(stored), undefined)
      changes.push({ ...base, action: 'remove', drifted: isDrifted(rules, stored, item), fields })
    } else {
      changes.push({ ...base, action: 'release', drifted: false, fields: [] })
    }
  }
  return { removed, changes }
}

/** The stored channel with a name: the file's own, otherwise the only one with that name that no file owns. */
function findStored(
  state: CurrentState,
  owned: ReadonlyMap<string, OwnedItem>,
  { form: { name } }: DeclaredChannel,
  owner: string,
): { readonly stored: WholeChannel | undefined; readonly item: OwnedItem | undefined } | { readonly rule: string } {
  const item = owned.get(name)
  if (item !== undefined && item.owner !== owner)
    return { rule: `is managed by the configuration file "${item.owner}"` }
  const own = item && state.channels.find(({ id }) => id === item.channel_id)
  if (own !== undefined) return { stored: own, item }
  const taken = new Set([...owned.values()].map(({ channel_id: id }) => id))
  const [first, ...others] = state.channels.filter((channel) => channel.name === name && !taken.has(channel.id))
  if (others.length > 0) {
    return { rule: `is the name of ${others.length + 1} channels: rename them first` }
  }
  return { stored: first, item: undefined }
}

function writeOf(
  rules: ChannelRules,
  owner: string,
  { status }: DeclaredChannel,
  { settings, keys }: PlannedChannel,
  stored: WholeChannel | undefined,
): ChannelWrite {
  const before = stored && rules.keysOf(stored)
  const sameKeys = before !== undefined && JSON.stringify(before) === JSON.stringify(keys)
  const next = stored === undefined ? settings : settingsToStore(stored, settings)
  return {
    stored,
    settings: next,
    keys: sameKeys ? undefined : keys,
    status: stored !== undefined && status === meantStatus(stored.status) ? undefined : status,
    item: {
      kind: 'channel',
      name: settings.name,
      owner,
      channel_id: stored?.id ?? 0,
      states_status: status === undefined ? 0 : 1,
      digest: channelDigest(next, keys.map(rules.fingerprint), status),
    },
  }
}

function changesOf(
  rules: ChannelRules,
  { stored, settings, keys, status, item }: ChannelWrite,
  owned: OwnedItem | undefined,
): ConfigurationChange[] {
  const base = {
    kind: 'channel',
    name: item.name,
    drifted: stored !== undefined && owned !== undefined && isDrifted(rules, stored, owned),
  } as const
  const fields = changedFields(stored && channelFields(stored), channelFields(settings)).map((change) =>
    change.field === 'type' ? withTypeNames(rules, change) : change,
  )
  if (keys !== undefined) {
    fields.push({
      field: 'key',
      before: stored === undefined ? null : SECRET,
      after: stored === undefined ? SECRET : OTHER_SECRET,
    })
  }
  if (status !== undefined) {
    fields.push({ field: 'status', before: stored === undefined ? null : meantStatus(stored.status), after: status })
  }
  if (stored === undefined) return [{ ...base, action: 'create', fields }]
  if (fields.length > 0) return [{ ...base, action: 'update', fields }]
  const isSame = owned !== undefined && owned.states_status === item.states_status
  return isSame ? [] : [{ ...base, action: 'adopt', fields }]
}

function withTypeNames<Change extends { readonly before: string | null; readonly after: string | null }>(
  rules: ChannelRules,
  change: Change,
): Change {
  const named = (code: string | null) => (code === null ? null : rules.typeName(Number(code)))
  return { ...change, before: named(change.before), after: named(change.after) }
}

/** Whether a channel has changed since the file set it. An automatic switch-off by the gateway does not count. */
export function isDrifted(rules: ChannelRules, stored: WholeChannel, item: OwnedItem): boolean {
  const status = item.states_status === 1 ? meantStatus(stored.status) : undefined
  return item.digest !== channelDigest(stored, rules.keysOf(stored)?.map(rules.fingerprint), status)
}

function leftAlone(state: CurrentState, { owner, options, channels }: DeclaredConfiguration): number {
  const mine = new Set(state.items.filter((item) => item.owner === owner).map(({ kind, name }) => `${kind} ${name}`))
  for (const { key } of options) mine.add(`option ${key}`)
  for (const { form } of channels) mine.add(`channel ${form.name}`)
  const settings = new Set([...state.stored.keys()].map((key) => (key === 'GroupRatio' ? 'Groups' : key)))
  settings.delete('LogClearedBefore')
  const others = [...settings].filter((key) => !mine.has(`option ${key}`)).length
  return others + state.channels.filter(({ name }) => !mine.has(`channel ${name}`)).length
}
