import type { Database } from '@sluice/store/database'
import {
  findKeptResponses,
  forgetResponse,
  keepResponses,
  type KeptResponse,
} from '@sluice/store/queries/kept-responses'

/**
 * What is known of the responses that providers keep: whose they are, and which channel leads to them, with which of its
 * keys. Every user's calls reach a provider under the channel's keys, so it cannot tell users apart (class S11).
 */
export interface KeptResponses {
  keep(ids: readonly string[], owner: Omit<KeptResponse, 'id'>): Promise<void>
  /** Those that are kept for this user. */
  find(ids: readonly string[], userId: number): Promise<readonly KeptResponse[]>
  forget(id: string): Promise<void>
}

export function openKeptResponses({ kysely }: Pick<Database, 'kysely'>, now: () => number): KeptResponses {
  return {
    keep: (ids, owner) => keepResponses(kysely, ids, owner, now()),
    find: (ids, userId) => findKeptResponses(kysely, ids, userId),
    forget: (id) => forgetResponse(kysely, id),
  }
}
