import { expect, test } from 'vitest'
import { kindOf } from '../kinds/all.ts'
import { adaptersOf } from './adapters.ts'

const VERTEX_KEY = 'europe-west1|p|{}'

function reached(code: number, { endpoint, path }: { endpoint: string; path: string }, model: string) {
  const kind = kindOf(code)
  if (kind === undefined) throw new Error(`no kind ${code}`)
  const key = code === 42 ? VERTEX_KEY : 'k'
  const adapters = adaptersOf({ kind, baseUrl: '', config: {}, other: '', key, inferenceProfileArnMap: null })
  if ('problem' in adapters) throw new Error(adapters.problem)
  const adapter = adapters.adapter({ endpoint, path, dialect: undefined }, model)
  return adapter && `${adapter.form.kind} ${adapter.address(false).path}`
}

const VERTEX = '/v1/projects/p/locations/europe-west1/publishers/google/models'

test.each([
  [24, 'embeddings', 'gemini-embedding-001', 'convert /v1beta/models/gemini-embedding-001:batchEmbedContents'],
  [24, 'images_generations', 'gemini-3-pro-image', 'convert /v1beta/models/gemini-3-pro-image:generateContent'],
  [24, 'images_generations', 'gemini-2.5-flash', undefined],
  [42, 'embeddings', 'text-embedding-005', `convert ${VERTEX}/text-embedding-005:predict`],
  [42, 'images_generations', 'imagen-4.0-generate-001', `convert ${VERTEX}/imagen-4.0-generate-001:predict`],
  [42, 'embeddings', 'claude-sonnet-4-5', undefined],
  [24, 'rerank', 'gemini-2.5-flash', undefined],
])('type %i, %s of %s: %s', (code, endpoint, model, url) => {
  expect(reached(code, { endpoint, path: `/v1/${endpoint}` }, model)).toBe(url)
})

test.each([
  [24, 'pass /v1beta/models/m:batchEmbedContents'],
  // Vertex AI takes one text in a call.
  [42, undefined],
  [1, undefined],
  [35, undefined],
])('type %i forwards Google’s own embedding calls: %s', (code, url) => {
  const call = { endpoint: 'gemini_embeddings', path: '/v1beta/models/mine:batchEmbedContents' }
  expect(reached(code, call, 'm')).toBe(url)
})
