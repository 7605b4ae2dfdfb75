import { expect, test } from 'vitest'
import type { Frame } from '../canon/codec.ts'
import { fold } from '../canon/reply.ts'
import { decodeConverseReply, openConverseDecoder } from './decode-answer.ts'

const frame = (name: string, event: object): Frame => ({ name, data: JSON.stringify(event) })
const decode = (frames: readonly Frame[]) => {
  const decoder = openConverseDecoder()
  return [...frames.flatMap((one) => decoder.push(one)), ...decoder.end()]
}
const delta = (contentBlockIndex: number, event: object) =>
  frame('contentBlockDelta', { contentBlockIndex, delta: event, p: 'abcdef' })
const stop = (contentBlockIndex: number) => frame('contentBlockStop', { contentBlockIndex })
const begin = frame('messageStart', { role: 'assistant' })
const ended = (stopReason: string) => frame('messageStop', { stopReason })
const usage = { inputTokens: 9, outputTokens: 20, totalTokens: 29 }
const metadata = frame('metadata', { usage, metrics: { latencyMs: 420 } })

test('a stream that thinks, speaks and calls two tools', () => {
  const call = (contentBlockIndex: number, name: string) =>
    frame('contentBlockStart', { contentBlockIndex, start: { toolUse: { toolUseId: `tooluse_${name}`, name } } })
  const events = decode([
    begin,
    delta(0, { reasoningContent: { text: 'Let me ' } }),
    delta(0, { reasoningContent: { text: 'see.' } }),
    delta(0, { reasoningContent: { signature: 'c2ln' } }),
    stop(0),
    delta(1, { text: 'I look' }),
    stop(1),
    call(2, 'time'),
    delta(2, { toolUse: { input: '{"zone":' } }),
    delta(2, { toolUse: { input: '"UTC"}' } }),
    stop(2),
    call(3, 'weather'),
    delta(3, { toolUse: { input: '' } }),
    stop(3),
    ended('tool_use'),
    metadata,
  ])
  expect(events.map(({ type }) => type)).toStrictEqual([
    'start', 'reasoning', 'reasoning', 'proof', 'block-end', 'text', 'block-end',
    'tool-start', 'tool-args', 'tool-args', 'block-end', 'tool-start', 'block-end', 'usage', 'finish',
  ]) // prettier-ignore
  const { blocks, finish, usage: report } = fold(events)
  expect(blocks).toMatchObject([
    { kind: 'reasoning', text: 'Let me see.', signature: { dialect: 'bedrock-converse', value: 'c2ln' } },
    { kind: 'text', text: 'I look' },
    { kind: 'tool', id: 'tooluse_time', name: 'time', args: '{"zone":"UTC"}' },
    { kind: 'tool', id: 'tooluse_weather', name: 'weather', args: '' },
  ])
  expect(finish).toStrictEqual({ type: 'finish', reason: 'tool-calls', raw: 'tool_use' })
  expect(report?.counts).toMatchObject({ input: 9, output: 20 })
})

test('a whole reply folds to what its stream folds to', () => {
  const whole = decodeConverseReply({
    output: {
      message: {
        role: 'assistant',
        content: [
          { reasoningContent: { reasoningText: { text: 'Hm', signature: 'c2ln' } } },
          { reasoningContent: { redactedContent: 'AAEC' } },
          { text: 'Hi' },
          { toolUse: { toolUseId: 'a', name: 'f', input: { x: 1 } } },
        ],
      },
    },
    stopReason: 'end_turn',
    usage,
  })
  const streamed = decode([
    begin,
    delta(0, { reasoningContent: { text: 'Hm' } }),
    delta(0, { reasoningContent: { signature: 'c2ln' } }),
    stop(0),
    delta(1, { reasoningContent: { redactedContent: 'AAEC' } }),
    stop(1),
    delta(2, { text: 'Hi' }),
    stop(2),
    frame('contentBlockStart', { contentBlockIndex: 3, start: { toolUse: { toolUseId: 'a', name: 'f' } } }),
    delta(3, { toolUse: { input: '{"x":1}' } }),
    stop(3),
    ended('end_turn'),
    metadata,
  ])
  expect(fold(whole)).toStrictEqual(fold(streamed))
})

test.each([
  ['end_turn', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['guardrail_intervened', 'content-filter'],
  ['something_new', 'stop'],
])('%s is %s', (raw, reason) => {
  expect(decode([begin, ended(raw), metadata]).at(-1)).toStrictEqual({ type: 'finish', reason, raw })
})

test('the stop sequence is reported where the model reports it', () => {
  const event = frame('messageStop', {
    stopReason: 'stop_sequence',
    additionalModelResponseFields: { stop_sequence: 'END' },
  })
  expect(decode([begin, event, metadata]).at(-1)).toMatchObject({ reason: 'stop', stopSequence: 'END' })
})

test('a stream that ends without its metadata is still complete', () => {
  expect(decode([begin, delta(0, { text: 'Hi' }), ended('end_turn')]).map(({ type }) => type)).toStrictEqual([
    'start',
    'text',
    'block-end',
    'finish',
  ])
})

test('a stream that ends before its stop event is broken off', () => {
  expect(decode([begin, delta(0, { text: 'Hi' })]).map(({ type }) => type)).toStrictEqual(['start', 'text'])
})

test.each([
  [
    'an exception',
    frame('exception:throttlingException', { message: 'Too many requests' }),
    { message: 'Too many requests', type: 'throttlingException', code: 429 },
  ],
  [
    'an error of the model itself',
    frame('exception:modelStreamErrorException', { message: 'oh', originalStatusCode: 400 }),
    { message: 'oh', code: 424 },
  ],
  ['an exception nobody knows', frame('exception:newException', {}), { type: 'newException', code: 502 }],
  ['a malformed call', ended('malformed_tool_use'), { type: 'malformed_tool_use', code: 502 }],
  ['an event that is not JSON', { name: 'contentBlockDelta', data: '{"con' }, { code: 502 }],
])('%s ends the stream as an error, and nothing follows', (_, bad, error) => {
  const events = decode([begin, delta(0, { text: 'Hi' }), bad, delta(0, { text: 'more' }), ended('end_turn'), metadata])
  expect(events.map(({ type }) => type)).toStrictEqual(['start', 'text', 'error'])
  expect(events.at(-1)).toMatchObject({ error })
})

test('citations of the web keep their address', () => {
  const source = { title: 'A', sourceContent: [{ text: 'said' }], location: { web: { url: 'https://a.example' } } }
  const events = decode([begin, delta(0, { text: 'Hi' }), delta(0, { citation: source }), ended('end_turn')])
  expect(events).toContainEqual({
    type: 'citation',
    block: 0,
    citation: { url: 'https://a.example', title: 'A', quote: 'said' },
  })
})

test('a tool that Bedrock ran itself is kept as it arrived', () => {
  const start = { toolResult: { toolUseId: 't', status: 'success' } }
  const events = decode([begin, frame('contentBlockStart', { contentBlockIndex: 0, start }), ended('end_turn')])
  expect(events).toContainEqual({
    type: 'opaque',
    block: 0,
    dialect: 'bedrock-converse',
    name: 'toolResult',
    value: start,
  })
})

test('a reply that is an error is one', () => {
  expect(decodeConverseReply({ message: 'The provided model identifier is invalid.' })).toMatchObject([
    { type: 'error', error: { message: 'The provided model identifier is invalid.' } },
  ])
})
