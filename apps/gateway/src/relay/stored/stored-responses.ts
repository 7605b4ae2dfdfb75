import type { Database } from '@sluice/store/database'
import {
  findStoredResponses,
  forgetResponse,
  storeResponses,
  type StoredResponse,
} from '@sluice/store/queries/stored-responses'

/**
 * The owners of responses stored by providers, with the channels and keys that lead to them. A provider cannot distinguish users,
 * because every user's calls reach it under the channel's keys (class S11).
 */
export interface StoredResponses {
  keep(ids: readonly string[], owner: Omit<StoredResponse, 'id'>): Promise<void>
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
