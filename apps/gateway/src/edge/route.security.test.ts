import { expect, test } from 'vitest'
import { targetOf } from './route.ts'

test.each([
  ['/v1/chat/completions', 'relay', '/v1/chat/completions', ''],
  ['/v1/chat/completions/', 'relay', '/v1/chat/completions', ''],
  ['/v1/models?after=x', 'relay', '/v1/models', 'after=x'],
  ['/openai/v1/chat/completions', 'relay', '/v1/chat/completions', ''],
  ['/openai/v1/messages', 'relay', '/v1/messages', ''],
  ['/openai/v1/v1/messages', 'relay', '/v1/messages', ''],
  ['/api/v1/messages', 'relay', '/v1/messages', ''],
  ['/v1/v1/messages', 'relay', '/v1/messages', ''],
  ['/v1beta/models/gemini:generateContent', 'relay', '/v1beta/models/gemini:generateContent', ''],
  ['/v1beta/models/gemini:generateContent/', 'relay', '/v1beta/models/gemini:generateContent', ''],
  ['/v1beta/openai/chat/completions?a=1', 'relay', '/v1/chat/completions', 'a=1'],
  ['/v1beta/openai/models', 'relay', '/v1/models', ''],
  ['/api/v1/v1/messages', 'relay', '/v1/messages', ''],
  ['/anthropic/v1/messages', 'relay', '/v1/messages', ''],
  ['/pg/chat/completions', 'relay', '/v1/chat/completions', ''],
  ['/openai/responses?api-version=preview', 'relay', '/v1/responses', 'api-version=preview'],
  ['/openai/models/gpt-4o', 'relay', '/v1/models/gpt-4o', ''],
  ['/openai/deployments/a%2Fb/embeddings/', 'relay', '/openai/deployments/a%2Fb/embeddings', ''],
  ['/openai', 'console', '/openai', ''],
  ['/openais/v1/models', 'console', '/openais/v1/models', ''],
  ['/v1beta/openai', 'relay', '/v1beta/openai', ''],
  ['/upload/v1beta/files', 'relay', '/upload/v1beta/files', ''],
  ['/uploads', 'console', '/uploads', ''],
  ['/api/user/self', 'management', '/api/user/self', ''],
  ['/api', 'management', '/api', ''],
  ['/dashboard/billing/usage?start=1', 'management', '/dashboard/billing/usage', 'start=1'],
  ['/v1/dashboard/billing/usage', 'management', '/v1/dashboard/billing/usage', ''],
  ['/v1/usage', 'management', '/v1/usage', ''],
  ['/openai/v1/usage', 'management', '/v1/usage', ''],
  ['/v1/usages', 'relay', '/v1/usages', ''],
  ['/dashboard', 'console', '/dashboard', ''],
  ['/apiary', 'console', '/apiary', ''],
  ['/healthz', 'health', '/healthz', ''],
  ['/health', 'health', '/health', ''],
  ['/health/x', 'console', '/health/x', ''],
  ['/metrics', 'metrics', '/metrics', ''],
  ['/metrics/more', 'console', '/metrics/more', ''],
  ['/', 'console', '/', ''],
])('%s goes to the %s', { tags: 'S8' }, (url, part, path, query) => {
  expect(targetOf(url)).toEqual({ part, path, query })
})

test.each([
  '/%76%31/chat/completions',
  '//v1/chat/completions',
  '/V1/chat/completions',
  '/./v1/chat/completions',
  '/x/../api/user/',
  '/%61pi/user/',
  '/API/user/',
  '/api%2fuser',
])('%s is not a spelling of an API path: it gets the console page and nothing else', { tags: 'S8' }, (url) => {
  expect(targetOf(url).part).toBe('console')
})

test.each([
  '/api/%75ser/self',
  '/api/user%2fself',
  '/api/user/../option/',
  '/api/./user/self',
  '/api/user//self',
  '/api//user/self',
  '/api/user\\self',
  '/api/user/self;x=1',
  '/dashboard/billing/%75sage',
  '/v1/dashboard/billing/../../../api/user/self',
])('%s is not a spelling of a path of the management API, which would decode it', { tags: 'S8' }, (url) => {
  expect(targetOf(url).part).toBe('malformed')
})

test.each(['http://evil.example/v1/models', '*', 'v1/models', ''])(
  '%s is refused as malformed',
  { tags: 'S8' },
  (url) => {
    expect(targetOf(url).part).toBe('malformed')
  },
)
