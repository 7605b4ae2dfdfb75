import { describe, expect, it } from 'vitest'
import { isInexpressible, type Target } from '../canon/codec.ts'
import { fold } from '../canon/reply.ts'
import type { CanonRequest } from '../canon/request.ts'
import { openSseFrames } from '../framing/frames.ts'
import { wenxinUpstreamCodec } from './wenxin.ts'

const TARGET: Target = { model: 'ernie-speed', stream: true, takes: {}, defaultMaxTokens: 1 }
const says = (role: 'user' | 'assistant', text: string) => ({ role, parts: [{ kind: 'text', text }] }) as const
const request = (more: Partial<CanonRequest> = {}): CanonRequest => ({
  model: 'ernie-speed',
  stream: true,
  system: [],
  turns: [says('user', '你好')],
  tools: [],
  builtins: [],
  sampling: {},
  extra: { dialect: 'openai-chat', fields: {} },
  ...more,
})

function encoded(canonRequest: CanonRequest) {
  const result = wenxinUpstreamCodec.encodeRequest(canonRequest, TARGET)
  if (isInexpressible(result)) throw new Error(result.rule)
  return result
}

function events(frames: readonly object[]) {
  const reader = openSseFrames()
  const decoder = wenxinUpstreamCodec.openDecoder()
  const wire = new TextEncoder().encode(frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join(''))
  return [...[...reader.push(wire), ...reader.end()].flatMap((frame) => decoder.push(frame)), ...decoder.end()]
}

describe('a request', () => {
  it('makes user and assistant alternate, the user first and last', () => {
    const turns = [says('user', 'a'), says('user', 'b'), says('assistant', 'c'), says('user', 'd')]
    const canonRequest = request({
      turns,
      system: [{ kind: 'text', text: 'Be kind' }],
      sampling: { topP: 0.5 },
      maxTokens: 99,
    })
    expect(encoded(canonRequest)).toEqual({
      body: {
        messages: [
          { role: 'user', content: 'a\nb' },
          { role: 'assistant', content: 'c' },
          { role: 'user', content: 'd' },
        ],
        stream: true,
        system: 'Be kind',
        top_p: 0.5,
        max_output_tokens: 99,
      },
      losses: [],
    })
  })

  it('stays within the limits of the interface, and lists what that changed', () => {
    const canonRequest = request({
      sampling: { temperature: 0, stop: ['a', 'b', 'c', 'd', 'e'], seed: 1 },
      maxTokens: 9_000,
    })
    expect(encoded(canonRequest)).toMatchObject({
      body: { temperature: 0.01, stop: ['a', 'b', 'c', 'd'], max_output_tokens: 2_048 },
      losses: [
        { what: 'stop', became: 'changed' },
        { what: 'seed', became: 'dropped' },
        { what: 'temperature', became: 'changed' },
        { what: 'max_tokens', became: 'changed' },
      ],
    })
  })

  it.each([
    ['an answer of a tool', [{ role: 'tool' as const, parts: [] }], 'messages[0]'],
    ['an end with the assistant', [says('user', 'a'), says('assistant', 'b')], 'messages'],
  ])('cannot hold %s', (_, turns, field) => {
    expect(wenxinUpstreamCodec.encodeRequest(request({ turns }), TARGET)).toMatchObject({ field })
  })
})

const USAGE = { prompt_tokens: 2, completion_tokens: 7, total_tokens: 9 }
const STREAM = [
  {
    id: 'as-1',
    object: 'chat.completion',
    created: 1,
    sentence_id: 0,
    is_end: false,
    is_truncated: false,
    result: '你好，',
    usage: USAGE,
  },
  {
    id: 'as-1',
    object: 'chat.completion',
    created: 1,
    sentence_id: 1,
    is_end: false,
    is_truncated: false,
    result: '有什么可以帮你？',
    usage: USAGE,
  },
  {
    id: 'as-1',
    object: 'chat.completion',
    created: 1,
    sentence_id: 2,
    is_end: true,
    is_truncated: false,
    result: '',
    usage: USAGE,
  },
]

describe('an answer', () => {
  it('arrives sentence by sentence, with usage that repeats', () => {
    expect(fold(events(STREAM))).toMatchObject({
      id: 'as-1',
      blocks: [{ kind: 'text', text: '你好，有什么可以帮你？' }],
      finish: { reason: 'stop' },
      usage: { counts: { input: 2, output: 7 } },
    })
    expect(fold(events(STREAM.slice(0, 2))).finish).toBeUndefined()
  })

  it('arrives whole', () => {
    const reply = { id: 'as-2', result: '好', is_truncated: true, need_clear_history: false, usage: USAGE }
    expect(fold(wenxinUpstreamCodec.decodeReply(reply))).toMatchObject({
      blocks: [{ text: '好' }],
      finish: { reason: 'length' },
    })
    const unsafe = fold(wenxinUpstreamCodec.decodeReply({ ...reply, need_clear_history: true }))
    expect(unsafe.finish?.reason).toBe('content-filter')
    expect(wenxinUpstreamCodec.decodeReply({})).toEqual([])
  })

  it.each([
    [110, 401],
    [18, 429],
    [336_003, 400],
    [336_000, 500],
  ])('can be error %i, which is status %i', (code, status) => {
    const translated = { error_code: code, error_msg: 'no' }
    expect(fold(wenxinUpstreamCodec.decodeReply(translated)).error).toMatchObject({ message: 'no', code: status })
    expect(fold(events([...STREAM.slice(0, 1), translated, ...STREAM.slice(1)]))).toMatchObject({
      finish: undefined,
      error: { code: status },
    })
  })
})
