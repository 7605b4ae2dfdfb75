import type { Delivered } from '../deliver.ts'
import type { RelayLog } from '../record.ts'
import type { KeptResponses } from './kept-responses.ts'

export interface KeepDeps {
  readonly kept: KeptResponses
  readonly log: RelayLog
}

/** Longer ids are not looked up either. */
const ID_LIMIT = 256
/** Items of one answer that can be referred to; the response itself comes first. */
const IDS_LIMIT = 500

/**
 * Remembers what the provider keeps of an answer. Between delivering and settling: the client gets the last bytes after that,
 * so its next call finds what this one left. Where it fails, only referring to this answer does.
 */
export async function keepAnswer({ kept, log }: KeepDeps, delivered: Delivered): Promise<void> {
  const { accepted, asked, identity, candidate, ending, plain, call } = delivered
  if (asked.kept?.isKept !== true || ending !== 'complete') return
  const ids = (plain?.answer.ids ?? call.stream?.ids ?? []).filter(({ length }) => length <= ID_LIMIT)
  if (ids.length === 0) return
  const owner = { userId: identity.userId, channelId: candidate.route.channel.id, model: asked.model }
  try {
    await kept.keep(ids.slice(0, IDS_LIMIT), owner)
  } catch (error) {
    log.error({ error, requestId: accepted.id }, 'a response could not be remembered')
  }
}
