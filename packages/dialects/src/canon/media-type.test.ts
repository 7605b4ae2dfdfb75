import { expect, test } from 'vitest'
import { messagesClientCodec, messagesUpstreamCodec } from '../anthropic/codec.ts'
import { converseUpstreamCodec } from '../bedrock-converse/codec.ts'
import { isBodyRefusal } from '../body-refusal.ts'
import { cohereUpstreamCodec } from '../cohere/codec.ts'
import { geminiClientCodec, geminiUpstreamCodec } from '../gemini/codec.ts'
import type { JsonObject } from '../json-value.ts'
import { chatClientCodec, chatUpstreamCodec } from '../openai-chat/codec.ts'
import { responsesClientCodec, responsesUpstreamCodec } from '../openai-responses/codec.ts'
import { type ClientCodec, isInexpressible } from './codec.ts'
import { mediaTypeOf } from './media-type.ts'

const url = (mime: string) => `data:${mime};base64,AAAA`

const CLIENTS: readonly (readonly [string, ClientCodec, (mime: string) => JsonObject])[] = [
  [
    'chat',
    chatClientCodec,
    (mime) => ({ messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: url(mime) } }] }] }),
  ],
  [
    'Responses',
    responsesClientCodec,
    (mime) => ({ input: [{ role: 'user', content: [{ type: 'input_image', image_url: url(mime) }] }] }),
  ],
  [
    'Messages',
    messagesClientCodec,
    (mime) => ({
      max_tokens: 9,
      messages: [
        { role: 'user', content: [{ type: 'image', source: { type: 'base64', media_type: mime, data: 'AAAA' } }] },
      ],
    }),
  ],
  [
    'Gemini',
    geminiClientCodec('sse'),
    (mime) => ({ contents: [{ role: 'user', parts: [{ inlineData: { mimeType: mime, data: 'AAAA' } }] }] }),
  ],
]
const PROVIDERS = [
  chatUpstreamCodec,
  responsesUpstreamCodec,
  messagesUpstreamCodec,
  geminiUpstreamCodec,
  converseUpstreamCodec,
  cohereUpstreamCodec,
]

test.each(CLIENTS)('a picture of a %s client is of a type that every provider knows', (_, client, body) => {
  const [plain, ...others] = ['image/jpeg', 'image/jpg', 'IMAGE/JPEG', 'image/pjpeg'].map((mime) => {
    const request = client.decodeRequest({ model: 'm', ...body(mime) }, { model: 'm', stream: false })
    if (isBodyRefusal(request)) throw new Error(JSON.stringify(request.params))
    return PROVIDERS.map((codec) => {
      const target = { model: 'm', stream: false, takes: {}, defaultMaxTokens: 1_000 }
      const encoded = codec.encodeRequest({ ...request, extra: { dialect: 'coze', fields: {} } }, target)
      if (isInexpressible(encoded)) throw new Error(encoded.rule)
      return encoded.body
    })
  })
  expect(JSON.stringify(plain)).toContain('image/jpeg')
  for (const other of others) expect(other).toStrictEqual(plain)
})

test('the parameters of a sound stay', () => {
  expect(mediaTypeOf('audio/L16;codec=pcm;rate=24000')).toBe('audio/L16;codec=pcm;rate=24000')
  expect(mediaTypeOf('image/PNG; charset=binary')).toBe('image/png')
})
