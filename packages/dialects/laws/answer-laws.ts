import { expect } from 'vitest'
import { type CanonReply, fold } from '../src/canon/reply.ts'
import type { TokenCounts } from '../src/token-counts.ts'
import type { GeneratedAnswer } from './arbitrary/answers.ts'
import type { ClientDialect } from './client-dialects.ts'
import { freeze } from './freeze.ts'
import { CONTEXT, eventsOf, framesOf, streamOf, viewOf } from './views.ts'
import { faultOf } from './well-formed.ts'

/** Throws what vitest shows when the law is broken. */
export type AnswerLaw = (spoken: ClientDialect, answer: GeneratedAnswer) => void

const view = ({ client, gathered }: ClientDialect, reply: CanonReply) => viewOf(reply, client.dialect, gathered)

export const streamSaysTheEvents: AnswerLaw = (spoken, { events, counts }) => {
  const heard = eventsOf(spoken.upstream.openDecoder(), framesOf(streamOf(spoken.client, events, counts)))
  expect(faultOf(heard, true)).toBeUndefined()
  expect(view(spoken, fold(heard))).toStrictEqual(view(spoken, fold(events)))
}

export const wholeSaysTheEvents: AnswerLaw = (spoken, { events }) => {
  const reply = freeze(spoken.client.encodeReply(freeze(fold(events)), CONTEXT))
  expect(view(spoken, fold(spoken.upstream.decodeReply(reply)))).toStrictEqual(view(spoken, fold(events)))
}

export const streamIsInOrder: AnswerLaw = ({ client, order }, { events, counts }) => {
  expect(order(framesOf(streamOf(client, events, counts)))).toBeUndefined()
}

export const tokensAreReported: AnswerLaw = ({ client, upstream }, { events, counts }) => {
  if (counts === undefined) return
  const streamed = fold(eventsOf(upstream.openDecoder(), framesOf(streamOf(client, events, counts))))
  const whole = fold(upstream.decodeReply(client.encodeReply(fold(events), CONTEXT)))
  for (const { usage } of [streamed, whole]) expect(totals(usage?.counts)).toStrictEqual(totals(counts))
}

export const sameBytesTwice: AnswerLaw = ({ client }, { events, counts }) => {
  expect(streamOf(client, events, counts)).toStrictEqual(streamOf(client, events, counts))
}

/** Totals that every dialect can report: some report several classes of prompt tokens as one. */
function totals(counts: TokenCounts | undefined): object | undefined {
  if (counts === undefined) return undefined
  const { input, cachedInput, cacheWrite5m, cacheWrite1h, output, reasoning } = counts
  return { prompt: input + cachedInput + cacheWrite5m + cacheWrite1h, cachedInput, output, reasoning }
}
