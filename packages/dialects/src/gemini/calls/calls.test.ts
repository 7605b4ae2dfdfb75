import { expect, test } from 'vitest'
import { isBodyRefusal } from '../../body-refusal.ts'
import type { CallTranslation } from '../../canon/codec.ts'
import type { JsonObject } from '../../json-value.ts'
import { splice } from '../../splice/splice.ts'
import { readBatchEmbedContents, readCountTokens, readEmbedContent, renameModels } from '../named-models.ts'
import { geminiEmbeddings, vertexEmbeddings } from './embeddings-call.ts'
import { geminiPictures, imagenPictures } from './pictures-call.ts'
import { geminiSpeech } from './speech-call.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

function translated(translation: CallTranslation, request: JsonObject, model = 'm') {
  const encoded = translation.encode(request, model)
  if ('rule' in encoded) throw new Error(encoded.rule)
  return { body: encoded.body, lost: encoded.losses.map(({ what, became }) => `${what} ${became}`) }
}

function answered(translation: CallTranslation, reply: JsonObject, request: JsonObject = {}) {
  const decoded = translation.decode(reply, request)
  if ('invalid' in decoded) throw new Error(decoded.invalid)
  if ('follow' in decoded) throw new Error('a job')
  return decoded
}

const EMBED = { model: 'mine', input: ['a', 'b'], dimensions: 2, encoding_format: 'float', user: 'u' }
const VECTORS = [
  { object: 'embedding', index: 0, embedding: [1, 2] },
  { object: 'embedding', index: 1, embedding: [3, 4] },
]

test('embeddings of the Gemini API', () => {
  const request = (text: string) => ({ model: 'models/m', content: { parts: [{ text }] }, outputDimensionality: 2 })
  expect(translated(geminiEmbeddings, EMBED)).toStrictEqual({
    body: { requests: [request('a'), request('b')] },
    lost: ['user dropped'],
  })
  const { reply, usage } = answered(geminiEmbeddings, { embeddings: [{ values: [1, 2] }, { values: [3, 4] }] }, EMBED)
  expect([reply['data'], usage]).toStrictEqual([VECTORS, undefined])
  expect(geminiEmbeddings.encode({ input: [1, 2] }, 'm')).toMatchObject({ field: 'input' })
  expect(geminiEmbeddings.decode({ embeddings: [] }, {})).toStrictEqual({ invalid: 'it contains no vectors' })
})

test('embeddings of Vertex AI, with their tokens', () => {
  expect(translated(vertexEmbeddings, EMBED).body).toStrictEqual({
    instances: [{ content: 'a' }, { content: 'b' }],
    parameters: { outputDimensionality: 2 },
  })
  const embedding = (values: readonly number[]) => ({ embeddings: { values, statistics: { token_count: 3 } } })
  const { reply, usage } = answered(vertexEmbeddings, { predictions: [embedding([1, 2]), embedding([3, 4])] }, EMBED)
  expect(reply).toMatchObject({ data: VECTORS, usage: { prompt_tokens: 6, total_tokens: 6 } })
  expect(usage?.counts?.input).toBe(6)
})

test.each([
  ['1024x1024', { aspectRatio: '1:1' }, ['size changed']],
  ['1536x1024', { aspectRatio: '3:2' }, ['size changed']],
  ['16:9', { aspectRatio: '16:9' }, []],
  ['2K', { imageSize: '2K' }, []],
  ['auto', undefined, []],
  ['huge', undefined, ['size dropped']],
])('a picture of size %s', (size, imageConfig, lost) => {
  const { body, lost: losses } = translated(geminiPictures, { prompt: 'A cat', size, n: 1 })
  expect(body['generationConfig']).toStrictEqual({
    responseModalities: ['TEXT', 'IMAGE'],
    ...(imageConfig === undefined ? {} : { imageConfig }),
  })
  expect(losses).toStrictEqual(lost)
})

