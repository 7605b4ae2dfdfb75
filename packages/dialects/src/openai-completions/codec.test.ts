import { expect, it, test } from 'vitest'
import { isBodyRefusal } from '../body-refusal.ts'
import type { AnswerContext } from '../canon/codec.ts'
import type { ContentEvent } from '../canon/events.ts'
import { fold } from '../canon/reply.ts'
import type { JsonObject } from '../json-value.ts'
import { completionsClientCodec as codec } from './codec.ts'

function decode(body: JsonObject) {
  const request = codec.decodeRequest({ model: 'm', ...body }, {})
  if (isBodyRefusal(request)) throw new Error(JSON.stringify(request.params))
  return request
}
const CONTEXT: AnswerContext = {
  request: decode({ prompt: 'Once' }),
  idSeed: 'seed',
  created: 1_790_000_000,
  now: () => 8,
  promptEstimate: 1,
  wantsUsage: true,
}
const HEAD = { id: 'cmpl-seed', object: 'text_completion', created: 1_790_000_000, model: 'm' }
const USAGE = { counts: { input: 3, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 2, reasoning: 0 } }
const EVENTS: readonly ContentEvent[] = [
  { type: 'reasoning', block: 0, delta: 'Hm.' },
  { type: 'block-end', block: 0 },
  { type: 'text', block: 1, delta: ' upon' },
  { type: 'text', block: 1, delta: ' a time' },
  { type: 'block-end', block: 1 },
]
const FINISH = { type: 'finish', reason: 'length', raw: 'x' } as const

it('sends what the prompt says, and lists what cannot be sent', () => {
  const request = decode({ prompt: ['Once'], max_tokens: 5, stop: '.', logprobs: 2, echo: true, best_of: 1 })
  expect(request).toMatchObject({
    turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Once' }] }],
    maxTokens: 5,
    sampling: { stop: ['.'], logprobs: true, topLogprobs: 2 },
  })
  expect(request.extra.fields).toStrictEqual({ 'completions.echo': true })
})

test.each([
  [{ prompt: ['a', 'b'] }, 'prompt'],
  [{ prompt: [1, 2] }, 'prompt'],
  [{ prompt: 'a', suffix: 'b' }, 'suffix'],
  [{ prompt: 'a', temperature: 'hot' }, 'temperature'],
])('refuses %o by the name of the field', (body, field) => {
  expect(codec.decodeRequest({ model: 'm', ...body }, {})).toMatchObject({ code: 'invalid_body', field })
})

it('streams the text, and the usage if the client requested it', () => {
  const encoder = codec.openEncoder(CONTEXT)
  const bytes = EVENTS.flatMap((event) => encoder.push(event))
  const { forward, terminal } = encoder.finish(FINISH, USAGE.counts)
  const text = [...bytes, ...forward, terminal].map((piece) => new TextDecoder().decode(piece)).join('')
  const [first, second, last, usage, done] = text.split('\n\n').map((event) => event.replace('data: ', ''))
  const chunk = (piece: string, finish: string | null) => ({
    ...HEAD,
    choices: [{ text: piece, index: 0, logprobs: null, finish_reason: finish }],
  })
  expect([first, second, last].map((event) => JSON.parse(event ?? '') as unknown)).toStrictEqual([
    chunk(' upon', null),
    chunk(' a time', null),
    chunk('', 'length'),
  ])
  expect(JSON.parse(usage ?? '')).toMatchObject({ ...HEAD, choices: [], usage: { total_tokens: 5 } })
  expect(done).toBe('[DONE]')
})

it('answers whole', () => {
  const report = { ...USAGE, reportedNanoUsd: undefined, own: {} }
  const reply = fold([...EVENTS, { type: 'usage', report }, { ...FINISH, reason: 'tool-calls' }])
  expect(codec.encodeReply(reply, CONTEXT)).toMatchObject({
    ...HEAD,
    choices: [{ text: ' upon a time', finish_reason: 'stop' }],
    usage: { prompt_tokens: 3, completion_tokens: 2 },
  })
})
