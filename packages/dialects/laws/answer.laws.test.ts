import * as fc from 'fast-check'
import { describe, test } from 'vitest'
import {
  type AnswerLaw,
  sameBytesTwice,
  streamIsInOrder,
  streamSaysTheEvents,
  tokensAreReported,
  wholeSaysTheEvents,
} from './answer-laws.ts'
import { type AnswerFeature, answers } from './arbitrary/answers.ts'
import { CLIENT_DIALECTS } from './client-dialects.ts'

const EVERYTHING: ReadonlySet<AnswerFeature> = new Set(['reasoning', 'refusal', 'tools', 'citations'])

describe.each(CLIENT_DIALECTS)('answers in $dialect', (spoken) => {
  const hold = (law: AnswerLaw, features: ReadonlySet<AnswerFeature>) =>
    fc.assert(
      fc.property(answers(features), (answer) => law(spoken, answer)),
      { numRuns: 400 },
    )

  test('round trip: the stream that a client receives says what the events say', () => {
    hold(streamSaysTheEvents, spoken.answers)
  })

  test('fold: a whole answer says what the streamed one says', () => {
    hold(wholeSaysTheEvents, spoken.answers)
  })

  test('order: a stream is in the order that the dialect’s reference states', () => {
    hold(streamIsInOrder, EVERYTHING)
  })

  test('usage: a client receives all tokens that were counted, streamed and whole', () => {
    hold(tokensAreReported, spoken.answers)
  })

  test('purity: the same events are written in the same bytes', () => {
    hold(sameBytesTwice, EVERYTHING)
  })
})
