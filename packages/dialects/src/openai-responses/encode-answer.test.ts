import { expect, it } from 'vitest'
import { isBodyRefusal } from '../body-refusal.ts'
import type { AnswerContext } from '../canon/codec.ts'
import type { AnswerEvent } from '../canon/events.ts'
import { fold } from '../canon/reply.ts'
import { unwrapSignature } from '../canon/signature.ts'
import { openSseFrames } from '../framing/frames.ts'
import { asObject, type JsonObject, parseJson } from '../json-value.ts'
import { decodeReply, openDecoder } from './decode-answer.ts'
import { decodeRequest } from './decode-request.ts'
import { openEncoder } from './encode-answer.ts'
import { encodeReply } from './encode-reply.ts'
import { encodeUsage } from './encode-usage.ts'

const CONTEXT: AnswerContext = {
  request: {
    model: 'asked',
    stream: true,
    system: [{ kind: 'text', text: 'Rules.' }],
    turns: [],
    tools: [{ name: 'f', schema: { type: 'object' } }],
    builtins: [],
    sampling: { temperature: 0.5 },
    maxTokens: 50,
    extra: { dialect: 'openai-responses', fields: {} },
  },
  idSeed: 'S',
  created: 7,
  now: () => 8,
  promptEstimate: 3,
  wantsUsage: true,
}
const counts = { input: 3, cachedInput: 2, cacheWrite5m: 1, cacheWrite1h: 0, output: 9, reasoning: 4 }
const SIGNED = { dialect: 'anthropic-messages', value: 'A' } as const

const ANSWER: readonly AnswerEvent[] = [
  { type: 'start', id: 'x', model: 'claude' },
  { type: 'reasoning', block: 0, delta: 'Let me ' },
  { type: 'reasoning', block: 0, delta: 'think.' },
  { type: 'proof', block: 0, signature: SIGNED },
  { type: 'block-end', block: 0 },
  { type: 'text', block: 1, delta: 'It is ' },
  { type: 'text', block: 1, delta: 'open.' },
  { type: 'citation', block: 1, citation: { url: 'https://a', title: 'A', start: 0, end: 5 } },
  { type: 'block-end', block: 1 },
  { type: 'refusal', block: 2, delta: 'No more.' },
  { type: 'block-end', block: 2 },
  { type: 'image', block: 3, mime: 'image/png', data: 'AAAA' },
  { type: 'block-end', block: 3 },
  { type: 'tool-start', block: 4, id: 'c4', name: 'f', signature: { dialect: 'gemini', value: 'G' } },
  { type: 'tool-start', block: 5, id: 'c5', name: 'g', isCustom: true },
  { type: 'tool-args', block: 5, delta: 'free' },
  { type: 'tool-args', block: 4, delta: '{"a":' },
  { type: 'tool-args', block: 4, delta: '1}' },
  { type: 'block-end', block: 5 },
  { type: 'block-end', block: 4 },
  { type: 'usage', report: { counts, reportedNanoUsd: undefined, own: {} } },
  { type: 'finish', reason: 'tool-calls', raw: 'tool_use' },
]

function eventsFor(answer: readonly AnswerEvent[]): readonly JsonObject[] {
  const encoder = openEncoder(CONTEXT)
  const bytes: Uint8Array[] = []
  for (const event of answer) {
    if (event.type === 'usage' || event.type === 'error') continue
    if (event.type !== 'finish') bytes.push(...encoder.push(event))
    else {
      const { forward, terminal } = encoder.finish(event, counts)
      expect(terminal.length).toBeGreaterThan(0)
      bytes.push(...forward, terminal)
    }
  }
  const frames = openSseFrames()
  return bytes
    .flatMap((piece) => frames.push(piece))
    .map(({ name, data }) => {
      const event = asObject(parseJson(data)) ?? {}
      expect(event['type']).toBe(name)
      return event
    })
}

it('numbers its events, and ends what it began, in order', () => {
  const events = eventsFor(ANSWER)
  expect(events.map((event) => event['sequence_number'])).toEqual(events.map((_, index) => index))
  const types = events.map((event) => event['type'])
  expect(types.slice(0, 2)).toEqual(['response.created', 'response.in_progress'])
  expect(types.at(-1)).toBe('response.completed')
  const count = (type: string) => types.filter((each) => each === `response.${type}`).length
  expect([count('output_item.added'), count('output_item.done')]).toEqual([6, 6])
  expect([count('content_part.added'), count('content_part.done')]).toEqual([2, 2])
})

it('returns in a stream what it returns as a whole', () => {
  const last = eventsFor(ANSWER).at(-1)
  expect(last?.['response']).toEqual(encodeReply(fold(ANSWER), CONTEXT))
})

it('repeats the request’s settings around the answer', () => {
  expect(encodeReply(fold(ANSWER), CONTEXT)).toMatchObject({
    id: 'resp_S',
    object: 'response',
    created_at: 7,
    status: 'completed',
    model: 'claude',
    instructions: 'Rules.',
    max_output_tokens: 50,
    temperature: 0.5,
    tools: [{ type: 'function', name: 'f' }],
    store: false,
    usage: {
      input_tokens: 6,
      input_tokens_details: { cached_tokens: 2, cache_write_tokens: 1 },
      output_tokens: 9,
      output_tokens_details: { reasoning_tokens: 4 },
      total_tokens: 15,
    },
  })
})

