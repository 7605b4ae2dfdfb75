import { expect, test } from 'vitest'
import { endpointOf } from './endpoints.ts'

test('an endpoint is found by its exact path', () => {
  expect(endpointOf('POST', '/v1/chat/completions')).toMatchObject({
    kind: 'call',
    call: { endpoint: 'chat_completions' },
  })
  expect(endpointOf('POST', '/v1/embeddings')).toMatchObject({ kind: 'call', call: { endpoint: 'embeddings' } })
  expect(endpointOf('GET', '/v1/models')).toEqual({ kind: 'models' })
  expect(endpointOf('GET', '/v1/models/gpt-4o')).toEqual({ kind: 'model', model: 'gpt-4o' })
  expect(endpointOf('GET', '/v1/models/meta%2Fllama-3')).toEqual({ kind: 'model', model: 'meta/llama-3' })
  expect(endpointOf('GET', '/v1/models/meta/llama-3')).toEqual({ kind: 'model', model: 'meta/llama-3' })
})

test('the raw proxy takes any method; what follows the channel is another server’s path', () => {
  for (const method of ['GET', 'DELETE', 'BREW']) {
    expect(endpointOf(method, '/v1/oneapi/proxy/7/a/b/')).toEqual({
      kind: 'raw',
      target: { channel: 7, path: '/a/b/' },
    })
  }
  expect(endpointOf('GET', '/v1/oneapi/proxy/x/a')).toMatchObject({ code: 'unknown_path' })
})

test('the wrong method gets an error that names the right one', () => {
  expect(endpointOf('GET', '/v1/chat/completions')).toMatchObject({
    code: 'method_not_allowed',
    params: { allowed: 'POST' },
  })
  expect(endpointOf('DELETE', '/v1/models/gpt-4o')).toMatchObject({ code: 'method_not_allowed' })
})

test.each([
  '/v1/threads/t1/runs',
  '/v1/files/f1/content',
  '/v1/fine_tuning/jobs',
  '/v1/skills',
  '/v1beta/files',
  '/upload/v1beta/files',
  '/v1beta/cachedContents/c1',
])('%s is known but not offered', (path) => {
  expect(endpointOf('POST', path)).toMatchObject({ code: 'not_implemented', params: { path } })
})

test.each([
  'sessions',
  'transcription_sessions',
  'client_secrets',
  'translations/client_secrets',
  'calls',
  'calls/c1/accept',
])(
  'no credential of a provider is given out at /v1/realtime/%s, with which calls would go past the ledger',
  { tags: 'S25' },
  (rest) => {
    const path = `/v1/realtime/${rest}`
    const refusal = { code: 'provider_credential_not_given', params: { path, offered: '/v1/realtime' } }
    for (const method of ['POST', 'GET']) expect(endpointOf(method, path)).toEqual(refusal)
  },
)

test.each(['/v1', '/v1/chat', '/v1/chat/completion', '/v1/embeddings/x', '/v1//models', '/v1/models/%zz', '/v2/x'])(
  '%s is unknown',
  (path) => {
    expect(endpointOf('GET', path)).toMatchObject({ code: 'unknown_path' })
  },
)

test('a model on Google’s paths that is not valid text is unknown, not a wrong method', () => {
  const path = '/v1beta/models/%ED%A0%80:generateContent'
  expect(endpointOf('POST', path)).toEqual({ code: 'unknown_path', params: { method: 'POST', path } })
})

test.each([
  ['gpt-4o', 'chat/completions', 'gpt-4o', 'chat_completions'],
  ['my%20own%2Fmodel', 'embeddings', 'my own/model', 'embeddings'],
  ['meta/llama-3', 'audio/transcriptions', 'meta/llama-3', 'audio_transcription'],
])('a deployment %s/%s is a call to its model', (name, action, deployment, endpoint) => {
  const path = `/openai/deployments/${name}/${action}`
  expect(endpointOf('POST', path)).toMatchObject({ kind: 'call', call: { endpoint }, deployment })
  expect(endpointOf('GET', path)).toMatchObject({ code: 'method_not_allowed', params: { allowed: 'POST' } })
})

test.each([
  ['/openai/deployments/gpt-4o/batches', 'not_implemented'],
  ['/openai/deployments/gpt-4o/extensions/chat/completions', 'not_implemented'],
  ['/v1/deployments', 'not_implemented'],
  ['/openai/deployments/gpt-4o', 'unknown_path'],
  ['/openai/deployments/gpt-4o/responses', 'unknown_path'],
  ['/openai/deployments/gpt-4o/chat', 'unknown_path'],
  ['/openai/deployments//chat/completions', 'unknown_path'],
  ['/openai/deployments/%zz/chat/completions', 'unknown_path'],
  ['/openai/deployments/a%0D%0A--b/audio/transcriptions', 'unknown_path'],
])('%s is %s', (path, code) => {
  expect(endpointOf('POST', path)).toMatchObject({ code })
})
