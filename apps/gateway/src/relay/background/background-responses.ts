import type { Database } from '@sluice/store/database'
import {
  type BackgroundResponse,
  beginBackground,
  cancelBackground,
  endBackground,
  findBackground,
  forgetBackground,
  renewBackground,
} from '@sluice/store/queries/background-responses'

/** Responses generated without a waiting client, stored in the database so that every replica can show and cancel them. */
export interface BackgroundResponses {
  begin(begun: { readonly id: string; readonly userId: number; readonly sealed: string }): Promise<void>
  /** The response with this id, if it belongs to this user. */
  find(id: string, userId: number): Promise<BackgroundResponse | undefined>
  /** Marks these responses as still running in this process; returns those that are still wanted. */
  renew(ids: readonly string[]): Promise<readonly string[]>
  /** Has no effect on a response that was already cancelled or deleted. */
  end(id: string, end: Pick<BackgroundResponse, 'status' | 'sealed' | 'providerId'>): Promise<void>
  cancel(id: string, userId: number): Promise<boolean>
  forget(id: string, userId: number): Promise<boolean>
}

export function createBackgroundResponses(
  { kysely }: Pick<Database, 'kysely'>,
  now: () => number,
): BackgroundResponses {
  return {
    begin: (begun) => beginBackground(kysely, begun, now()),
    find: (id, userId) => findBackground(kysely, id, userId, now()),
    renew: (ids) => renewBackground(kysely, ids, now()),
    end: (id, end) => endBackground(kysely, id, end, now()),
    cancel: (id, userId) => cancelBackground(kysely, id, userId, now()),
    forget: (id, userId) => forgetBackground(kysely, id, userId),
  }
}

/** Whether this gateway issued the id: for a background response or a translated one. */
export function isOwnId(id: string): boolean {
  return /^resp_[0-9a-f]{32}$/.test(id)
}
