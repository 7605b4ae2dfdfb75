import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { recordedAnswers, recordedStreams } from '../../../tests/recorded/answers/read.ts'
import type { AnswerEvent } from '../src/canon/events.ts'
import { asObject, type JsonObject, parseJson } from '../src/json-value.ts'
import { harmedStreams, harmedValues } from './arbitrary/hostile.ts'
import { RECORDED_CODECS } from './codecs.ts'
import { freeze } from './freeze.ts'
import { eventsOf } from './views.ts'
import { faultOf } from './well-formed.ts'

/** Inputs per dialect; `SLUICE_HOSTILE=1000000` for the long run. */
const INPUTS = Number(process.env['SLUICE_HOSTILE'] ?? 2_000)
const STREAMS = { numRuns: Math.ceil(INPUTS / 2) }
const REPLIES = { numRuns: Math.ceil(INPUTS / 2) }
const LONG = { timeout: 60_000 + INPUTS * 5 }

const streaming = RECORDED_CODECS.filter(({ recordedAs }) => recordedStreams(recordedAs).length > 0)

describe.each(streaming)('hostile streams of $name', ({ recordedAs, codec }) => {
  test('whatever a stream holds becomes events in order, the same when read again, and nothing is thrown', LONG, () => {
    fc.assert(
      fc.property(harmedStreams(recordedStreams(recordedAs)), (frames) => {
        freeze(frames)
        const events = eventsOf(codec.openDecoder(), frames)
        expect(faultOf(events, false)).toBeUndefined()
        expectBelievable(events)
        expect(JSON.stringify(eventsOf(codec.openDecoder(), frames))).toBe(JSON.stringify(events))
      }),
      STREAMS,
    )
  })
})

describe.each(RECORDED_CODECS)('hostile replies of $name', ({ recordedAs, codec }) => {
  test('whatever a whole reply holds becomes events in order, and nothing is thrown', LONG, () => {
    fc.assert(
      fc.property(harmedValues(replies(recordedAs)), (reply) => {
        freeze(reply)
        const events = codec.decodeReply(reply)
        expect(faultOf(events, false)).toBeUndefined()
        expectBelievable(events)
      }),
      REPLIES,
    )
  })
})

/** Whole replies of the dialect and messages of its streams: some providers send those instead of a reply. */
function replies(recordedAs: string): readonly JsonObject[] {
  return recordedAnswers(recordedAs)
    .flatMap((answer) =>
      'reply' in answer ? [answer.reply] : answer.frames.map(({ data }) => asObject(parseJson(data))),
    )
    .filter((reply) => reply !== undefined)
}

function expectBelievable(events: readonly AnswerEvent[]): void {
  for (const event of events) {
    if ('delta' in event) expect(typeof event.delta).toBe('string')
    if (event.type === 'error') expect(event.error.message).not.toBe('')
    if (event.type !== 'usage') continue
    const { units = {}, ...tokens } = event.report.counts ?? {}
    for (const count of [...Object.values(tokens), ...Object.values(units)]) {
      expect(Number.isSafeInteger(count) && count >= 0).toBe(true)
    }
  }
}
