import { expect, test } from 'vitest'
import type { AnswerContext } from '../canon/codec.ts'
import type { AnswerEvent, FinishEvent } from '../canon/events.ts'
import { fold } from '../canon/reply.ts'
import { unwrapSignature } from '../canon/signature.ts'
import { type JsonObject, parseJson } from '../json-value.ts'
import type { TokenCounts } from '../token-counts.ts'
import { decodeRequest } from './decode-request.ts'
import { openEncoder } from './encode-answer.ts'
import { encodeReply } from './encode-reply.ts'

const context: AnswerContext = {
  request: {
    model: 'asked-model',
    stream: true,
    system: [],
    turns: [],
    tools: [],
    builtins: [],
    sampling: {},
    extra: { dialect: 'anthropic-messages', fields: {} },
  },
  idSeed: 'seed',
  created: 1,
  now: () => 8,
  promptEstimate: 42,
  wantsUsage: true,
}
const counts: TokenCounts = { input: 5, cachedInput: 100, cacheWrite5m: 7, cacheWrite1h: 2, output: 9, reasoning: 3 }
const STOP: FinishEvent = { type: 'finish', reason: 'stop', raw: 'stop' }

type Content = Exclude<AnswerEvent, { type: 'usage' | 'finish' | 'error' }>

function streamed(events: readonly Content[], finish: FinishEvent = STOP): readonly JsonObject[] {
  const encoder = openEncoder(context)
  const pieces = events.flatMap((event) => encoder.push(event))
  const { forward, terminal } = encoder.finish(finish, counts)
  const text = Buffer.concat([...pieces, ...forward, terminal]).toString()
  return [...text.matchAll(/^event: (\w+)\ndata: (.*)\n\n/gm)].map(([, name, data = '']) => {
    const event = parseJson(data) as JsonObject
    expect(event['type']).toBe(name)
    return event
  })
}

const whole = (events: readonly Content[], finish: FinishEvent = STOP) =>
  encodeReply(fold([...events, finish]), context)
const start: Content = { type: 'start', id: 'chatcmpl-1', model: 'gpt' }
const own = { dialect: 'anthropic-messages', value: 'EqQB' } as const

/** Known only to Anthropic. */
const UNKNOWN_END = { stop_details: null, container: null }
const UNKNOWN_USAGE = { server_tool_use: null, service_tier: null, inference_geo: null, speed: null }

test('a stream begins with an estimate and ends with what was counted', () => {
  const events = streamed([start, { type: 'text', block: 0, delta: 'Hi' }, { type: 'block-end', block: 0 }])
  expect(events).toEqual([
    {
      type: 'message_start',
      message: {
        id: 'msg_seed',
        type: 'message',
        role: 'assistant',
        model: 'gpt',
        diagnostics: null,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        ...UNKNOWN_END,
        usage: {
          input_tokens: 42,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: 0,
          cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
          output_tokens: 0,
          output_tokens_details: null,
          ...UNKNOWN_USAGE,
        },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '', citations: null } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null, ...UNKNOWN_END },
      usage: {
        input_tokens: 5,
        cache_creation_input_tokens: 9,
        cache_read_input_tokens: 100,
        cache_creation: { ephemeral_5m_input_tokens: 7, ephemeral_1h_input_tokens: 2 },
        output_tokens: 9,
        output_tokens_details: { thinking_tokens: 3 },
        ...UNKNOWN_USAGE,
      },
    },
    { type: 'message_stop' },
  ])
})

test('overlapping calls are put in sequence, each with the block that carries its signature', () => {
  const reasoningSignature = { dialect: 'gemini', value: 'sig' } as const
  const content: readonly Content[] = [
    start,
    { type: 'tool-start', block: 0, id: 'a', name: 'f', signature: reasoningSignature },
    { type: 'tool-start', block: 1, id: 'b', name: 'g' },
    { type: 'tool-args', block: 1, delta: '{"x":2}' },
    { type: 'tool-args', block: 0, delta: '{"x":1}' },
    { type: 'block-end', block: 0 },
    { type: 'block-end', block: 1 },
  ]
  const finish = { ...STOP, reason: 'tool-calls' } as const
  const events = streamed(content, finish)
  const shown = events.flatMap(({ index, content_block: block, delta }) =>
    index === undefined ? [] : [[index, block ?? delta] as const],
  )
  expect(shown.filter(([, encoded]) => encoded !== undefined)).toMatchObject([
    [0, { type: 'thinking', thinking: '', signature: '' }],
    [0, { type: 'signature_delta' }],
    [1, { type: 'tool_use', id: 'a', name: 'f', input: {} }],
    [1, { type: 'input_json_delta', partial_json: '{"x":1}' }],
    [2, { type: 'tool_use', id: 'b', name: 'g', input: {} }],
    [2, { type: 'input_json_delta', partial_json: '{"x":2}' }],
  ])
  const reply = whole(content, finish)
  expect(reply).toMatchObject({
    content: [
      { type: 'thinking', thinking: '' },
      { type: 'tool_use', id: 'a', input: { x: 1 } },
      { type: 'tool_use', id: 'b', input: { x: 2 } },
    ],
    stop_reason: 'tool_use',
  })
  const [{ signature = '' } = {}] = reply['content'] as readonly { readonly signature?: string }[]
  expect(unwrapSignature(signature, 'anthropic-messages')).toEqual({ ...reasoningSignature, item: 'a' })
})

