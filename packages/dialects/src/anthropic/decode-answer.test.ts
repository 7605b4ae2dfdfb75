import { describe, expect, test } from 'vitest'
import type { AnswerEvent } from '../canon/events.ts'
import { fold } from '../canon/reply.ts'
import { decodeReply, openDecoder } from './decode-answer.ts'

interface Event {
  readonly type: string
  readonly [name: string]: unknown
}

function decoded(events: readonly Event[]): readonly AnswerEvent[] {
  const decoder = openDecoder()
  const read = events.flatMap((event) => decoder.push({ name: event.type, data: JSON.stringify(event) }))
  return [...read, ...decoder.end()]
}

const USAGE = { input_tokens: 10, cache_read_input_tokens: 90, output_tokens: 1 }
const start: Event = { type: 'message_start', message: { id: 'msg_1', model: 'claude', usage: USAGE } }
const begin = (index: number, content_block: object): Event => ({ type: 'content_block_start', index, content_block })
const delta = (index: number, more: object): Event => ({ type: 'content_block_delta', index, delta: more })
const stop = (index: number): Event => ({ type: 'content_block_stop', index })
const ended = (stop_reason: string, more: object = {}): Event => ({
  type: 'message_delta',
  delta: { stop_reason, ...more },
  usage: { output_tokens: 20 },
})
const over: Event = { type: 'message_stop' }
const dialect = 'anthropic-messages'

test('thoughts, text and calls arrive in order, with the signature in one piece', () => {
  const events = decoded([
    start,
    begin(0, { type: 'thinking', thinking: '', signature: '' }),
    delta(0, { type: 'thinking_delta', thinking: 'Two calls.' }),
    delta(0, { type: 'signature_delta', signature: 'Eq' }),
    delta(0, { type: 'signature_delta', signature: 'QB' }),
    stop(0),
    { type: 'ping' },
    begin(1, { type: 'text', text: '' }),
    delta(1, { type: 'text_delta', text: 'Look' }),
    stop(1),
    begin(2, { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} }),
    delta(2, { type: 'input_json_delta', partial_json: '' }),
    delta(2, { type: 'input_json_delta', partial_json: '{"a":1}' }),
    stop(2),
    begin(3, { type: 'tool_use', id: 'toolu_2', name: 'g', input: {} }),
    stop(3),
    ended('tool_use'),
    over,
  ])
  expect(events.filter(({ type }) => type !== 'usage')).toEqual([
    { type: 'start', id: 'msg_1', model: 'claude' },
    { type: 'reasoning', block: 0, delta: 'Two calls.' },
    { type: 'proof', block: 0, signature: { dialect, value: 'EqQB' } },
    { type: 'block-end', block: 0 },
    { type: 'text', block: 1, delta: 'Look' },
    { type: 'block-end', block: 1 },
    { type: 'tool-start', block: 2, id: 'toolu_1', name: 'f' },
    { type: 'tool-args', block: 2, delta: '{"a":1}' },
    { type: 'block-end', block: 2 },
    { type: 'tool-start', block: 3, id: 'toolu_2', name: 'g' },
    { type: 'tool-args', block: 3, delta: '{}' },
    { type: 'block-end', block: 3 },
    { type: 'finish', reason: 'tool-calls', raw: 'tool_use' },
  ])
  expect(fold(events).usage?.counts).toMatchObject({ input: 10, cachedInput: 90, output: 20 })
})

test('thoughts that consist of a signature are kept, and so are redacted ones', () => {
  const { blocks } = fold(
    decoded([
      start,
      begin(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'signature_delta', signature: 'EqQB' }),
      stop(0),
      begin(1, { type: 'redacted_thinking', data: 'Emw' }),
      stop(1),
      ended('end_turn'),
      over,
    ]),
  )
  expect(blocks).toEqual([
    { kind: 'reasoning', text: '', signature: { dialect, value: 'EqQB' } },
    { kind: 'reasoning', text: '', signature: { dialect, value: 'Emw', redacted: true } },
  ])
})