it('names every member that the published schema requires, with the request’s own values', () => {
  const request = { model: 'm', input: 'x', safety_identifier: 's', prompt_cache_key: 'k', max_tool_calls: 3 }
  const format = { type: 'json_schema', name: 'n', schema: { type: 'object' } }
  const tools = [{ type: 'function', name: 'f', parameters: {} }]
  const decoded = decodeRequest({ ...request, text: { format }, tools })
  if (isBodyRefusal(decoded)) throw new Error('refused')
  const { request: _, ...context } = CONTEXT
  const whole = encodeReply(fold(ANSWER), { ...context, request: decoded })
  expect(whole).toMatchObject({
    completed_at: 8,
    presence_penalty: 0,
    frequency_penalty: 0,
    safety_identifier: 's',
    prompt_cache_key: 'k',
    max_tool_calls: 3,
    text: { format: { ...format, description: null, strict: false } },
    tools: [{ type: 'function', name: 'f', description: null, strict: false }],
  })
  expect(encodeReply(fold(ANSWER), CONTEXT)).toMatchObject({ safety_identifier: null, prompt_cache_key: null })
})

it('was completed only where it was not cut short, and not while it is made', () => {
  const cut = ANSWER.map((event) => (event.type === 'finish' ? { ...event, reason: 'length' as const } : event))
  expect(encodeReply(fold(cut), CONTEXT)).toMatchObject({ status: 'incomplete', completed_at: null })
  expect(eventsFor(ANSWER)[0]).toMatchObject({ response: { status: 'in_progress', completed_at: null } })
  const none = { input: 3, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 9, reasoning: 0 }
  expect(encodeUsage(none)).toMatchObject({ input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 } })
})

it('carries signatures: of reasoning in its item, of a call in an empty item before it', () => {
  const output = encodeReply(fold(ANSWER), CONTEXT)['output'] as readonly JsonObject[]
  const [thoughts, , , mark, called] = output
  expect(thoughts).toMatchObject({ type: 'reasoning', summary: [{ type: 'summary_text', text: 'Let me think.' }] })
  expect(unwrapSignature(String(thoughts?.['encrypted_content']), 'openai-responses')).toEqual(SIGNED)
  expect(mark).toMatchObject({ type: 'reasoning', summary: [] })
  expect(unwrapSignature(String(mark?.['encrypted_content']), 'openai-responses')).toEqual({
    dialect: 'gemini',
    value: 'G',
    item: 'c4',
  })
  expect(called).toMatchObject({ type: 'function_call', call_id: 'c4', arguments: '{"a":1}' })
})

it('keeps a signature of its own dialect with the item that it was made for', () => {
  const signature = { dialect: 'openai-responses', value: 'S', item: 'rs_original' } as const
  const answer: readonly AnswerEvent[] = [
    { type: 'reasoning', block: 0, delta: 'Hm.' },
    { type: 'proof', block: 0, signature },
    { type: 'block-end', block: 0 },
    { type: 'finish', reason: 'stop', raw: '' },
  ]
  const output = encodeReply(fold(answer), CONTEXT)['output']
  expect(decodeRequest({ model: 'm', input: output })).toMatchObject({
    turns: [{ role: 'assistant', parts: [{ kind: 'reasoning', text: 'Hm.', signature }] }],
  })
})

it('is read by its own decoder as it was meant', () => {
  const decoder = openDecoder()
  const streamed = fold(eventsFor(ANSWER).flatMap((event) => decoder.push({ name: '', data: JSON.stringify(event) })))
  const whole = fold(decodeReply(encodeReply(fold(ANSWER), CONTEXT)))
  expect(streamed.blocks).toEqual(whole.blocks)
  expect(streamed.usage?.counts).toEqual(counts)
  expect(whole.blocks.filter(({ kind }) => kind !== 'reasoning')).toMatchObject(
    fold(ANSWER)
      .blocks.slice(1)
      .map(({ kind }) => ({ kind })),
  )
})

it.each([
  ['length', { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }],
  ['content-filter', { status: 'incomplete', incomplete_details: { reason: 'content_filter' } }],
] as const)('an answer that ends by %s is incomplete', (reason, response) => {
  const last = eventsFor([
    { type: 'text', block: 0, delta: 'Hi' },
    { type: 'block-end', block: 0 },
    { type: 'finish', reason, raw: '' },
  ]).at(-1)
  expect(last).toMatchObject({ type: 'response.incomplete', response })
})

it('writes a call without arguments as an empty object, which clients can parse', () => {
  const call: readonly AnswerEvent[] = [
    { type: 'tool-start', block: 0, id: 'c', name: 'now' },
    { type: 'tool-args', block: 0, delta: '' },
    { type: 'block-end', block: 0 },
    { type: 'finish', reason: 'tool-calls', raw: 'tool_calls' },
  ]
  const events = eventsFor(call)
  const deltas = events.filter(({ type }) => type === 'response.function_call_arguments.delta')
  expect(deltas.map(({ delta }) => delta).join('')).toBe('{}')
  const item = { type: 'function_call', call_id: 'c', name: 'now', arguments: '{}', status: 'completed' }
  expect(events.at(-1)).toMatchObject({ response: { output: [item] } })
  expect(encodeReply(fold(call), CONTEXT)).toMatchObject({ output: [item] })
})
