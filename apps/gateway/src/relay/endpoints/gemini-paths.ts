import type { Refusal } from '@sluice/contract/errors'
import type { CallKind } from '../calls/calls.ts'
import { GEMINI_COUNT } from '../calls/gemini-count.ts'
import { readGeminiEmbedding, readGeminiEmbeddings } from '../calls/gemini-embeddings.ts'
import { readGenerate } from '../calls/gemini.ts'
import type { Endpoint } from './endpoints.ts'
import { percentDecoded } from './percent-decoded.ts'

const GENERATE: CallKind = {
  path: '/v1beta/models/{model}:generateContent',
  endpoint: 'chat_completions',
  body: 'json',
  read: readGenerate,
}
const EMBED: CallKind = {
  path: '/v1beta/models/{model}:embedContent',
  endpoint: 'gemini_embeddings',
  body: 'json',
  read: readGeminiEmbedding,
}
const BATCH_EMBED: CallKind = {
  ...EMBED,
  path: '/v1beta/models/{model}:batchEmbedContents',
  read: readGeminiEmbeddings,
}

const MODELS = /^\/v1beta\/models(?:\/(.*))?$/
/** Both versions have the same actions. A model can contain colons: the last colon counts. */
const ACTION = /^\/v1(?:beta)?\/models\/(.+):(\w+)$/
const NOT_OFFERED = /^(?:batchGenerateContent|asyncBatchEmbedContent|predict|predictLongRunning|generateAnswer)$/

/** Undefined for paths outside Google's API. `query` is without its question mark. */
export function geminiEndpoint(method: string, path: string, query: string): Endpoint | Refusal | undefined {
  const [, named, action = ''] = ACTION.exec(path) ?? []
  if (named !== undefined && (method === 'POST' || path.startsWith('/v1beta/'))) {
    const model = percentDecoded(named)
    if (method === 'POST' && model !== undefined) return actionOf(action, model, path, query)
    if (method === 'POST') return { code: 'unknown_path', params: { method, path } }
  }
  const listed = MODELS.exec(path)
  if (listed === null) return undefined
  if (method !== 'GET') return { code: 'method_not_allowed', params: { method, path, allowed: 'GET' } }
  const model = percentDecoded(listed[1] ?? '')
  if (model === undefined) return { code: 'unknown_path', params: { method, path } }
  return model === '' ? { kind: 'models', shape: 'gemini' } : { kind: 'model', model, shape: 'gemini' }
}

function actionOf(action: string, model: string, path: string, query: string): Endpoint | Refusal {
  switch (action) {
    case 'generateContent':
      return { kind: 'call', call: GENERATE, facts: { model, stream: false } }
    case 'streamGenerateContent': {
      const framing = new URLSearchParams(query).get('alt') === 'sse' ? 'sse' : 'json-array'
      return { kind: 'call', call: GENERATE, facts: { model, stream: true, framing } }
    }
    case 'embedContent':
      return { kind: 'call', call: EMBED, facts: { model } }
    case 'batchEmbedContents':
      return { kind: 'call', call: BATCH_EMBED, facts: { model } }
    case 'countTokens':
      return { kind: 'count', count: GEMINI_COUNT, facts: { model } }
    default:
      return NOT_OFFERED.test(action)
        ? { code: 'not_implemented', params: { path } }
        : { code: 'unknown_path', params: { method: 'POST', path } }
  }
}
