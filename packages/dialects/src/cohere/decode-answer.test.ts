import { expect, test } from 'vitest'
import type { Frame } from '../canon/codec.ts'
import { fold } from '../canon/reply.ts'
import { decodeCohereReply, openCohereDecoder } from './decode-answer.ts'

const frame = (type: string, event: object): Frame => ({ name: type, data: JSON.stringify({ type, ...event }) })
const said = (type: string, index: number, message: object) => frame(type, { index, delta: { message } })
const decode = (frames: readonly Frame[]) => {
  const decoder = openCohereDecoder()
  return [...frames.flatMap((one) => decoder.push(one)), ...decoder.end()]
}
const usage = { billed_units: { input_tokens: 5, output_tokens: 7 }, tokens: { input_tokens: 60, output_tokens: 9 } }
const begin = frame('message-start', { id: 'm-1', delta: { message: { role: 'assistant', content: [] } } })
const ended = (finish_reason: string, more: object = {}) =>
  frame('message-end', { delta: { finish_reason, usage, ...more } })
const text = (words: string) => said('content-delta', 0, { content: { text: words } })

test('a plan, then two calls', () => {
  const call = (id: string, name: string) => ({
    tool_calls: { id, type: 'function', function: { name, arguments: '' } },
  })
  const args = (piece: string) => ({ tool_calls: { function: { arguments: piece } } })
  const events = decode([
    begin,
    frame('tool-plan-delta', { delta: { message: { tool_plan: 'I will ' } } }),
    frame('tool-plan-delta', { delta: { message: { tool_plan: 'look.' } } }),
    said('tool-call-start', 0, call('t1', 'time')),
    said('tool-call-delta', 0, args('{"zone":')),
    said('tool-call-delta', 0, args('"UTC"}')),
    said('tool-call-end', 0, {}),
    said('tool-call-start', 1, call('t2', 'date')),
    said('tool-call-end', 1, {}),
    ended('TOOL_CALL'),
  ])
  expect(events.map(({ type }) => type)).toStrictEqual([
    'start', 'reasoning', 'reasoning', 'block-end', 'tool-start', 'tool-args', 'tool-args', 'block-end',
    'tool-start', 'block-end', 'usage', 'finish',
  ]) // prettier-ignore
  expect(fold(events)).toMatchObject({
    id: 'm-1',
    blocks: [
      { kind: 'reasoning', text: 'I will look.' },
      { kind: 'tool', id: 't1', name: 'time', args: '{"zone":"UTC"}' },
      { kind: 'tool', id: 't2', name: 'date', args: '' },
    ],
    finish: { reason: 'tool-calls', raw: 'TOOL_CALL' },
    usage: { counts: { input: 5, output: 7 } },
  })
})

test('thoughts, then text with its sources; a whole reply folds to the same', () => {
  const citation = {
    start: 0,
    end: 2,
    text: 'Hi',
    sources: [
      { type: 'document', id: 'doc:1', document: { title: 'A', url: 'https://a.example' } },
      { type: 'tool', id: 'time:0', tool_output: {} },
    ],
  }
  const streamed = decode([
    begin,
    said('content-start', 0, { content: { type: 'thinking', thinking: '' } }),
    said('content-delta', 0, { content: { thinking: 'Hm' } }),
    said('content-end', 0, {}),
    said('content-start', 1, { content: { type: 'text', text: '' } }),
    said('content-delta', 1, { content: { text: 'Hi' } }),
    said('citation-start', 0, { citations: citation }),
    said('citation-end', 0, {}),
    said('content-end', 1, {}),
    ended('COMPLETE'),
  ])
  const whole = decodeCohereReply({
    id: 'm-1',
    finish_reason: 'COMPLETE',
    message: {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm' },
        { type: 'text', text: 'Hi' },
      ],
      citations: [citation],
    },
    usage,
  })
  expect(fold(streamed)).toStrictEqual(fold(whole))
  expect(fold(whole).blocks).toStrictEqual([
    { kind: 'reasoning', text: 'Hm', signature: undefined },
    {
      kind: 'text',
      text: 'Hi',
      citations: [
        { url: 'https://a.example', title: 'A', quote: 'Hi', start: 0, end: 2 },
        { url: '', title: 'time:0', quote: 'Hi', start: 0, end: 2 },
      ],
    },
  ])
})

test.each([
  ['COMPLETE', 'stop'],
  ['STOP_SEQUENCE', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['ERROR_TOXIC', 'content-filter'],
  ['SOMETHING_NEW', 'stop'],
])('%s is %s', (raw, reason) => {
  expect(decode([begin, text('Hi'), ended(raw)]).at(-1)).toStrictEqual({ type: 'finish', reason, raw })
})

test.each([
  ['an end by an error', ended('ERROR', { error: 'NOGENERATION' }), { message: 'NOGENERATION', code: 502 }],
  ['a time-out', ended('TIMEOUT'), { type: 'TIMEOUT', code: 504 }],
  ['a bare message', { name: '', data: '{"message":"too many requests"}' }, { message: 'too many requests' }],
  ['an event that is not JSON', { name: '', data: 'upstream gone' }, { message: 'upstream gone' }],
])('%s ends the stream as an error, and nothing follows', (_, bad, error) => {
  const events = decode([begin, text('Hi'), bad, text('more'), ended('COMPLETE')])
  expect(events.at(-1)).toMatchObject({ type: 'error', error })
  expect(events.filter(({ type }) => type === 'text')).toHaveLength(1)
})

test('a stream without its last event is broken off', () => {
  expect(decode([begin, text('Hi')]).map(({ type }) => type)).toStrictEqual(['start', 'text'])
})

test('arguments of a call that never began, and unknown events, are left out', () => {
  const args = { tool_calls: { function: { arguments: '{}' } } }
  const events = decode([begin, said('tool-call-delta', 3, args), frame('debug', {}), ended('COMPLETE')])
  expect(events.map(({ type }) => type)).toStrictEqual(['start', 'usage', 'finish'])
})
