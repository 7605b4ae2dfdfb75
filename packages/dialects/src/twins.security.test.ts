import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readMessagesRequest } from './anthropic/request.ts'
import { isBodyRefusal } from './body-refusal.ts'
import { readGeminiRequest } from './gemini/request.ts'
import { identifyChat } from './openai-chat/identify.ts'
import { readCompletionRequest } from './openai-completions/request.ts'
import { readInputRequest } from './openai-embeddings/request.ts'
import { readImageRequest } from './openai-images/request.ts'
import { readResponsesRequest } from './openai-responses/request.ts'

/** A member as written: the key with its escapes, and a value. */
type Member = readonly [key: string, value: unknown]

const written = (members: readonly Member[]) =>
  new TextEncoder().encode(`{${members.map(([key, value]) => `"${key}":${JSON.stringify(value)}`).join(',')}}`)

/** As Go's `encoding/json`: names match in any case, including the two Unicode letters that fold to ASCII; the last one wins. */
function readLikeGo(members: readonly Member[]): ReadonlyMap<string, unknown> {
  const fold = (name: string) => name.toLowerCase().replaceAll('\u017f', 's').replaceAll('\u212a', 'k')
  const read = members.map(([key, value]) => [fold(String(JSON.parse(`"${key}"`))), value] as const)
  return new Map(read)
}

interface Dialect {
  readonly read: (body: Uint8Array) => object
  readonly members: Readonly<Record<string, unknown>>
  /** Other values of a field that affects the charge. */
  readonly others: Readonly<Record<string, unknown>>
}

const TALK = [{ role: 'user', content: 'Hi' }]
const DIALECTS: Readonly<Record<string, Dialect>> = {
  chat: {
    read: identifyChat,
    members: { model: 'cheap', messages: TALK, max_tokens: 1, n: 1, stream: false },
    others: {
      model: 'dear',
      max_tokens: 100_000,
      n: 128,
      stream: true,
      service_tier: 'flex',
      max_completion_tokens: 9,
    },
  },
  completions: {
    read: readCompletionRequest,
    members: { model: 'cheap', prompt: 'Hi', max_tokens: 1, n: 1 },
    others: { model: 'dear', max_tokens: 100_000, n: 128, best_of: 128 },
  },
  responses: {
    read: readResponsesRequest,
    members: { model: 'cheap', input: 'Hi', max_output_tokens: 1 },
    others: { model: 'dear', max_output_tokens: 100_000, background: true, service_tier: 'flex', store: false },
  },
  messages: {
    read: readMessagesRequest,
    members: { model: 'cheap', messages: TALK, max_tokens: 1 },
    others: { model: 'dear', max_tokens: 100_000, speed: 'standard', stream: true },
  },
  embeddings: { read: readInputRequest, members: { model: 'cheap', input: 'Hi' }, others: { model: 'dear' } },
  images: {
    read: readImageRequest,
    members: { model: 'cheap', prompt: 'Hi', n: 1, size: '256x256', quality: 'low' },
    others: { model: 'dear', n: 10, size: '1024x1024', quality: 'high' },
  },
}

/** Spellings that Go matches to a name, some with escapes. */
const spelt = (name: string): fc.Arbitrary<string> =>
  fc
    .tuple(...name.split('').map((letter) => fc.constantFrom(...formsOf(letter))))
    .map((letters) => letters.join(''))
    .filter((key) => JSON.parse(`"${key}"`) !== name)

