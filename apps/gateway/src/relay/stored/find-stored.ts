import { isRefusal, type Refusal } from '@sluice/contract/errors'
import { isTranslatedReasoning } from '@sluice/dialects/openai-responses/output-items'
import type { Reference } from '@sluice/dialects/references'
import type { StoredResponse } from '@sluice/store/queries/stored-responses'
import { CHANNEL_STATUS } from '@sluice/store/statuses'
import type { Log } from '../../process/logger.ts'
import type { BackgroundResponses } from '../background/background-responses.ts'
import { continuedResponse } from '../background/continued-response.ts'
import { isServedBy } from '../caller/served-groups.ts'
import { PREVIOUS } from '../calls/responses.ts'
import type { RelayOptions } from '../relay-options.ts'
import type { FoundChannel, RoutingTable } from '../routing/routing-table.ts'
import type { Authorised } from '../stages/authorised.ts'
import type { Identity } from '../stages/identity.ts'
import type { ResponseCache } from './cached-responses.ts'
import { recall, type Recalled, withRecalled } from './recall.ts'
import type { StoredResponses } from './stored-responses.ts'
import { openSummaries, type Summaries } from './summaries.ts'

export interface FindStoredDeps {
  readonly storedResponses: StoredResponses
  readonly cachedResponses: ResponseCache
  readonly summaries: Summaries
  readonly backgroundResponses: BackgroundResponses
  readonly routing: () => RoutingTable
  readonly log: Log
  readonly options: () => Pick<RelayOptions, 'ModelFallbacks' | 'SharedObjects'>
}

/** Whether a request refers to anything that must be looked up or decrypted first. */
export function refersToStored({ storage, compaction }: Pick<Authorised['parsed'], 'storage' | 'compaction'>): boolean {
  if (compaction !== undefined) return true
  return storage !== undefined && (storage.references.length > 0 || storage.objects.length > 0)
}

export type FindStored = (authorised: Authorised) => Promise<Authorised | Refusal>

/** As `resolve`, but also gives a request for a summary the means to encrypt that summary for this user. */
export async function findStored(deps: FindStoredDeps, authorised: Authorised): Promise<Authorised | Refusal> {
  const continued = await continuedResponse(deps, authorised)
  if (isRefusal(continued)) return continued
  const resolved = await resolve(deps, continued)
  if (isRefusal(resolved)) return resolved
  const { userId } = resolved.identity
  const parsed = resolved.parsed.compaction?.sealing?.((summary) => deps.summaries.seal(userId, summary))
  return parsed === undefined ? resolved : { ...resolved, parsed }
}

/**
 * Resolves a request that refers to earlier answers, or to files and other objects stored at a provider. Translated answers are
 * cached here, and their items replace the references. Objects stored by a provider are only available there, so the channel and
 * its key are pinned. References to objects of other users, or that can no longer be reached, are refused with the name of their
 * field. Summaries that were encrypted here are decrypted.
 */
async function resolve(deps: FindStoredDeps, authorised: Authorised): Promise<Authorised | Refusal> {
  const { parsed, identity } = authorised
  const summaries = openSummaries(deps.summaries, identity.userId, parsed)
  if (isRefusal(summaries)) return summaries
  const recalled: Recalled[] = [...summaries]
  const others: Reference[] = []
  for (const reference of parsed.storage?.references ?? []) {
    const found = await recall(deps.cachedResponses, identity.userId, reference)
    if (found === undefined) others.push(reference)
    else recalled.push(found)
  }
  const objects = (parsed.storage?.objects ?? []).filter(({ id }) => !isShared(deps, id))
  const rows = await lookUpStored(deps, idsOf([...others, ...objects]), identity.userId)
  if (isRefusal(rows)) return rows
  const places = new Map(rows.map((row) => [row.id, row]))
  const foreign = refuseForeign(
    deps,
    identity,
    objects.filter(({ id }) => !places.has(id)),
  )
  if (foreign !== undefined) return foreign
  const gone = others.filter(({ id }) => !places.has(id))
  const missing = gone.find(({ id }) => !isTranslatedReasoning(id))
  if (missing !== undefined) {
    return notKept(authorised.accepted, missing)
  }
  for (const reference of gone) recalled.push({ reference, items: [] })
  const stored = [...others, ...objects].filter(({ id }) => places.has(id))
  const resolved = pin(deps, authorised, stored, places)
  return isRefusal(resolved) || recalled.length === 0 ? resolved : withRecalled(resolved, recalled, stored.length > 0)
}

