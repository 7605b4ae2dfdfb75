import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fold } from '../src/canon/reply.ts'
import type { TokenCounts } from '../src/token-counts.ts'
import { answers } from './arbitrary/answers.ts'
import { CLIENT_DIALECTS } from './client-dialects.ts'
import { freeze } from './freeze.ts'
import { CONTEXT, eventsOf, framesOf, streamOf, viewOf } from './views.ts'
import { faultOf } from './well-formed.ts'

const RUNS = { numRuns: 400 }

describe.each(CLIENT_DIALECTS)('answers in $dialect', ({ client, upstream, order, gathered, answers: features }) => {
  const view = (events: Parameters<typeof fold>[0]) => viewOf(fold(events), client.dialect, gathered)

  test('round trip: what a client is streamed says what the events say', () => {
    fc.assert(
      fc.property(answers(features), ({ events, counts }) => {
        const heard = eventsOf(upstream.openDecoder(), framesOf(streamOf(client, events, counts)))
        expect(faultOf(heard, true)).toBeUndefined()
        expect(view(heard)).toStrictEqual(view(events))
      }),
      RUNS,
    )
  })

  test('fold: a whole answer says what the streamed one says', () => {
    fc.assert(
      fc.property(answers(features), ({ events }) => {
        const reply = freeze(client.encodeReply(freeze(fold(events)), CONTEXT))
        expect(view(upstream.decodeReply(reply))).toStrictEqual(view(events))
      }),
      RUNS,
    )
  })

  test('order: a stream is in the order that the dialect’s reference states', () => {
    fc.assert(
      fc.property(answers(new Set(['reasoning', 'refusal', 'tools', 'citations'])), ({ events, counts }) => {
        expect(order(framesOf(streamOf(client, events, counts)))).toBeUndefined()
      }),
      RUNS,
    )
  })

  test('usage: a client is told all tokens that were counted, streamed and whole', () => {
    fc.assert(
      fc.property(answers(features), ({ events, counts }) => {
        const streamed = fold(eventsOf(upstream.openDecoder(), framesOf(streamOf(client, events, counts))))
        const whole = fold(upstream.decodeReply(client.encodeReply(fold(events), CONTEXT)))
        for (const { usage } of [streamed, whole]) {
          if (counts !== undefined) expect(totals(usage?.counts)).toStrictEqual(totals(counts))
        }
      }),
      RUNS,
    )
  })

  test('purity: the same events are told in the same bytes', () => {
    fc.assert(
      fc.property(answers(new Set(['reasoning', 'refusal', 'tools', 'citations'])), ({ events, counts }) => {
        expect(streamOf(client, events, counts)).toStrictEqual(streamOf(client, events, counts))
      }),
      RUNS,
    )
  })
})

/** What every dialect can tell: no class of the prompt's tokens is lost, though some dialects tell them as one. */
function totals(counts: TokenCounts | undefined): object | undefined {
  if (counts === undefined) return undefined
  const { input, cachedInput, cacheWrite5m, cacheWrite1h, output, reasoning } = counts
  return { prompt: input + cachedInput + cacheWrite5m + cacheWrite1h, cachedInput, output, reasoning }
}