test('thoughts keep their signature, and redacted ones are a block of their own', () => {
  const content: readonly Content[] = [
    start,
    { type: 'reasoning', block: 0, delta: 'Hm' },
    { type: 'proof', block: 0, signature: own },
    { type: 'block-end', block: 0 },
    { type: 'proof', block: 1, signature: { ...own, redacted: true } },
    { type: 'block-end', block: 1 },
  ]
  expect(whole(content)['content']).toEqual([
    { type: 'thinking', thinking: 'Hm', signature: 'EqQB' },
    { type: 'redacted_thinking', data: 'EqQB' },
  ])
  const blocks = streamed(content).flatMap((event) => event['content_block'] ?? [])
  expect(blocks).toEqual([
    { type: 'thinking', thinking: '', signature: '' },
    { type: 'redacted_thinking', data: 'EqQB' },
  ])
})

test('thoughts without a signature carry a mark, by which they are recognized when they come back', () => {
  const content: readonly Content[] = [
    start,
    { type: 'reasoning', block: 0, delta: 'Hm' },
    { type: 'block-end', block: 0 },
  ]
  const thinking = { type: 'thinking', thinking: 'Hm', signature: 'sluice.1.openai-chat.-..' }
  expect(whole(content)['content']).toEqual([thinking])
  expect(streamed(content).flatMap(({ delta }) => delta ?? [])).toMatchObject([
    { type: 'thinking_delta' },
    { type: 'signature_delta', signature: thinking.signature },
    {},
  ])
  const messages = [{ role: 'assistant', content: [thinking] }]
  const encoded = decodeRequest({ model: 'm', messages })
  expect(encoded).toMatchObject({ turns: [{ parts: [{ kind: 'reasoning', text: 'Hm' }] }] })
  expect(JSON.stringify(encoded)).not.toContain('sluice')
})

test('a refusal is a text, and the stop reason', () => {
  const content: readonly Content[] = [
    start,
    { type: 'refusal', block: 0, delta: 'No.' },
    { type: 'block-end', block: 0 },
  ]
  expect(whole(content)).toMatchObject({ content: [{ type: 'text', text: 'No.' }], stop_reason: 'refusal' })
  expect(streamed(content).at(-2)).toMatchObject({ delta: { stop_reason: 'refusal' } })
})

test('a picture is shown as Markdown', () => {
  const content: readonly Content[] = [start, { type: 'image', block: 0, mime: 'image/png', data: 'iVBO' }]
  expect(whole(content)['content']).toEqual([
    { type: 'text', text: '![image](data:image/png;base64,iVBO)', citations: null },
  ])
})

test.each<[FinishEvent, string]>([
  [{ type: 'finish', reason: 'length', raw: 'length' }, 'max_tokens'],
  [{ type: 'finish', reason: 'content-filter', raw: 'SAFETY' }, 'refusal'],
  [{ type: 'finish', reason: 'stop', raw: 'stop', stopSequence: 'END' }, 'stop_sequence'],
  [{ type: 'finish', reason: 'length', raw: 'model_context_window_exceeded' }, 'model_context_window_exceeded'],
  [{ type: 'finish', reason: 'stop', raw: 'pause_turn' }, 'pause_turn'],
])('%j is written as %s', (finish, word) => {
  expect(whole([start], finish)).toMatchObject({ stop_reason: word, stop_sequence: finish.stopSequence ?? null })
})

test('an answer that began with nothing has the model that was requested', () => {
  expect(streamed([])[0]).toMatchObject({ message: { model: 'asked-model' } })
})