test('a tool that the server ran is returned whole, with the input that came in pieces', () => {
  const { blocks } = fold(
    decoded([
      start,
      begin(0, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }),
      delta(0, { type: 'input_json_delta', partial_json: '{"query":' }),
      delta(0, { type: 'input_json_delta', partial_json: '"sluice"}' }),
      stop(0),
      ended('pause_turn'),
      over,
    ]),
  )
  const value = { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'sluice' } }
  expect(blocks).toEqual([{ kind: 'opaque', dialect, name: 'server_tool_use', value }])
})

test('sources belong to the text of their block', () => {
  const citation = { type: 'web_search_result_location', url: 'https://e.com', title: 'E', cited_text: 'so' }
  const events = decoded([
    start,
    begin(0, { type: 'text', text: '' }),
    delta(0, { type: 'citations_delta', citation }),
    delta(0, { type: 'text_delta', text: 'So.' }),
    stop(0),
    ended('end_turn'),
    over,
  ])
  expect(fold(events).blocks).toEqual([
    { kind: 'text', text: 'So.', citations: [{ url: 'https://e.com', title: 'E', quote: 'so' }] },
  ])
})

test('the reason why the model declined becomes a refusal', () => {
  const details = { stop_details: { type: 'refusal', explanation: 'Not that.' } }
  const { blocks, finish } = fold(decoded([start, ended('refusal', details), over]))
  expect(blocks).toEqual([{ kind: 'refusal', text: 'Not that.' }])
  expect(finish).toMatchObject({ reason: 'content-filter', raw: 'refusal' })
})

describe('the end', () => {
  test.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['pause_turn', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['tool_use', 'tool-calls'],
    ['refusal', 'content-filter'],
    ['of_tomorrow', 'stop'],
  ])('%s is %s', (raw, reason) => {
    expect(
      decoded([start, ended(raw, { stop_sequence: raw === 'stop_sequence' ? 'END' : null }), over]).at(-1),
    ).toEqual({
      type: 'finish',
      reason,
      raw,
      ...(raw === 'stop_sequence' ? { stopSequence: 'END' } : {}),
    })
  })

  test('a stop reason ends the answer even without message_stop; without a stop reason there is no end', () => {
    expect(decoded([start, ended('end_turn')]).at(-1)).toMatchObject({ type: 'finish' })
    expect(decoded([start, begin(0, { type: 'text', text: 'x' })]).at(-1)).toEqual({
      type: 'text',
      block: 0,
      delta: 'x',
    })
  })

  test('an error is the last event, whatever it looks like', () => {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
    const events = decoded([start, error, ended('end_turn'), over])
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { message: 'Overloaded', type: 'overloaded_error' } })
    const broken = openDecoder().push({ name: 'message_start', data: '{"type":"mess' })
    expect(broken).toMatchObject([{ type: 'error' }])
  })
})

test('a whole reply says what its stream would', () => {
  const reply = {
    id: 'msg_1',
    type: 'message',
    model: 'claude',
    content: [
      { type: 'thinking', thinking: 'Hm', signature: 'EqQB' },
      { type: 'text', text: 'Hi' },
      { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: 1 } },
    ],
    stop_reason: 'tool_use',
    stop_sequence: null,
    usage: { input_tokens: 3, output_tokens: 4 },
  }
  expect(fold(decodeReply(reply))).toMatchObject({
    id: 'msg_1',
    model: 'claude',
    blocks: [
      { kind: 'reasoning', text: 'Hm', signature: { dialect, value: 'EqQB' } },
      { kind: 'text', text: 'Hi' },
      { kind: 'tool', id: 'toolu_1', name: 'f', args: '{"a":1}' },
    ],
    finish: { reason: 'tool-calls' },
    usage: { counts: { input: 3, output: 4 } },
  })
  expect(decodeReply({ type: 'error', error: { message: 'No' } })).toMatchObject([{ type: 'error' }])
  expect(decodeReply({})).toMatchObject([{ type: 'error' }])
})
