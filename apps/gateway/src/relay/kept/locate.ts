import type { Refusal } from '@sluice/contract/errors'
import { isToldReasoning } from '@sluice/dialects/openai-responses/output-items'
import type { Reference } from '@sluice/dialects/references'
import type { KeptResponse } from '@sluice/store/queries/kept-responses'
import type { Identity } from '../authenticate.ts'
import type { Authorised } from '../identify.ts'
import type { RelayLog } from '../record.ts'
import type { RelayOptions } from '../relay-options.ts'
import type { FoundChannel, RoutingTable } from '../routing-table.ts'
import type { KeptResponses } from './kept-responses.ts'
import { recall, type Recalled, withRecalled } from './recall.ts'
import type { RememberedResponses } from './remembered-responses.ts'

export interface LocateDeps {
  readonly kept: KeptResponses
  readonly remembered: RememberedResponses
  readonly routing: () => RoutingTable
  readonly log: RelayLog
  readonly options: () => Pick<RelayOptions, 'ModelFallbacks' | 'SharedObjects'>
}

/** Whether a request names anything that must be looked up first. */
export function refersToKept({ kept }: Pick<Authorised['asked'], 'kept'>): boolean {
  return kept !== undefined && (kept.references.length > 0 || kept.objects.length > 0)
}

/**
 * A request that refers to earlier answers, or names files and other objects at a provider. Answers that were translated are remembered here and take the place of their
 * references. What a provider has kept can only be asked there: the channel is pinned, and its key. What is not this user's, or cannot be
 * reached any more, is refused by the field that names it.
 */
export async function locate(deps: LocateDeps, authorised: Authorised): Promise<Authorised | Refusal> {
  const { asked, identity } = authorised
  const recalled: Recalled[] = []
  const others: Reference[] = []
  for (const reference of asked.kept?.references ?? []) {
    const found = recall(deps.remembered, identity.userId, reference)
    if (found === undefined) others.push(reference)
    else recalled.push(found)
  }
  const objects = (asked.kept?.objects ?? []).filter(({ id }) => !isShared(deps, id))
  const rows = await findKept(deps, idsOf([...others, ...objects]), identity.userId)
  if ('code' in rows) return rows
  const places = new Map(rows.map((row) => [row.id, row]))
  const foreign = refuseForeign(
    deps,
    identity,
    objects.filter(({ id }) => !places.has(id)),
  )
  if (foreign !== undefined) return foreign
  const gone = others.filter(({ id }) => !places.has(id))
  const missing = gone.find(({ id }) => !isToldReasoning(id))
  if (missing !== undefined) {
    return { code: 'response_not_kept', params: { field: missing.field, id: missing.id }, field: missing.field }
  }
  for (const reference of gone) recalled.push({ reference, items: [] })
  const kept = [...others, ...objects].filter(({ id }) => places.has(id))
  const located = pin(deps, authorised, kept, places)
  return 'code' in located || recalled.length === 0 ? located : withRecalled(located, recalled, kept.length > 0)
}

/** Of objects that are not known to be the user's. */
export function refuseForeign(
  deps: Pick<LocateDeps, 'options'>,
  { pinnedChannel }: Pick<Identity, 'pinnedChannel'>,
  objects: readonly Reference[],
): Refusal | undefined {
  const foreign = pinnedChannel === undefined ? objects.find(({ id }) => !isShared(deps, id)) : undefined
  return foreign && refusalOf(foreign)
}

/**
 * Nobody but the provider knows who has made an object, and it knows the channel's account alone. So what was not made through here
 * by this user is refused, unless the operator has said that all may use it; an administrator who names the channel can
 * reach all of its account anyway.
 */
function isShared({ options }: Pick<LocateDeps, 'options'>, id: string): boolean {
  const { SharedObjects: shared } = options()
  return shared.length > 0 && (shared.includes(id) || shared.includes('*'))
}

function refusalOf({ id, field }: Reference): Refusal {
  // Anthropic's clients know the code, and send the whole conversation then.
  const code = field === THREAD ? 'thread_not_found' : 'object_not_kept'
  return { code, params: { field, id }, field }
}

const THREAD = 'thread.previous_message_id'

/** Sends the request to the channel where all of these are kept. */
function pin(
  deps: LocateDeps,
  authorised: Authorised,
  references: readonly Reference[],
  places: ReadonlyMap<string, Pick<KeptResponse, 'channelId' | 'key' | 'model'>>,
): Authorised | Refusal {
  const [first] = references
  if (first === undefined) return authorised
  const { asked, identity } = authorised
  const place = places.get(first.id) ?? NOWHERE
  const { channelId: channel, key } = place
  const stray = references.find(({ id }) => places.get(id)?.channelId !== channel || places.get(id)?.key !== key)
  const model = modelAt(deps, authorised, place)
  if (stray !== undefined || model === undefined) {
    const { field, id } = stray ?? first
    return { code: 'response_out_of_reach', params: { field, id, model: asked.model }, field }
  }
  return { ...authorised, identity: { ...identity, pinnedChannel: channel, pinnedKey: key, pinnedModel: model } }
}

const NOWHERE = { channelId: 0, key: '', model: '' } as const

/** The model that was asked for, else its fallback that made what is kept there; undefined when the channel serves neither. */
function modelAt(
  { routing, options }: LocateDeps,
  { asked, identity }: Authorised,
  { channelId, model }: Pick<KeptResponse, 'channelId' | 'model'>,
): string | undefined {
  const channel = routing().channel(channelId)
  if (serves(channel, asked.model, identity)) return asked.model
  const isFallback = options().ModelFallbacks.get(asked.model)?.includes(model) === true
  const mayUse = isFallback && identity.models?.has(model) !== false
  return mayUse && serves(channel, model, identity) ? model : undefined
}

const idsOf = (references: readonly Reference[]) => references.map(({ id }) => id)

/** As `KeptResponses.find`, with a refusal when the database does not answer. */
export async function findKept(
  { kept, log }: Pick<LocateDeps, 'kept' | 'log'>,
  ids: readonly string[],
  userId: number,
): Promise<readonly KeptResponse[] | Refusal> {
  try {
    return await kept.find(ids, userId)
  } catch (error) {
    log.error({ error }, 'kept responses could not be looked up')
    return { code: 'ledger_unavailable', retryAfter: 1 }
  }
}

const ENABLED = 1

/** As for any call: the channel serves the caller's group and the model, and is not paused. */
function serves(found: FoundChannel | undefined, model: string, { group, pinnedChannel }: Identity): boolean {
  if (found?.route === undefined || found.snapshot.status !== ENABLED || !found.snapshot.models.includes(model)) {
    return false
  }
  const { id, groups, priority } = found.snapshot
  return pinnedChannel === undefined ? groups.includes(group) && priority >= 0 : pinnedChannel === id
}
