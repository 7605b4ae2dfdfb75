import { expect, it } from 'vitest'
import { fold } from '../canon/reply.ts'
import type { CanonRequest } from '../canon/request.ts'
import { libraryUpstreamCodec } from './library-ask.ts'

const ASKED: CanonRequest = {
  model: 'gpt-4o',
  stream: true,
  system: [],
  turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Where?' }] }],
  tools: [],
  builtins: [],
  sampling: {},
  extra: { dialect: 'openai-chat', fields: {} },
}

it('sends the last question', () => {
  const target = { model: 'gpt-4o', stream: true, takes: {}, defaultMaxTokens: 1 }
  expect(libraryUpstreamCodec.encodeRequest(ASKED, target)).toEqual({
    body: { model: 'gpt-4o', query: 'Where?', stream: true },
    losses: [],
  })
  expect(libraryUpstreamCodec.encodeRequest({ ...ASKED, turns: [] }, target)).toMatchObject({ field: 'messages' })
})

it('streams the answer and names its documents', () => {
  const decoder = libraryUpstreamCodec.openDecoder()
  const frames = [
    { content: 'Over ', finish: false },
    { content: 'there', finish: false },
    { content: '', finish: true, documents: [{ title: 'Map', url: 'https://a/map' }] },
    { content: 'late', finish: true },
  ]
  const events = frames.flatMap((frame) => decoder.push({ name: '', data: JSON.stringify(frame) }))
  expect(fold([...events, ...decoder.end()])).toMatchObject({
    blocks: [{ kind: 'text', text: 'Over there', citations: [{ url: 'https://a/map', title: 'Map' }] }],
    finish: { reason: 'stop' },
  })
})

it('reads a whole answer, and an error', () => {
  expect(fold(libraryUpstreamCodec.decodeReply({ success: true, answer: 'There' }))).toMatchObject({
    blocks: [{ text: 'There' }],
    finish: { reason: 'stop' },
  })
  const failed = fold(libraryUpstreamCodec.decodeReply({ success: false, message: 'no library', errCode: 404 }))
  expect(failed).toMatchObject({ finish: undefined, error: { message: 'no library', code: 404 } })
  expect(libraryUpstreamCodec.decodeReply({})).toEqual([])
})
