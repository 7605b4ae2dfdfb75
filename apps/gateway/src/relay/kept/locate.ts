import type { Refusal } from '@sluice/contract/errors'
import type { KeptResponse } from '@sluice/store/queries/kept-responses'
import type { Authorised, Identity } from '../authenticate.ts'
import type { RelayLog } from '../record.ts'
import type { FoundChannel, RoutingTable } from '../routing-table.ts'
import type { KeptResponses } from './kept-responses.ts'

export interface LocateDeps {
  readonly kept: KeptResponses
  readonly routing: () => RoutingTable
  readonly log: RelayLog
}

/**
 * A request that refers to what a provider has kept can only be asked there: the channel is pinned. What is not this user's, or
 * cannot be reached any more, is refused by the field that names it.
 */
export async function locate(deps: LocateDeps, authorised: Authorised): Promise<Authorised | Refusal> {
  const { asked, identity } = authorised
  const references = asked.kept?.references ?? []
  const [first] = references
  if (first === undefined) return authorised
  const ids = references.map(({ id }) => id)
  const found = await findKept(deps, ids, identity.userId)
  if ('code' in found) return found
  const byId = new Map(found.map((row) => [row.id, row]))
  const missing = references.find(({ id }) => !byId.has(id))
  if (missing !== undefined) {
    return { code: 'response_not_kept', params: { field: missing.field, id: missing.id }, field: missing.field }
  }
  const channel = byId.get(first.id)?.channelId ?? 0
  const stray = references.find(({ id }) => byId.get(id)?.channelId !== channel)
  if (stray !== undefined || !serves(deps.routing().channel(channel), asked.model, identity)) {
    const { field, id } = stray ?? first
    return { code: 'response_out_of_reach', params: { field, id, model: asked.model }, field }
  }
  return { ...authorised, identity: { ...identity, pinnedChannel: channel } }
}

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
