import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { geminiClientCodec } from '../src/gemini/codec.ts'
import { answers } from './arbitrary/answers.ts'
import { framesOf, streamOf } from './views.ts'

test('a stream as one JSON list holds the messages that its events hold', () => {
  fc.assert(
    fc.property(answers(new Set(['reasoning', 'refusal', 'tools', 'citations'])), ({ events, counts }) => {
      const list = new TextDecoder().decode(streamOf(geminiClientCodec('json-array'), events, counts))
      const frames = framesOf(streamOf(geminiClientCodec('sse'), events, counts))
      expect(JSON.parse(list)).toStrictEqual(frames.map(({ data }) => JSON.parse(data) as unknown))
    }),
    { numRuns: 300 },
  )
})
