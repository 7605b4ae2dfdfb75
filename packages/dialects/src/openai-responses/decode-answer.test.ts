import { expect, it, test } from 'vitest'
import type { AnswerEvent } from '../canon/events.ts'
import { fold } from '../canon/reply.ts'
import type { JsonObject } from '../json-value.ts'
import { decodeReply, openDecoder } from './decode-answer.ts'

function read(...events: readonly JsonObject[]): readonly AnswerEvent[] {
  const decoder = openDecoder()
  const read = events.flatMap((event) => decoder.push({ name: '', data: JSON.stringify(event) }))
  return [...read, ...decoder.end()]
}

const CREATED = { type: 'response.created', response: { id: 'resp_1', model: 'gpt', status: 'in_progress' } }
const usage = { input_tokens: 5, output_tokens: 7 }
const completed = (output: readonly JsonObject[], more: JsonObject = {}) => ({
  type: 'response.completed',
  response: { id: 'resp_1', model: 'gpt', status: 'completed', output, usage, ...more },
})
const call = (index: number, args = '') => ({
  id: `fc_${index}`,
  type: 'function_call',
  call_id: `c${index}`,
  name: 'f',
  arguments: args,
})
const FINISH = { type: 'finish', reason: 'stop', raw: 'completed' }

it('keeps parallel calls apart, even where their arguments interleave', () => {
  const events = read(
    CREATED,
    { type: 'response.output_item.added', output_index: 0, item: call(0) },
    { type: 'response.output_item.added', output_index: 1, item: call(1) },
    { type: 'response.function_call_arguments.delta', output_index: 1, delta: '{"b":' },
    { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{}' },
    { type: 'response.function_call_arguments.delta', output_index: 1, delta: '1}' },
    { type: 'response.output_item.done', output_index: 0, item: call(0, '{}') },
    { type: 'response.output_item.done', output_index: 1, item: call(1, '{"b":1}') },
    completed([call(0, '{}'), call(1, '{"b":1}')]),
  )
  expect(fold(events)).toMatchObject({
    id: 'resp_1',
    model: 'gpt',
    blocks: [
      { kind: 'tool', id: 'c0', args: '{}' },
      { kind: 'tool', id: 'c1', args: '{"b":1}' },
    ],
    finish: { reason: 'tool-calls' },
    usage: { counts: { input: 5, output: 7 } },
  })
})

it('takes from the end what a server left out before', () => {
  const reasoning = {
    id: 'rs_1',
    type: 'reasoning',
    summary: [{ type: 'summary_text', text: 'Hm.' }],
    encrypted_content: 'S',
  }
  const text = {
    type: 'output_text',
    text: 'Yes.',
    annotations: [{ type: 'url_citation', url: 'https://a', title: 'A' }],
  }
  const message = { id: 'msg_1', type: 'message', content: [text, { type: 'refusal', refusal: 'No more.' }] }
  const output = [reasoning, message, call(2, '{}')]
  const blocks = [
    { kind: 'reasoning', text: 'Hm.', signature: { dialect: 'openai-responses', value: 'S', item: 'rs_1' } },
    { kind: 'text', text: 'Yes.', citations: [{ url: 'https://a', title: 'A' }] },
    { kind: 'refusal', text: 'No more.' },
    { kind: 'tool', id: 'c2', name: 'f', args: '{}' },
  ]
  expect(fold(read(completed(output))).blocks).toMatchObject(blocks)
  expect(fold(decodeReply(completed(output).response)).blocks).toMatchObject(blocks)
  const whole = output.map((item, index) => ({ type: 'response.output_item.done', output_index: index, item }))
  expect(fold(read(CREATED, ...whole, completed(output))).blocks).toMatchObject(blocks)
})

it('joins the parts of a summary by blank lines, and takes thoughts or their summary, not both', () => {
  const part = (type: string, index: number, delta: string) => ({ type, output_index: 0, summary_index: index, delta })
  const events = read(
    part('response.reasoning_summary_text.delta', 0, 'One'),
    part('response.reasoning_summary_text.delta', 0, ' more'),
    { type: 'response.reasoning_text.delta', output_index: 0, content_index: 0, delta: 'The same at length' },
    part('response.reasoning_summary_text.delta', 1, 'Two'),
    completed([
      { id: 'rs', type: 'reasoning', summary: [{ text: 'One more' }, { text: 'Two' }], encrypted_content: 'S' },
    ]),
  )
  expect(fold(events).blocks).toMatchObject([{ kind: 'reasoning', text: 'One more\n\nTwo', signature: { value: 'S' } }])
})

it('marks reasoning without readable text as redacted', () => {
  const events = read(completed([{ id: 'rs', type: 'reasoning', summary: [], encrypted_content: 'S' }]))
  expect(events).toContainEqual({
    type: 'proof',
    block: 0,
    signature: { dialect: 'openai-responses', value: 'S', redacted: true, item: 'rs' },
  })
})

it('returns pictures as pictures and other tools of the provider as they are', () => {
  const search = { id: 'ws', type: 'web_search_call', status: 'completed' }
  const picture = { id: 'ig', type: 'image_generation_call', result: 'AAAA', output_format: 'webp' }
  expect(fold(read(completed([search, picture]))).blocks).toEqual([
    { kind: 'opaque', dialect: 'openai-responses', name: 'web_search_call', value: search },
    { kind: 'image', mime: 'image/webp', data: 'AAAA' },
  ])
})

test.each<[JsonObject, object]>([
  [
    { type: 'response.incomplete', response: { incomplete_details: { reason: 'max_output_tokens' } } },
    { reason: 'length' },
  ],
  [
    { type: 'response.incomplete', response: { incomplete_details: { reason: 'content_filter' } } },
    { reason: 'content-filter' },
  ],
  [{ type: 'response.completed', response: { output: [] } }, FINISH],
])('%j ends as %j', (event, finish) => {
  expect(read(event).at(-1)).toMatchObject({ type: 'finish', ...finish })
})

const ERROR = { code: 'rate_limit_exceeded', message: 'Too much.' }
test.each<[JsonObject]>([
  [{ type: 'response.failed', response: { error: ERROR } }],
  [{ type: 'error', ...ERROR, param: null }],
  [{ type: 'error', error: { type: 'x', ...ERROR } }],
  [{ error: ERROR }],
])('%j is an error, and nothing follows it', (event) => {
  const events = read(event, completed([]))
  expect(events.at(-1)).toMatchObject({ type: 'error', error: ERROR })
  expect(events.filter(({ type }) => type === 'error' || type === 'finish')).toHaveLength(1)
})

it('reads a whole reply that is not a response as an error', () => {
  expect(decodeReply({ error: ERROR })).toMatchObject([{ type: 'error', error: ERROR }])
  expect(decodeReply({ nothing: true })).toMatchObject([{ type: 'error' }])
  expect(decodeReply({ status: 'queued', output: [] }).at(-1)).toMatchObject({ type: 'error' })
})

it('has no finish when the terminal event is missing', () => {
  const types = read(CREATED, { type: 'response.output_text.delta', output_index: 0, delta: 'Hi' }).map(
    ({ type }) => type,
  )
  expect(types).toEqual(['start', 'text'])
})
