import type { Delivered } from '../deliver.ts'
import type { RelayLog } from '../record.ts'
import type { KeptResponses } from './kept-responses.ts'
import { rememberable } from './remember-answer.ts'
import type { RememberedResponses } from './remembered-responses.ts'

export interface KeepDeps {
  readonly kept: KeptResponses
  readonly remembered: RememberedResponses
  readonly log: RelayLog
}

/** Longer ids are not looked up either. */
const ID_LIMIT = 256
/** What of one answer can be referred to; the answer itself comes first. */
const IDS_LIMIT = 500

/** Nearly all answers leave nothing that can be referred to. */
export function keepsSomething({ asked, plain, call }: Pick<Delivered, 'asked' | 'plain' | 'call'>): boolean {
  const objects = plain?.answer.objects ?? call.stream?.objects
  return asked.kept?.isKept === true || (objects !== undefined && objects.length > 0)
}

/**
 * Writes down what the provider keeps of an answer; of one that was translated, which nobody keeps, this process remembers the
 * whole. Between delivering and settling: the client gets the last bytes after that,
 * so its next call finds what this one left. Where it fails, only referring to this answer does.
 */
export async function keepAnswer({ kept, remembered, log }: KeepDeps, delivered: Delivered): Promise<void> {
  const { accepted, asked, identity, candidate, ending, plain, call } = delivered
  if (ending !== 'complete') return
  const answer = plain?.answer ?? call.stream
  const isKept = asked.kept?.isKept === true
  if (isKept && answer?.ids === undefined) {
    const response = rememberable(delivered)
    if (response !== undefined) remembered.remember(identity.userId, response)
    return
  }
  const told = [...(isKept ? (answer?.ids ?? []) : []), ...(answer?.objects ?? [])]
  const ids = told.filter(({ length }) => length <= ID_LIMIT)
  if (ids.length === 0) return
  const { model, route } = candidate
  const owner = { userId: identity.userId, channelId: route.channel.id, key: route.key.fingerprint, model }
  try {
    await kept.keep(ids.slice(0, IDS_LIMIT), owner)
  } catch (error) {
    log.error({ error, requestId: accepted.id }, 'a response could not be remembered')
  }
}
