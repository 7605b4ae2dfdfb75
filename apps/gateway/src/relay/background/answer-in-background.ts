import { setTimeout as delay } from 'node:timers/promises'
import { isRefusal, type Refusal } from '@sluice/contract/errors'
import { isBodyRefusal } from '@sluice/dialects/body-refusal'
import type { JsonObject } from '@sluice/dialects/json-value'
import { pendingResponse } from '@sluice/dialects/openai-responses/background/pending-response'
import type { Vault } from '@sluice/store/vault'
import type { Detached } from '../../edge/detach.ts'
import type { Log } from '../../process/logger.ts'
import { rateLimited } from '../caller/limits/limit.ts'
import { readResponses } from '../calls/responses.ts'
import { showJson } from '../client/show-json.ts'
import type { Authorised } from '../stages/authorised.ts'
import { type BackgroundEnd, endOf } from './background-answer.ts'
import type { BackgroundResponses } from './background-responses.ts'
import { type BackgroundRuns, RUNS_OF_USER } from './background-runs.ts'

/** Pauses between attempts to store a response that the database refused: it has been charged, and there is no other copy. */
const STORE_AGAIN_MS = [1_000, 5_000, 15_000, 60_000] as const

export interface BackgroundDeps {
  readonly backgroundResponses: BackgroundResponses
  readonly backgroundRuns: BackgroundRuns
  readonly vault: Pick<Vault, 'seal' | 'open'>
  readonly log: Log
}

/** The stages that a background request shares with all others. */
export interface BackgroundStages<Held> {
  /** The stages up to the hold, which is in place when this resolves. */
  hold(authorised: Authorised): Promise<Held | Refusal>
  /** Releases the hold of a request that will not be sent after all. */
  giveBack(held: Held): Promise<void>
  serve(held: Held): Promise<unknown>
}

/**
 * Sends the client the response's id, then generates the response without the client. The gateway does this for all providers, so
 * the response is charged by its actual size and can always be fetched and cancelled.
 */
export async function answerInBackground<Held extends object>(
  deps: BackgroundDeps,
  authorised: Authorised,
  stages: BackgroundStages<Held>,
): Promise<Refusal | undefined> {
  const { accepted, identity } = authorised
  const { backgroundRuns: runs } = deps
  if (!runs.take(identity.userId)) return rateLimited(`${RUNS_OF_USER} concurrent background responses`, 1_000)
  const detached = accepted.detach()
  const pending = pendingResponse(authorised.body, `resp_${accepted.id}`, Math.floor(accepted.received / 1_000))
  const id = String(pending['id'])
  const end = () => {
    runs.remove(id)
    runs.giveBack(identity.userId)
    detached.end()
  }
  try {
    const held = await begin(deps, authorised, { detached, pending }, stages)
    accepted.replyHeaders.push(...detached.accepted.replyHeaders)
    if (isRefusal(held)) {
      end()
      return held
    }
    runs.add(id, () => detached.stop())
    void make(deps, { detached, pending }, () => stages.serve(held)).finally(end)
    return showJson(accepted, pending)
  } catch (error) {
    end()
    throw error
  }
}

interface Begun {
  readonly detached: Detached
  readonly pending: JsonObject
}

async function begin<Held extends object>(
  { backgroundResponses, vault, log }: BackgroundDeps,
  authorised: Authorised,
  { detached, pending }: Begun,
  stages: BackgroundStages<Held>,
): Promise<Held | Refusal> {
  const { accepted, identity } = authorised
  const foreground = inForeground(authorised)
  if (isRefusal(foreground)) return foreground
  const held = await stages.hold({ ...foreground, accepted: detached.accepted })
  if (isRefusal(held)) return held
  const sealed = vault.seal('background_response', JSON.stringify(pending))
  try {
    // A client that has left would not learn the id.
    if (!accepted.signal.aborted) {
      await backgroundResponses.begin({ id: String(pending['id']), userId: identity.userId, sealed })
      return held
    }
  } catch (error) {
    log.error({ error, requestId: accepted.id }, 'a background response could not be started')
  }
  await stages.giveBack(held)
  return { code: accepted.signal.aborted ? 'shutting_down' : 'ledger_unavailable', retryAfter: 1 }
}

/** The same request as if its client were waiting. */
function inForeground(authorised: Authorised): Authorised | Refusal {
  const chunks = authorised.parsed.foreground?.(authorised.body) ?? [authorised.body]
  const body = Buffer.concat(chunks)
  const parsed = readResponses(body)
  return isBodyRefusal(parsed) ? parsed : { ...authorised, body, parsed }
}

/** Never rejects. */
async function make(
  { backgroundResponses, vault, log }: BackgroundDeps,
  { detached: { reply, accepted }, pending }: Begun,
  serve: () => Promise<unknown>,
): Promise<void> {
  try {
    await serve()
  } catch (error) {
    log.error({ error, requestId: accepted.id }, 'a background response failed unexpectedly')
  }
  const id = String(pending['id'])
  const { status, text, providerId } = wasStopped(reply) ? cancelled(pending) : endOf(pending, reply.ending)
  const sealed = vault.seal('background_response', text)
  for (const pause of [...STORE_AGAIN_MS, undefined]) {
    try {
      return await backgroundResponses.end(id, { status, providerId, sealed })
    } catch (error) {
      log.error({ error, requestId: accepted.id, againInMs: pause }, 'a background response could not be stored')
    }
    if (pause !== undefined) await delay(pause, undefined, { ref: false })
  }
}

const wasStopped = (reply: Detached['reply']) => reply.destroyed && reply.ending.length === 0

function cancelled(pending: JsonObject): BackgroundEnd {
  return { status: 'cancelled', text: JSON.stringify({ ...pending, status: 'cancelled' }), providerId: '' }
}
