import { isRefusal, type Refusal } from '@sluice/contract/errors'
import type { BackgroundResponse } from '@sluice/store/queries/background-responses'
import type { Accepted } from '../../edge/exchange.ts'
import { showJson } from '../client/show-json.ts'
import type { StoredTarget } from '../endpoints/targets.ts'
import type { BackgroundDeps } from './answer-in-background.ts'
import { shown } from './background-answer.ts'
import { isOwnId } from './background-responses.ts'

export interface WantedBackground {
  readonly identity: { readonly userId: number }
  readonly target: StoredTarget
  readonly method: string
}

export async function lookUpBackground(
  { backgroundResponses, log }: Pick<BackgroundDeps, 'backgroundResponses' | 'log'>,
  id: string,
  userId: number,
): Promise<BackgroundResponse | Refusal | undefined> {
  if (!isOwnId(id)) return undefined
  try {
    return await backgroundResponses.find(id, userId)
  } catch (error) {
    log.error({ error }, 'a background response could not be looked up')
    return { code: 'ledger_unavailable', retryAfter: 1 }
  }
}

/** Cancelling a finished response has no effect. Input items cannot be listed, because they have no ids. */
export async function serveBackground(
  deps: BackgroundDeps,
  accepted: Accepted,
  { identity: { userId }, target: { id, rest }, method }: WantedBackground,
  found: BackgroundResponse,
): Promise<Refusal | undefined> {
  if (rest === '/input_items') return { code: 'not_implemented', params: { path: accepted.path } }
  if (method === 'GET') return show(deps, accepted, userId, found)
  const { backgroundResponses, backgroundRuns } = deps
  if (method === 'DELETE') {
    await backgroundResponses.forget(id, userId)
    backgroundRuns.stop(id)
    return showJson(accepted, { id, object: 'response', deleted: true })
  }
  if (await backgroundResponses.cancel(id, userId)) backgroundRuns.stop(id)
  const now = await lookUpBackground(deps, id, userId)
  return now !== undefined && isRefusal(now) ? now : show(deps, accepted, userId, now)
}

function show(
  { vault }: BackgroundDeps,
  accepted: Accepted,
  userId: number,
  found: BackgroundResponse | undefined,
): Refusal | undefined {
  const opened = found && vault.open('background_response', found.sealed)
  if (found === undefined || opened?.ok !== true) return { code: 'response_missing', params: { id: found?.id ?? '' } }
  return showJson(accepted, Buffer.from(shown(found, opened.text)), { userId })
}