test('pictures of a Gemini model: what was made, what was withheld, and one per call', () => {
  const parts = [{ text: 'Here.' }, { inlineData: { mimeType: 'image/png', data: 'aGk=' } }]
  const usageMetadata = {
    promptTokenCount: 5,
    candidatesTokenCount: 1_290,
    candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1_290 }],
  }
  const made = answered(geminiPictures, { candidates: [{ content: { parts } }], usageMetadata })
  expect(made.reply).toStrictEqual({ data: [{ b64_json: 'aGk=' }] })
  expect(made.usage?.counts?.units).toStrictEqual({ image_output: 1_290 })
  const withheld = answered(geminiPictures, { candidates: [{ finishReason: 'IMAGE_SAFETY' }] })
  expect(withheld.error).toMatchObject({ message: 'the provider did not generate an image: IMAGE_SAFETY' })
  expect(geminiPictures.decode({}, {})).toStrictEqual({ invalid: 'it contains no image' })
  expect(geminiPictures.encode({ prompt: 'A cat', n: 2 }, 'm')).toMatchObject({ field: 'n' })
})

test('pictures of Imagen', () => {
  expect(translated(imagenPictures, { prompt: 'A cat', n: 2, size: '16:9', quality: 'hd' })).toStrictEqual({
    body: { instances: [{ prompt: 'A cat' }], parameters: { sampleCount: 2, aspectRatio: '16:9' } },
    lost: ['quality dropped'],
  })
  const { reply, usage } = answered(imagenPictures, { predictions: [{ bytesBase64Encoded: 'aGk=' }] })
  expect([reply, usage?.counts?.units]).toStrictEqual([{ data: [{ b64_json: 'aGk=' }] }, { image: 1 }])
  expect(answered(imagenPictures, {}).error).toMatchObject({ code: 'content_filter' })
})

test('speech is returned as a WAVE file of the samples that were made', () => {
  const { body, lost } = translated(geminiSpeech, { input: 'Hi', voice: 'alloy', instructions: 'Softly', speed: 2 })
  expect(body).toStrictEqual({
    contents: [{ role: 'user', parts: [{ text: 'Softly: Hi' }] }],
    generationConfig: {
      responseModalities: ['AUDIO'],
      speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } },
    },
  })
  expect(lost).toStrictEqual(['speed dropped', 'response_format changed', 'voice changed'])
  const inlineData = { mimeType: 'audio/L16;codec=pcm;rate=24000', data: btoa('abcd') }
  const reply = { candidates: [{ content: { parts: [{ inlineData }] } }] }
  const { file } = answered(geminiSpeech, reply)
  const view = new DataView(file?.bytes.buffer as ArrayBuffer)
  expect([file?.contentType, file?.bytes.length, view.getUint32(24, true), view.getUint32(40, true)]).toStrictEqual([
    'audio/wav',
    48,
    24_000,
    4,
  ])
  const raw = answered(geminiSpeech, reply, { response_format: 'pcm' })
  expect([raw.file?.contentType, Buffer.from(raw.file?.bytes ?? []).toString()]).toStrictEqual(['audio/pcm', 'abcd'])
})

test.each([
  [readEmbedContent, '{"model":"models/x","content":{"parts":[]}}', '{"model":"models/y","content":{"parts":[]}}'],
  [
    readBatchEmbedContents,
    '{"requests":[{"model":"models/x"},{"content":{}},{"model":"models/x"}]}',
    '{"requests":[{"model":"models/y"},{"content":{}},{"model":"models/y"}]}',
  ],
  [
    readCountTokens,
    '{"generateContentRequest":{"model":"models/x","contents":[]}}',
    '{"generateContentRequest":{"model":"models/y","contents":[]}}',
  ],
])('a body that repeats the model gets the provider’s name: %s', (read, body, renamed) => {
  const request = read(bytes(body))
  if (isBodyRefusal(request)) throw new Error(request.code)
  expect(Buffer.concat(splice(bytes(body), renameModels(request, 'y'))).toString()).toBe(renamed)
})

test.each([
  [readEmbedContent, '{}', 'content'],
  [readBatchEmbedContents, '{}', 'requests'],
  [readCountTokens, '{}', 'contents'],
  [readBatchEmbedContents, `{"requests":[${'{},'.repeat(2_048)}{}]}`, 'requests'],
])('a body without its subject, or with too much of it, is refused', (read, body, field) => {
  const refusal = read(bytes(body))
  expect(isBodyRefusal(refusal) && refusal.field).toBe(field)
})
