import { describe, expect, it, test } from 'vitest'
import type { AnswerEvent } from '../canon/events.ts'
import { fold } from '../canon/reply.ts'
import type { JsonObject } from '../json-value.ts'
import { decodeReply, openChatDecoder } from './decode-answer.ts'

const PLAIN = { thinkTags: false }

function read(chunks: readonly (JsonObject | string)[], options = PLAIN): readonly AnswerEvent[] {
  const decoder = openChatDecoder(options)
  const events = chunks.flatMap((chunk) =>
    decoder.push({ name: '', data: typeof chunk === 'string' ? chunk : JSON.stringify(chunk) }),
  )
  return [...events, ...decoder.end()]
}
const delta = (fields: JsonObject, finish: string | null = null) => ({
  id: 'chatcmpl-1',
  model: 'm',
  choices: [{ index: 0, delta: fields, finish_reason: finish }],
})
const piece = (fields: JsonObject) => delta({ tool_calls: [fields] })
const STOP = delta({}, 'stop')
const blocks = (...chunks: readonly (JsonObject | string)[]) => fold(read([...chunks, STOP, '[DONE]'])).blocks
const tool = (id: string, name: string, args: string, more: JsonObject = {}) => ({
  kind: 'tool',
  id,
  name,
  args,
  isCustom: false,
  signature: undefined,
  ...more,
})

it('reads Azure’s first chunk, text, the finish and the usage that follows it', () => {
  const events = read([
    { id: '', model: '', choices: [], prompt_filter_results: [] },
    delta({ role: 'assistant', content: '' }),
    delta({ content: 'Hel' }),
    delta({ content: 'lo' }),
    STOP,
    { id: 'chatcmpl-1', model: 'm', choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } },
    '[DONE]',
  ])
  expect(events).toMatchObject([
    { type: 'start', id: 'chatcmpl-1', model: 'm' },
    { type: 'text', block: 0, delta: 'Hel' },
    { type: 'text', block: 0, delta: 'lo' },
    { type: 'usage', report: { counts: { input: 3, output: 2 } } },
    { type: 'block-end', block: 0 },
    { type: 'finish', reason: 'stop', raw: 'stop' },
  ])
})

describe('thoughts', () => {
  it.each(['reasoning_content', 'reasoning', 'reasoning_text', 'thinking'])('are read from %s', (field) => {
    expect(blocks(delta({ [field]: 'Hm.' }), delta({ content: 'Yes' }))).toMatchObject([
      { kind: 'reasoning', text: 'Hm.' },
      { kind: 'text', text: 'Yes' },
    ])
  })

  it('are not repeated for OpenRouter, whose entries are kept to be sent back', () => {
    const entry = { type: 'reasoning.text', format: 'anthropic-claude-v1', index: 0 }
    expect(
      blocks(
        delta({ reasoning: 'Let ', reasoning_details: [{ ...entry, text: 'Let ' }] }),
        delta({ reasoning: 'me.', reasoning_details: [{ ...entry, text: 'me.' }] }),
        delta({ reasoning: null, reasoning_details: [{ ...entry, signature: 'SIG' }] }),
        delta({ content: 'Yes' }),
      ),
    ).toStrictEqual([
      {
        kind: 'reasoning',
        text: 'Let me.',
        signature: { dialect: 'openai-chat', value: JSON.stringify([{ ...entry, signature: 'SIG' }]) },
      },
      { kind: 'text', text: 'Yes', citations: [] },
    ])
  })

  it('are read from entries alone', () => {
    expect(blocks(delta({ reasoning_details: [{ type: 'reasoning.text', text: 'Hm.' }] }))).toMatchObject([
      { kind: 'reasoning', text: 'Hm.', signature: undefined },
    ])
  })

  it('are read from Mistral’s lists', () => {
    const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }
    expect(blocks(delta({ content: [thinking] }), delta({ content: [{ type: 'text', text: 'Yes' }] }))).toMatchObject([
      { kind: 'reasoning', text: 'Hm.' },
      { kind: 'text', text: 'Yes' },
    ])
  })

  it('are taken out of their tags where the provider writes them so', () => {
    const chunks = [delta({ content: '<thi' }), delta({ content: 'nk>Hm.</think>\n\nYes' }), STOP, '[DONE]']
    expect(fold(read(chunks, { thinkTags: true })).blocks).toMatchObject([
      { kind: 'reasoning', text: 'Hm.' },
      { kind: 'text', text: 'Yes' },
    ])
    expect(fold(read(chunks)).blocks).toMatchObject([{ kind: 'text', text: '<think>Hm.</think>\n\nYes' }])
  })
})

