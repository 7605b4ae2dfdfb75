import type { Database } from '@sluice/store/database'
import {
  findStoredResponses,
  forgetResponse,
  storeResponses,
  type StoredResponse,
} from '@sluice/store/queries/stored-responses'

/**
 * What is known of the responses that providers store: whose they are, and which channel leads to them, with which of its keys.
 * Every user's calls reach a provider under the channel's keys, so it cannot distinguish users (class S11).
 */
export interface StoredResponses {
  keep(ids: readonly string[], owner: Omit<StoredResponse, 'id'>): Promise<void>
  /** Those that are stored for this user. */
  find(ids: readonly string[], userId: number): Promise<readonly StoredResponse[]>
  forget(id: string): Promise<void>
}

export function createStoredResponses({ kysely }: Pick<Database, 'kysely'>, now: () => number): StoredResponses {
  return {
    keep: (ids, owner) => storeResponses(kysely, ids, owner, now()),
    find: (ids, userId) => findStoredResponses(kysely, ids, userId),
    forget: (id) => forgetResponse(kysely, id),
  }
}
