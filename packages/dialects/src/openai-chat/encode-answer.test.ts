import { expect, it } from 'vitest'
import type { AnswerContext } from '../canon/codec.ts'
import type { AnswerEvent, ContentEvent } from '../canon/events.ts'
import { fold } from '../canon/reply.ts'
import type { Extra } from '../canon/request.ts'
import { openSseFrames } from '../framing/frames.ts'
import { openChatEncoder } from './encode-answer.ts'
import { encodeReply } from './encode-reply.ts'

const context = (more: Partial<AnswerContext> = {}, extra: Partial<Extra> = {}): AnswerContext => ({
  request: {
    model: 'm',
    stream: true,
    system: [],
    turns: [],
    tools: [],
    builtins: [],
    sampling: {},
    extra: { dialect: 'openai-chat', fields: {}, ...extra },
  },
  idSeed: 'seed',
  created: 1_790_000_000,
  now: () => 8,
  promptEstimate: 1,
  wantsUsage: false,
  ...more,
})
const COUNTS = { input: 2, cachedInput: 3, cacheWrite5m: 4, cacheWrite1h: 5, output: 7, reasoning: 6 }
const FINISH = { type: 'finish', reason: 'tool-calls', raw: 'x' } as const

function chunks(events: readonly ContentEvent[], to: AnswerContext = context()): readonly unknown[] {
  const encoder = openChatEncoder(to)
  const bytes = [
    ...encoder.push({ type: 'start', id: 'x', model: 'y' }),
    ...events.flatMap((event) => encoder.push(event)),
  ]
  const { forward, terminal } = encoder.finish(FINISH, COUNTS)
  const frames = openSseFrames()
  const data = [...bytes, ...forward, terminal].flatMap((piece) => frames.push(piece)).map((frame) => frame.data)
  expect(data.at(-1)).toBe('[DONE]')
  return data.slice(0, -1).map((text) => JSON.parse(text) as unknown)
}
const deltas = (events: readonly ContentEvent[], to?: AnswerContext) =>
  chunks(events, to).map((chunk) => (chunk as { choices: { delta: unknown }[] }).choices[0]?.delta)

it('writes chunks with one head, and the usage if the client requested it', () => {
  const head = { id: 'chatcmpl-seed', object: 'chat.completion.chunk', created: 1_790_000_000, model: 'm' }
  expect(chunks([{ type: 'text', block: 0, delta: 'Hi' }], context({ wantsUsage: true }))).toStrictEqual([
    { ...head, choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] },
    { ...head, choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: null }] },
    { ...head, choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
    {
      ...head,
      choices: [],
      usage: {
        prompt_tokens: 14,
        completion_tokens: 7,
        total_tokens: 21,
        prompt_tokens_details: {
          cached_tokens: 3,
          cache_write_tokens: 9,
          cache_creation: { ephemeral_5m_input_tokens: 4, ephemeral_1h_input_tokens: 5 },
        },
        completion_tokens_details: { reasoning_tokens: 6 },
      },
    },
  ])
})

const SIGNED: readonly ContentEvent[] = [
  { type: 'reasoning', block: 0, delta: 'H' },
  { type: 'reasoning', block: 0, delta: 'm.' },
  { type: 'proof', block: 0, signature: { dialect: 'anthropic-messages', value: 'SIG' } },
  { type: 'block-end', block: 0 },
  { type: 'proof', block: 1, signature: { dialect: 'anthropic-messages', value: 'SEAL', redacted: true } },
  { type: 'block-end', block: 1 },
  { type: 'tool-start', block: 2, id: 'a', name: 'f', signature: { dialect: 'gemini', value: 'THOUGHT' } },
  { type: 'tool-start', block: 3, id: 'b', name: 'sql', isCustom: true },
  { type: 'tool-args', block: 3, delta: 'select' },
  { type: 'block-end', block: 2 },
  { type: 'block-end', block: 3 },
]
const DETAILS = [
  { type: 'reasoning.text', text: 'Hm.', signature: 'sluice.1.anthropic-messages.-..SIG', index: 0 },
  { type: 'reasoning.encrypted', data: 'sluice.1.anthropic-messages.r..SEAL', index: 1 },
]
const SIGNATURE = { extra_content: { google: { thought_signature: 'sluice.1.gemini.-..THOUGHT' } } }