/** Websocket clients know this code and then send the whole conversation. */
function notKept({ connection }: Authorised['accepted'], { field, id }: Reference): Refusal {
  const isLost = connection !== undefined && field === PREVIOUS
  return { code: isLost ? 'previous_response_not_found' : 'response_not_kept', params: { field, id }, field }
}

export type RefuseForeign = (
  identity: Pick<Identity, 'pinnedChannel'>,
  objects: readonly Reference[],
) => Refusal | undefined

export function refuseForeign(
  deps: Pick<FindStoredDeps, 'options'>,
  { pinnedChannel }: Pick<Identity, 'pinnedChannel'>,
  objects: readonly Reference[],
): Refusal | undefined {
  const foreign = pinnedChannel === undefined ? objects.find(({ id }) => !isShared(deps, id)) : undefined
  return foreign && refusalOf(foreign)
}

/**
 * Only the provider knows who created an object, and it knows only the channel's account. Objects that this user did not create
 * through this gateway are therefore refused, unless the operator shares them with all users; an administrator who selects the
 * channel can access everything in its account anyway.
 */
function isShared({ options }: Pick<FindStoredDeps, 'options'>, id: string): boolean {
  const { SharedObjects: shared } = options()
  return shared.length > 0 && (shared.includes(id) || shared.includes('*'))
}

function refusalOf({ id, field }: Reference): Refusal {
  // Anthropic's clients know this code and then send the whole conversation.
  const code = field === THREAD ? 'thread_not_found' : 'object_not_kept'
  return { code, params: { field, id }, field }
}

const THREAD = 'thread.previous_message_id'

function pin(
  deps: FindStoredDeps,
  authorised: Authorised,
  references: readonly Reference[],
  places: ReadonlyMap<string, Pick<StoredResponse, 'channelId' | 'key' | 'model'>>,
): Authorised | Refusal {
  const [first] = references
  if (first === undefined) return authorised
  const { parsed, identity } = authorised
  const place = places.get(first.id) ?? NOWHERE
  const { channelId: channel, key } = place
  const stray = references.find(({ id }) => places.get(id)?.channelId !== channel || places.get(id)?.key !== key)
  const model = modelAt(deps, authorised, place)
  if (stray !== undefined || model === undefined) {
    const { field, id } = stray ?? first
    return { code: 'response_out_of_reach', params: { field, id, model: parsed.model }, field }
  }
  return { ...authorised, identity: { ...identity, pinnedChannel: channel, pinnedKey: key, pinnedModel: model } }
}

const NOWHERE = { channelId: 0, key: '', model: '' } as const

/** The requested model, otherwise the fallback that created the stored object; undefined if the channel serves neither. */
function modelAt(
  { routing, options }: FindStoredDeps,
  { parsed, identity }: Authorised,
  { channelId, model }: Pick<StoredResponse, 'channelId' | 'model'>,
): string | undefined {
  const channel = routing().channel(channelId)
  if (serves(channel, parsed.model, identity)) return parsed.model
  const isFallback = options().ModelFallbacks.get(parsed.model)?.includes(model) === true
  const mayUse = isFallback && identity.models?.has(model) !== false
  return mayUse && serves(channel, model, identity) ? model : undefined
}

const idsOf = (references: readonly Reference[]) => references.map(({ id }) => id)

/** As `StoredResponses.find`, with a refusal when the database does not answer. */
export async function lookUpStored(
  { storedResponses, log }: Pick<FindStoredDeps, 'storedResponses' | 'log'>,
  ids: readonly string[],
  userId: number,
): Promise<readonly StoredResponse[] | Refusal> {
  try {
    return await storedResponses.find(ids, userId)
  } catch (error) {
    log.error({ error }, 'stored responses could not be looked up')
    return { code: 'ledger_unavailable', retryAfter: 1 }
  }
}

/** The rule of any call: the channel serves one of the caller's groups and the model, and is not paused. */
function serves(found: FoundChannel | undefined, model: string, identity: Identity): boolean {
  if (
    found?.route === undefined ||
    found.snapshot.status !== CHANNEL_STATUS.enabled ||
    !found.snapshot.models.includes(model)
  ) {
    return false
  }
  const { id, groups, priority } = found.snapshot
  const { pinnedChannel } = identity
  return pinnedChannel === undefined ? isServedBy(identity, groups) && priority >= 0 : pinnedChannel === id
}
