import { describe, expect, it } from 'vitest'
import type { CanonRequest } from '../canon/request.ts'
import { replicateImages } from './replicate-images.ts'
import { replicateUpstreamCodec } from './replicate.ts'

const TARGET = { model: 'meta/llama', stream: false, takes: {}, defaultMaxTokens: 512 }
const ASKED: CanonRequest = {
  model: 'meta/llama',
  stream: false,
  system: [{ kind: 'text', text: 'Be brief' }],
  turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hi' }] }],
  tools: [],
  builtins: [],
  sampling: { temperature: 0.5, stop: ['a', 'b'] },
  extra: { dialect: 'openai-chat', fields: {} },
}
const RUNNING = { id: 'p1', status: 'processing', urls: { get: 'https://api.replicate.com/v1/predictions/p1' } }

describe('a text', () => {
  it('is requested by its prompt', () => {
    expect(replicateUpstreamCodec.encodeRequest(ASKED, TARGET)).toEqual({
      body: {
        input: { prompt: 'Hi', system_prompt: 'Be brief', max_tokens: 512, temperature: 0.5, stop_sequences: 'a,b' },
      },
      losses: [],
      headers: ['prefer', 'wait=60'],
    })
  })

  it('lists that stop words with commas are sent in pieces', () => {
    const asked = { ...ASKED, sampling: { stop: ['a,b'] } }
    expect(replicateUpstreamCodec.encodeRequest(asked, TARGET)).toMatchObject({
      losses: [{ what: 'stop', became: 'changed' }],
    })
  })

  it('of several messages is one prompt', () => {
    const turns: CanonRequest['turns'] = [
      ...ASKED.turns,
      { role: 'assistant', parts: [{ kind: 'text', text: 'Hello' }] },
      { role: 'user', parts: [{ kind: 'text', text: 'More' }] },
    ]
    expect(replicateUpstreamCodec.encodeRequest({ ...ASKED, turns }, TARGET)).toMatchObject({
      body: { input: { prompt: 'User: Hi\n\nAssistant: Hello\n\nUser: More\n\nAssistant:' } },
      losses: [{ what: 'messages', became: 'changed' }],
    })
  })

  it('is polled at the same address while it is made', () => {
    expect(replicateUpstreamCodec.followUp?.(RUNNING)).toEqual({ path: '/v1/predictions/p1', afterMs: 1_000 })
    const elsewhere = { ...RUNNING, urls: { get: 'https://elsewhere.test/v1/predictions/p1?x=1' } }
    expect(replicateUpstreamCodec.followUp?.(elsewhere)?.path).toBe('/v1/predictions/p1')
    expect(replicateUpstreamCodec.followUp?.({ ...RUNNING, urls: {} })?.path).toBe('/v1/predictions/p1')
    expect(replicateUpstreamCodec.followUp?.({ ...RUNNING, status: 'succeeded' })).toBeUndefined()
  })

  it('arrives in pieces that are joined', () => {
    const done = { id: 'p1', status: 'succeeded', output: ['Good', ' day'] }
    expect(replicateUpstreamCodec.decodeReply(done)).toMatchObject([
      { type: 'start', id: 'p1' },
      { type: 'text', delta: 'Good day' },
      { type: 'block-end' },
      { type: 'finish', reason: 'stop' },
    ])
  })

  it.each([
    [{ id: 'p1', status: 'failed', error: 'out of memory' }, 'out of memory', undefined],
    [{ id: 'p1', status: 'canceled' }, 'The prediction was canceled.', undefined],
    [{ title: 'Unauthenticated', detail: 'You did not pass a token', status: 401 }, 'You did not pass a token', 401],
  ])('can fail', (reply, message, code) => {
    expect(replicateUpstreamCodec.decodeReply(reply)).toMatchObject([{ type: 'error', error: { message, code } }])
  })
})

describe('pictures', () => {
  it('are requested by the common names of inputs', () => {
    const request = { model: 'm', prompt: 'a cat', n: 2, size: '512x768', response_format: 'b64_json', style: 'vivid' }
    expect(replicateImages.encode(request, 'm')).toMatchObject({
      body: { input: { prompt: 'a cat', num_outputs: 2, width: 512, height: 768 } },
      losses: [
        { what: 'response_format', became: 'changed' },
        { what: 'style', became: 'dropped' },
      ],
    })
  })

  it('arrive as addresses, and are counted', () => {
    expect(replicateImages.decode(RUNNING, {})).toMatchObject({ follow: { path: '/v1/predictions/p1' } })
    const done = { status: 'succeeded', output: ['https://a/1.png'], created_at: '2026-01-01T00:00:00Z' }
    expect(replicateImages.decode(done, {})).toMatchObject({
      reply: { created: 1_767_225_600, data: [{ url: 'https://a/1.png' }] },
      usage: { counts: { units: { image: 1 } } },
    })
    expect(replicateImages.decode({ status: 'succeeded', output: null }, {})).toHaveProperty('invalid')
    expect(replicateImages.decode({ status: 'failed', error: 'no' }, {})).toMatchObject({ error: { message: 'no' } })
  })
})
