import { describe, expect, it } from 'vitest'
import { isInexpressible, type Target } from '../canon/codec.ts'
import { fold } from '../canon/reply.ts'
import type { CanonRequest } from '../canon/request.ts'
import { openSseFrames } from '../framing/frames.ts'
import { cozeUpstreamCodec } from './coze.ts'

const TARGET: Target = { model: 'bot-7350', stream: true, takes: {}, defaultMaxTokens: 1 }
const request = (more: Partial<CanonRequest> = {}): CanonRequest => ({
  model: 'bot-7350',
  stream: false,
  system: [],
  turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hi' }] }],
  tools: [],
  builtins: [],
  sampling: {},
  extra: { dialect: 'openai-chat', fields: {} },
  ...more,
})

function encoded(canonRequest: CanonRequest) {
  const result = cozeUpstreamCodec.encodeRequest(canonRequest, TARGET)
  if (isInexpressible(result)) throw new Error(result.rule)
  return result
}

function events(stream: string) {
  const frames = openSseFrames()
  const decoder = cozeUpstreamCodec.openDecoder()
  const read = [...frames.push(new TextEncoder().encode(stream)), ...frames.end()].flatMap((frame) =>
    decoder.push(frame),
  )
  return [...read, ...decoder.end()]
}

describe('a request', () => {
  it('is the conversation, for the bot that the model names', () => {
    const turns: CanonRequest['turns'] = [
      { role: 'user', parts: [{ kind: 'text', text: 'Hi' }] },
      { role: 'assistant', parts: [{ kind: 'text', text: 'Hello' }] },
      {
        role: 'user',
        parts: [
          { kind: 'text', text: 'This?' },
          { kind: 'image', source: { type: 'url', url: 'https://a/b.png' } },
        ],
      },
    ]
    expect(encoded(request({ turns })).body).toEqual({
      bot_id: '7350',
      stream: true,
      auto_save_history: false,
      additional_messages: [
        { role: 'user', type: 'question', content_type: 'text', content: 'Hi' },
        { role: 'assistant', type: 'answer', content_type: 'text', content: 'Hello' },
        {
          role: 'user',
          type: 'question',
          content_type: 'object_string',
          content: '[{"type":"text","text":"This?"},{"type":"image","file_url":"https://a/b.png"}]',
        },
      ],
    })
  })

  it('lists what the bot does not receive', () => {
    const canonRequest = request({
      system: [{ kind: 'text', text: 'Be brief' }],
      sampling: { temperature: 0.2 },
      maxTokens: 9,
    })
    expect(encoded(canonRequest).losses).toEqual([
      { what: 'messages[system]', became: 'changed' },
      { what: 'max_tokens', became: 'dropped' },
      { what: 'temperature', became: 'dropped' },
    ])
  })

  it('lists that an instruction in the middle is sent as if the user said it', () => {
    const turns: CanonRequest['turns'] = [
      { role: 'user', parts: [{ kind: 'text', text: 'Hi' }] },
      { role: 'system', parts: [{ kind: 'text', text: 'Be brief' }] },
    ]
    expect(encoded(request({ turns })).losses).toEqual([{ what: 'messages[].role', became: 'changed' }])
  })

  it('cannot hold tool results, or pictures without an address', () => {
    const tool = request({ turns: [{ role: 'tool', parts: [{ kind: 'tool-result', callId: 'a', parts: [] }] }] })
    const picture = { kind: 'image', source: { type: 'base64', mime: 'image/png', data: 'AA==' } } as const
    expect(cozeUpstreamCodec.encodeRequest(tool, TARGET)).toMatchObject({ field: 'messages[0]' })
    const canonRequest = request({ turns: [{ role: 'user', parts: [picture] }] })
    expect(cozeUpstreamCodec.encodeRequest(canonRequest, TARGET)).toMatchObject({ field: 'messages[0].content[0]' })
  })
})

const STREAM = [
  ['conversation.chat.created', { id: '7382', conversation_id: '7381', status: 'created' }],
  ['conversation.message.delta', { id: '1', type: 'answer', content: '', reasoning_content: 'Hm. ' }],
  ['conversation.message.delta', { id: '1', type: 'answer', content: 'Good ' }],
  ['conversation.message.delta', { id: '1', type: 'answer', content: 'day' }],
  ['conversation.message.delta', { id: '2', type: 'verbose', content: '{"msg_type":"x"}' }],
  ['conversation.message.completed', { id: '1', type: 'answer', content: 'Good day' }],
  ['conversation.message.completed', { id: '3', type: 'follow_up', content: 'And you?' }],
  ['conversation.chat.completed', { id: '7382', usage: { token_count: 30, output_count: 10, input_count: 20 } }],
  ['done', '[DONE]'],
] as const
const wire = (list: readonly (readonly [string, unknown])[]) =>
  list.map(([name, data]) => `event:${name}\ndata:${JSON.stringify(data)}\n\n`).join('')

describe('a stream', () => {
  it('is the answer alone, once', () => {
    const reply = fold(events(wire(STREAM)))
    expect(reply).toMatchObject({
      id: '7382',
      blocks: [
        { kind: 'reasoning', text: 'Hm. ' },
        { kind: 'text', text: 'Good day' },
      ],
      finish: { reason: 'stop' },
      usage: { counts: { input: 20, output: 10 } },
    })
  })

  it('that breaks off has no finish', () => {
    expect(fold(events(wire(STREAM.slice(0, 4)))).finish).toBeUndefined()
  })

  it.each([
    ['conversation.chat.failed', { last_error: { code: 5000, msg: 'broken' } }, 5_000],
    ['error', { code: 4013, msg: 'too many' }, 429],
    ['conversation.chat.requires_action', { id: '1' }, undefined],
  ])('that reports %s is an error', (name, data, code) => {
    expect(fold(events(wire([...STREAM.slice(0, 3), [name, data], ...STREAM.slice(7)])))).toMatchObject({
      finish: undefined,
      error: { code },
    })
  })
})

it('a whole reply is an error', () => {
  const reply = { code: 4100, msg: 'authentication is invalid' }
  expect(cozeUpstreamCodec.decodeReply(reply)).toMatchObject([
    { type: 'error', error: { code: 401, message: 'authentication is invalid' } },
  ])
})
