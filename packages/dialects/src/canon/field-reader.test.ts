import { expect, test } from 'vitest'
import { messagesClientCodec, messagesUpstreamCodec } from '../anthropic/codec.ts'
import { isBodyRefusal } from '../body-refusal.ts'
import { geminiClientCodec, geminiUpstreamCodec } from '../gemini/codec.ts'
import type { JsonObject } from '../json-value.ts'
import { chatClientCodec, chatUpstreamCodec } from '../openai-chat/codec.ts'
import { responsesClientCodec, responsesUpstreamCodec } from '../openai-responses/codec.ts'
import { type ClientCodec, isInexpressible, type UpstreamCodec } from './codec.ts'
import { lossesText } from './losses.ts'

const MESSAGES = [{ role: 'user', content: 'Hi' }]
const gemini = geminiClientCodec('sse')
const CONTENTS = [{ role: 'user', parts: [{ text: 'Hi' }] }]

type Row = readonly [
  field: string,
  client: ClientCodec,
  body: (effort: unknown) => JsonObject,
  own: UpstreamCodec,
  other: UpstreamCodec,
  lost: string,
]
const ROWS: readonly Row[] = [
  [
    'reasoning_effort',
    chatClientCodec,
    (reasoning_effort) => ({ messages: MESSAGES, reasoning_effort }),
    chatUpstreamCodec,
    messagesUpstreamCodec,
    'reasoning_effort dropped',
  ],
  [
    'reasoning.effort',
    responsesClientCodec,
    (effort) => ({ input: 'Hi', reasoning: { effort } }),
    responsesUpstreamCodec,
    messagesUpstreamCodec,
    'reasoning dropped',
  ],
  [
    'output_config.effort',
    messagesClientCodec,
    (effort) => ({ messages: MESSAGES, max_tokens: 9, output_config: { effort } }),
    messagesUpstreamCodec,
    chatUpstreamCodec,
    'output_config dropped',
  ],
  [
    'generationConfig.thinkingConfig.thinkingLevel',
    gemini,
    (thinkingLevel) => ({ contents: CONTENTS, generationConfig: { thinkingConfig: { thinkingLevel } } }),
    geminiUpstreamCodec,
    chatUpstreamCodec,
    'generationConfig.thinkingConfig.thinkingLevel dropped',
  ],
]

test.each(ROWS)('%s: a word of tomorrow is left to its own providers, and listed at others', (...row) => {
  const [, client, body, own, other, lost] = row
  const request = client.decodeRequest({ model: 'm', ...body('ultra') }, { model: 'm', stream: false })
  if (isBodyRefusal(request)) throw new Error(JSON.stringify(request.params))
  const [kept, left] = [own, other].map((codec) => {
    const encoded = codec.encodeRequest(request, { model: 'm', stream: false, takes: {}, defaultMaxTokens: 1_000 })
    if (isInexpressible(encoded)) throw new Error(encoded.rule)
    return { text: JSON.stringify(encoded.body), lost: lossesText(encoded.losses) }
  })
  expect(kept?.text).toContain('"ultra"')
  expect(kept?.lost).toBe('')
  expect(left?.text).not.toContain('ultra')
  expect(left?.lost).toBe(lost)
})

test.each(ROWS)('%s: anything but a word is refused by its field', (field, client, body) => {
  const refusal = client.decodeRequest({ model: 'm', ...body(7) }, { model: 'm', stream: false })
  expect(isBodyRefusal(refusal) && refusal.field).toBe(field)
})
