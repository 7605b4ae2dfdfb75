import type { AnswerContext, AnswerDecoder, Frame } from '../codec.ts'
import type { AnswerEvent } from '../events.ts'
import { UniqueIds } from './call-ids.ts'

type Conversation = Pick<AnswerContext, 'request' | 'idSeed'>

/** Some providers give no call ids, others restart numbering with each answer; clients match results to calls only by the id. */
export function withUniqueCallIds(decoder: AnswerDecoder, conversation: Conversation): AnswerDecoder {
  const ids = new AnswerIds(conversation)
  return {
    push: (frame: Frame) => ids.applied(decoder.push(frame)),
    end: () => ids.applied(decoder.end()),
  }
}

/** As `withUniqueCallIds`, for a whole reply. */
export function uniqueCallIds(events: readonly AnswerEvent[], conversation: Conversation): readonly AnswerEvent[] {
  return new AnswerIds(conversation).applied(events)
}

class AnswerIds {
  readonly #conversation: Conversation
  /** Ids of all calls so far; collected when the answer makes its first call. */
  #ids: UniqueIds | undefined

  constructor(conversation: Conversation) {
    this.#conversation = conversation
  }

  applied(events: readonly AnswerEvent[]): readonly AnswerEvent[] {
    if (events.every(({ type }) => type !== 'tool-start')) return events
    return events.map((event) => {
      if (event.type !== 'tool-start') return event
      this.#ids ??= this.#known()
      return { ...event, id: this.#ids.newOf(event.id || `call_${this.#conversation.idSeed}_${event.block}`) }
    })
  }

  #known(): UniqueIds {
    const ids = new UniqueIds(undefined)
    for (const { parts } of this.#conversation.request.turns)
      for (const part of parts) if (part.kind === 'tool-call') ids.newOf(part.id)
    return ids
  }
}
