import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AnswerEvent } from '../src/canon/events.ts'
import { fold } from '../src/canon/reply.ts'
import { chatClientCodec, thinkTagsUpstreamCodec } from '../src/openai-chat/codec.ts'
import { piece } from './arbitrary/words.ts'
import { eventsOf, framesOf, streamOf } from './views.ts'
import { faultOf } from './well-formed.ts'

const said = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => `x${pieces.join('')}x`)

/** An answer of text only, cut at the given places. */
function spoken(text: string, places: readonly number[]): readonly AnswerEvent[] {
  const ends = [...places.map((place) => place % (text.length + 1)), text.length].toSorted((a, b) => a - b)
  const pieces = ends.map((end, at) => text.slice(ends[at - 1] ?? 0, end))
  return [
    { type: 'start', id: 'a', model: 'm' },
    ...pieces.map((delta): AnswerEvent => ({ type: 'text', block: 0, delta })),
    { type: 'block-end', block: 0 },
    { type: 'finish', reason: 'stop', raw: 'stop' },
  ]
}

test('thoughts in tags are separated from the answer, wherever the tags are cut', () => {
  fc.assert(
    fc.property(said, said, fc.array(fc.nat(), { maxLength: 8 }), (thought, answer, places) => {
      const stream = streamOf(chatClientCodec, spoken(`<think>${thought}</think>${answer}`, places), undefined)
      const events = eventsOf(thinkTagsUpstreamCodec.openDecoder(), framesOf(stream))
      expect(faultOf(events, true)).toBeUndefined()
      expect(fold(events).blocks).toMatchObject([
        { kind: 'reasoning', text: thought },
        { kind: 'text', text: answer },
      ])
    }),
    { numRuns: 500 },
  )
})

test('an answer that does not begin with a tag is left alone', () => {
  fc.assert(
    fc.property(said, fc.array(fc.nat(), { maxLength: 8 }), (answer, places) => {
      const text = `${answer}<think>not now</think>`
      const stream = streamOf(chatClientCodec, spoken(text, places), undefined)
      const { blocks } = fold(eventsOf(thinkTagsUpstreamCodec.openDecoder(), framesOf(stream)))
      expect(blocks).toMatchObject([{ kind: 'text', text }])
    }),
    { numRuns: 300 },
  )
})