describe('calls', () => {
  it('are kept apart where their pieces interleave', () => {
    const events = read([
      piece({ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } }),
      piece({ index: 1, id: 'b', type: 'function', function: { name: 'g', arguments: '{"y":' } }),
      piece({ index: 0, function: { arguments: '{}' } }),
      piece({ index: 1, function: { arguments: '2}' } }),
      delta({}, 'tool_calls'),
    ])
    expect(fold(events).blocks).toStrictEqual([tool('a', 'f', '{}'), tool('b', 'g', '{"y":2}')])
    expect(events.at(-1)).toStrictEqual({ type: 'finish', reason: 'tool-calls', raw: 'tool_calls' })
  })

  it('are kept apart where all of them are number 0', () => {
    expect(
      blocks(
        piece({ index: 0, id: 'a', function: { name: 'f', arguments: '{"x":1}' } }),
        piece({ index: 0, id: 'b', function: { name: 'f', arguments: '{"x":' } }),
        piece({ index: 0, function: { arguments: '2}' } }),
      ),
    ).toStrictEqual([tool('a', 'f', '{"x":1}'), tool('b', 'f', '{"x":2}')])
  })

  it('are matched by their ids, or by their order, where they have no numbers', () => {
    expect(
      blocks(
        piece({ id: 'a', function: { name: 'f', arguments: '{' } }),
        piece({ function: { arguments: '}' } }),
        piece({ id: 'b', function: { name: 'g', arguments: '{}' } }),
      ),
    ).toStrictEqual([tool('a', 'f', '{}'), tool('b', 'g', '{}')])
  })

  it('get an id where they have none, and wait for their name', () => {
    expect(
      blocks(
        piece({ index: 0, function: { arguments: '{"x"' } }),
        piece({ index: 0, function: { name: 'f', arguments: ':1}' } }),
      ),
    ).toStrictEqual([tool('call_chatcmpl-1_0', 'f', '{"x":1}')])
  })

  it('may be free text, carry a signature, or have the older form', () => {
    expect(
      blocks(
        piece({ index: 0, id: 'a', type: 'custom', custom: { name: 'sql', input: 'select' } }),
        piece({ index: 0, custom: { input: ' 1' } }),
        piece({
          index: 1,
          id: 'b',
          function: { name: 'f', arguments: '{}' },
          extra_content: { google: { thought_signature: 'T' } },
        }),
        delta({ function_call: { name: 'g', arguments: '{}' } }),
      ),
    ).toStrictEqual([
      tool('a', 'sql', 'select 1', { isCustom: true }),
      tool('b', 'f', '{}', { signature: { dialect: 'gemini', value: 'T' } }),
      tool('call_chatcmpl-1_2', 'g', '{}'),
    ])
  })

  it('may have their arguments as an object', () => {
    expect(blocks(piece({ index: 0, id: 'a', function: { name: 'f', arguments: { x: 1 } } }))).toStrictEqual([
      tool('a', 'f', '{"x":1}'),
    ])
  })

  it('let text that comes after them wait', () => {
    expect(
      blocks(piece({ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }), delta({ content: 'So.' })),
    ).toMatchObject([{ kind: 'tool' }, { kind: 'text', text: 'So.' }])
  })
})

