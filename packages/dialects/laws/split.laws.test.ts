import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { recordedStreams } from '../../../tests/recorded/answers/read.ts'
import { openSseFrames } from '../src/framing/frames.ts'
import { openTranslatedStream } from '../src/framing/translated-stream.ts'
import { cut, sse } from './arbitrary/event-bytes.ts'
import { harmedStreams } from './arbitrary/hostile.ts'
import { CLIENT_DIALECTS } from './client-dialects.ts'
import { SSE_CODECS } from './codecs.ts'
import { CONTEXT, framesOf, joined } from './views.ts'

const pairs = SSE_CODECS.flatMap((upstream) =>
  CLIENT_DIALECTS.map(({ client, order }) => ({
    from: upstream.dialect,
    to: client.dialect,
    upstream,
    client,
    order,
  })),
)

describe.each(pairs)('a stream of $from for a client of $to', ({ from, upstream, client, order }) => {
  const relay = (chunks: readonly Uint8Array[]) => {
    const stream = openTranslatedStream(openSseFrames(), upstream.openDecoder(), client.openEncoder(CONTEXT))
    const sent = chunks.flatMap((chunk) => [...stream.push(chunk)])
    const { outcome, forward } = stream.end()
    const { report, error } = stream
    return { text: new TextDecoder().decode(joined([...sent, ...forward, stream.terminal])), outcome, report, error }
  }

  test('whatever the provider does, an answer that counts as complete is a proper stream', () => {
    fc.assert(
      fc.property(harmedStreams(recordedStreams(from)), (frames) => {
        const bytes = new TextEncoder().encode(frames.map(sse).join(''))
        const { text, outcome } = relay([bytes])
        if (outcome === 'complete') expect(order(framesOf(new TextEncoder().encode(text)))).toBeUndefined()
      }),
      { numRuns: 300 },
    )
  })

  test('split: any cut of the same bytes gives the same answer', () => {
    fc.assert(
      fc.property(harmedStreams(recordedStreams(from)), fc.array(fc.nat(), { maxLength: 8 }), (frames, places) => {
        const bytes = new TextEncoder().encode(frames.map(sse).join(''))
        expect(relay(cut(bytes, places))).toStrictEqual(relay([bytes]))
      }),
      { numRuns: 150 },
    )
  })
})