function formsOf(letter: string): readonly string[] {
  const folded = letter === 's' ? ['\u017f', '\\u017f'] : letter === 'k' ? ['\u212a', '\\u212A'] : []
  const escape = (each: string) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`
  const upper = letter.toUpperCase()
  return [letter, letter, upper, escape(letter), escape(upper), ...folded]
}

describe.each(Object.entries(DIALECTS))('%s', { tags: 'S40' }, (_, { read, members, others }) => {
  const plain: readonly Member[] = Object.entries(members)

  test('a body with a field in another case is refused, or Go reads what was checked', () => {
    const twins = fc
      .constantFrom(...Object.keys(others))
      .chain((name) =>
        fc.tuple(spelt(name), fc.nat(plain.length)).map(([key, at]) => ({ key, at, value: others[name] })),
      )
    fc.assert(
      fc.property(twins, ({ key, at, value }) => {
        const body = plain.toSpliced(at, 0, [key, value])
        if (isBodyRefusal(read(written(body)))) return
        const seen = readLikeGo(body)
        for (const name of Object.keys(others)) expect([name, seen.get(name)]).toEqual([name, members[name]])
      }),
      { numRuns: 300 },
    )
  })

  test('the same body without it is read', () => {
    expect(read(written(plain))).not.toHaveProperty('code')
    expect(read(written([...plain, ['Vendor_Field', 1], ['temperature', 1], ['Temperature', 1]]))).not.toHaveProperty(
      'code',
    )
  })
})

const bytes = (text: string) => new TextEncoder().encode(text)
const chat = (more: string) => identifyChat(bytes(`{"model":"m","messages":[1],${more}}`))
const gemini = (more: string) => readGeminiRequest(bytes(`{"contents":[{"parts":[{"text":"Hi"}]}],${more}}`))

test.each([
  [chat, '"Model":"dear"', 'model', '"Model"'],
  [chat, '"\\u004dodel":"dear"', 'model', '"Model"'],
  [chat, '"model\\u0000x":"dear"', 'model', String.raw`"model\u0000x"`],
  [chat, '"\u017ftream":true', 'stream', String.raw`"\u017ftream"`],
  [chat, '"max_to\u212aens":9', 'max_tokens', String.raw`"max_to\u212aens"`],
  [chat, '"stream_options":{"Include_usage":false}', 'stream_options.include_usage', '"Include_usage"'],
  [gemini, '"GenerationConfig":{}', 'generationConfig', '"GenerationConfig"'],
  [gemini, '"generation_Config":{}', 'generationConfig', '"generation_Config"'],
  [gemini, '"generationConfig":{"maxoutputtokens":9}', 'generationConfig.maxOutputTokens', '"maxoutputtokens"'],
  [gemini, '"generation_config":{"candidate__count":9}', 'generationConfig.candidateCount', '"candidate__count"'],
])('the refusal names the field and how it was written: %o %s', { tags: 'S40' }, (read, more, field, shown) => {
  const rule = `must not be spelled ${shown}: some providers would read that field instead`
  expect(read(more)).toEqual({ code: 'invalid_body', params: { field, rule }, field })
})

test('the name of a file in another case does not pass unseen', { tags: 'S40' }, () => {
  const block = { type: 'document', source: { type: 'file', File_Id: 'file_of_another' } }
  const body = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: [block] }] }
  expect(readMessagesRequest(bytes(JSON.stringify(body)))).toMatchObject({
    code: 'invalid_body',
    field: expect.stringMatching(/file_id$/),
  })
})

// Inputs that readers might interpret differently: other encodings, comments, values of another type.
test.each([
  ['a byte order mark', Buffer.from('\ufeff{"model":"m","messages":[1]}')],
  ['UTF-16', Buffer.from('{"model":"m","messages":[1]}', 'utf16le')],
  ['a comment', bytes('{"model":"m",/*"model":"dear",*/"messages":[1]}')],
  ['a cap as text', bytes('{"model":"m","messages":[1],"max_tokens":"100000"}')],
  ['a flag as text', bytes('{"model":"m","messages":[1],"stream":"true"}')],
  ['a list of models', bytes('{"model":["m","dear"],"messages":[1]}')],
])('%s is refused', { tags: 'S40' }, (_, body) => {
  expect(identifyChat(body)).toHaveProperty('code')
})

test('both of Google’s spellings of a field are one field, which may occur once', { tags: 'S40' }, () => {
  expect(gemini('"generationConfig":{},"generation_config":{}')).toMatchObject({ code: 'duplicate_key' })
  expect(gemini('"generationConfig":{"maxOutputTokens":1,"max_output_tokens":9}')).toMatchObject({
    code: 'duplicate_key',
  })
  expect(gemini('"serviceTier":"flex","service_tier":"flex"')).toMatchObject({ code: 'duplicate_key' })
  expect(gemini('"tools":[],"generation_config":{"max_output_tokens":9}')).toMatchObject({ maxOutput: 9 })
})