it('reads refusals, sources, pictures and sound', () => {
  expect(
    blocks(
      delta({
        content: 'See',
        annotations: [{ type: 'url_citation', url_citation: { url: 'https://a.b', title: 'A' } }],
      }),
      delta({ images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] }),
      delta({ audio: { id: 'x', data: 'AAAA', transcript: 'hear' } }),
      delta({ refusal: 'No.' }),
    ),
  ).toMatchObject([
    { kind: 'text', text: 'See', citations: [{ url: 'https://a.b', title: 'A' }] },
    { kind: 'image', mime: 'image/png', data: 'AAAA' },
    { kind: 'audio', data: 'AAAA' },
    { kind: 'refusal', text: 'No.' },
    { kind: 'text', text: 'hear' },
  ])
})

test.each([
  ['stop', 'stop'],
  ['eos', 'stop'],
  ['anything', 'stop'],
  ['model_length', 'length'],
  ['sensitive', 'content-filter'],
  ['constructor', 'stop'],
])('the word %s means %s', (raw, reason) => {
  expect(read([delta({ content: 'x' }, raw)]).at(-1)).toStrictEqual({ type: 'finish', reason, raw })
})

test.each([
  ['an error in its place', { error: { message: 'Overloaded', code: 529 } }, 'Overloaded'],
  ['a code beside no choices', { code: 10_013, message: 'Filtered', sid: 'x' }, 'Filtered'],
  ['a word for a break', delta({ content: 'x' }, 'insufficient_system_resource'), /insufficient_system_resource/],
])('%s ends the answer', (_, chunk, message) => {
  const events = read([delta({ content: 'Hel' }), chunk, delta({ content: 'lo' }), STOP, '[DONE]'])
  const errors = events.filter((event) => event.type === 'error')
  expect(events.at(-1)).toBe(errors[0])
  expect(errors[0]?.error.message).toMatch(message)
})

it('takes a stream without a finish for broken, and one that is done for complete', () => {
  expect(read([delta({ content: 'Hel' })]).at(-1)).toMatchObject({ type: 'text' })
  expect(read([delta({ content: 'Hel' }), '[DONE]']).at(-1)).toMatchObject({ type: 'finish', reason: 'stop' })
  expect(read([delta({ content: 'Hel' }, 'stop')]).at(-1)).toMatchObject({ type: 'finish', reason: 'stop' })
})

it('reads a whole reply as it reads a stream, with calls that have no numbers', () => {
  const call = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })
  const reply = {
    id: 'chatcmpl-1',
    model: 'm',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'Yes', reasoning_content: 'Hm.', tool_calls: [call('a'), call('b')] },
        finish_reason: 'tool_calls',
        stop_reason: null,
      },
    ],
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  }
  expect(fold(decodeReply(reply, PLAIN))).toMatchObject({
    blocks: [{ kind: 'reasoning' }, { kind: 'text' }, tool('a', 'f', '{}'), tool('b', 'f', '{}')],
    finish: { reason: 'tool-calls' },
    usage: { counts: { input: 3, output: 2 } },
  })
  expect(decodeReply({ base_resp: { status_code: 1_004, status_msg: 'No key' } }, PLAIN)).toMatchObject([
    { type: 'error', error: { message: 'No key' } },
  ])
  expect(decodeReply({ choices: [] }, PLAIN)).toStrictEqual([])
})

it('does not keep back more than any answer holds', () => {
  const large = 'x'.repeat(1024 * 1024)
  const decoder = openChatDecoder(PLAIN)
  const push = (chunk: JsonObject) => decoder.push({ name: '', data: JSON.stringify(chunk) })
  push(piece({ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }))
  const events = Array.from({ length: 20 }, () => push(delta({ content: large }))).flat()
  expect(events).toMatchObject([{ type: 'error' }])
})
