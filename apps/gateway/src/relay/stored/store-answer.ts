import type { Log } from '../../process/logger.ts'
import type { Delivered } from '../stages/delivered.ts'
import { answeredResponse, cacheable } from './cache-answer.ts'
import type { ResponseCache } from './cached-responses.ts'
import type { StoredResponses } from './stored-responses.ts'

export interface StoreAnswerDeps {
  readonly storedResponses: StoredResponses
  readonly cachedResponses: ResponseCache
  readonly log: Log
}

/** Longer ids are not looked up either. */
const ID_LIMIT = 256
/** Maximum ids of one answer that can be referred to, including the answer's own, which comes first. */
const IDS_LIMIT = 500

/** False for nearly all answers, because nothing in them can be referred to. */
export function storesAnswer({
  accepted,
  parsed,
  plain,
  call,
}: Pick<Delivered, 'accepted' | 'parsed' | 'plain' | 'call'>): boolean {
  if (accepted.connection !== undefined) return true
  const objects = plain?.answer.objects ?? call.stream?.objects
  return parsed.storage?.isStored === true || (objects !== undefined && objects.length > 0)
}

/**
 * Records what the provider stores of an answer. A translated answer, which no provider stores, is cached whole by this process; on
 * a websocket, the connection keeps whatever no provider stores. Runs between delivery and settlement: the client gets the last
 * bytes only afterwards, so its next call finds what this one stored. If it fails, only references to this answer fail.
 */
export async function storeAnswer(
  { storedResponses, cachedResponses, log }: StoreAnswerDeps,
  delivered: Delivered,
): Promise<void> {
  const { accepted, parsed, identity, candidate, outcome, plain, call } = delivered
  if (outcome.ending !== 'complete') return
  accepted.connection?.succeed()
  const answer = plain?.answer ?? call.stream
  const isStored = parsed.storage?.isStored === true
  const { connection } = accepted
  if (connection !== undefined && !(isStored && answer?.ids !== undefined)) {
    const answered = answeredResponse(delivered)
    if (answered !== undefined) connection.remember(answered)
  }
  if (isStored && answer?.ids === undefined) {
    const response = cacheable(delivered)
    if (response !== undefined) cachedResponses.remember(identity.userId, response)
    return
  }
  const translated = [...(isStored ? (answer?.ids ?? []) : []), ...(answer?.objects ?? [])]
  const ids = translated.filter(({ length }) => length <= ID_LIMIT)
  if (ids.length === 0) return
  const { model, route } = candidate
  const owner = { userId: identity.userId, channelId: route.channel.id, key: route.key.fingerprint, model }
  try {
    await storedResponses.keep(ids.slice(0, IDS_LIMIT), owner)
  } catch (error) {
    log.error({ error, requestId: accepted.id }, 'a response could not be recorded')
  }
}
