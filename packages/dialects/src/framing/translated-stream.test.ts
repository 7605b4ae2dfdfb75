import { expect, test } from 'vitest'
import type { AnswerContext } from '../canon/codec.ts'
import { chatUpstreamCodec } from '../openai-chat/codec.ts'
import { responsesClientCodec } from '../openai-responses/codec.ts'
import { openSseFrames } from './frames.ts'
import { openTranslatedStream } from './translated-stream.ts'

const CONTEXT: AnswerContext = {
  request: {
    model: 'm',
    stream: true,
    system: [],
    turns: [],
    tools: [],
    builtins: [],
    sampling: {},
    extra: { dialect: 'openai-responses', fields: {} },
  },
  idSeed: 's',
  created: 0,
  now: () => 8,
  promptEstimate: 0,
  wantsUsage: true,
}

test('an answer without end is broken off before it fills the memory of an encoder that repeats it', () => {
  const stream = openTranslatedStream(
    openSseFrames(),
    chatUpstreamCodec.openDecoder(),
    responsesClientCodec.openEncoder(CONTEXT),
  )
  const chunk = new TextEncoder().encode(
    `data: ${JSON.stringify({ id: 'a', choices: [{ index: 0, delta: { content: 'x'.repeat(1024 * 1024) } }] })}\n\n`,
  )
  let pushed = 0
  while (stream.state === 'open' && pushed < 100) {
    stream.push(chunk)
    pushed += 1
  }
  expect([stream.state, pushed]).toEqual(['too_large', 64])
  expect(stream.end()).toMatchObject({ outcome: 'broken', reason: 'it exceeds 67108864 characters' })
})