it('carries signatures where clients of this dialect send them back', () => {
  expect(deltas(SIGNED).slice(1, -1)).toStrictEqual([
    { reasoning_content: 'H' },
    { reasoning_content: 'm.' },
    { reasoning_details: [DETAILS[0]] },
    { reasoning_details: [DETAILS[1]] },
    { tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' }, ...SIGNATURE }] },
    { tool_calls: [{ index: 1, id: 'b', type: 'custom', custom: { name: 'sql', input: '' } }] },
    { tool_calls: [{ index: 1, custom: { input: 'select' } }] },
    // Clients parse the joined pieces.
    { tool_calls: [{ index: 0, function: { arguments: '{}' } }] },
  ])
})

it('says the same in a whole reply', () => {
  const events: readonly AnswerEvent[] = [{ type: 'start', id: 'x', model: 'y' }, ...SIGNED, FINISH]
  expect(encodeReply(fold(events), context())).toStrictEqual({
    id: 'chatcmpl-seed',
    object: 'chat.completion',
    created: 1_790_000_000,
    model: 'm',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: null,
          refusal: null,
          reasoning_content: 'Hm.',
          reasoning_details: DETAILS,
          tool_calls: [
            { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' }, ...SIGNATURE },
            { id: 'b', type: 'custom', custom: { name: 'sql', input: 'select' } },
          ],
        },
        logprobs: null,
        finish_reason: 'tool_calls',
      },
    ],
  })
})

it('answers clients of the older form in that form', () => {
  const events: readonly ContentEvent[] = [
    { type: 'tool-start', block: 0, id: 'a', name: 'f' },
    { type: 'tool-args', block: 0, delta: '{"x":1}' },
    { type: 'block-end', block: 0 },
  ]
  const older = context({}, { isOlder: true })
  expect(deltas(events, older).slice(1, -1)).toStrictEqual([
    { function_call: { name: 'f', arguments: '' } },
    { function_call: { arguments: '{"x":1}' } },
  ])
  const reply = encodeReply(fold([...events, FINISH]), older)
  expect(reply['choices']).toMatchObject([
    { message: { function_call: { name: 'f', arguments: '{"x":1}' } }, finish_reason: 'function_call' },
  ])
})

it('counts the positions of sources from the beginning of the answer', () => {
  const citation = { url: 'https://a.b', start: 1, end: 3 }
  const cited = deltas([
    { type: 'text', block: 0, delta: 'four' },
    { type: 'block-end', block: 0 },
    { type: 'text', block: 1, delta: 'five' },
    { type: 'citation', block: 1, citation },
  ])
  expect(cited.at(-2)).toStrictEqual({
    annotations: [
      {
        type: 'url_citation',
        url_citation: { url: 'https://a.b', title: 'https://a.b', start_index: 5, end_index: 7 },
      },
    ],
  })
})

it('does not store a thought without end, but still signs it', () => {
  const delta = 'x'.repeat(1024 * 1024)
  const encoded = deltas([
    { type: 'reasoning', block: 0, delta },
    { type: 'reasoning', block: 0, delta },
    { type: 'proof', block: 0, signature: { dialect: 'anthropic-messages', value: 'SIG' } },
  ])
  expect(encoded.at(-2)).toMatchObject({ reasoning_details: [{ text: '', signature: expect.stringContaining('SIG') }] })
})

it('gives every source a position: clients that validate what they read refuse an answer without', () => {
  const encoder = openChatEncoder(context())
  const pieces = [
    { type: 'text', block: 0, delta: 'Snow.' },
    { type: 'citation', block: 0, citation: { url: 'https://a.b' } },
  ] as const
  const sent = pieces.flatMap((event) => encoder.push(event)).map((bytes) => new TextDecoder().decode(bytes))
  expect(sent.at(-1)).toContain('{"url":"https://a.b","title":"https://a.b","start_index":0,"end_index":0}')
})
