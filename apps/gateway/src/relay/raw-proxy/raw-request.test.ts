import { describe, expect, test } from 'vitest'
import { rawTarget } from '../endpoints/targets.ts'
import type { RawChannel } from './raw-channels.ts'
import { isPlainPath, upstreamHeaders, upstreamPath } from './raw-request.ts'

const raw = { basePath: '/tenant/a', baseQuery: '?v=1', authorization: 'Token upstream' } as RawChannel

test.each([
  ['/v1/oneapi/proxy/7', { channel: 7, path: '' }],
  ['/v1/oneapi/proxy/7/', { channel: 7, path: '/' }],
  ['/v1/oneapi/proxy/7/v1/things/%2Fx', { channel: 7, path: '/v1/things/%2Fx' }],
  ['/v1/oneapi/proxy/', undefined],
  ['/v1/oneapi/proxy/x/y', undefined],
  ['/v1/oneapi/proxy/7x/y', undefined],
  ['/v1/oneapi/proxy/1234567890/y', undefined],
])('%s names %j', (path, target) => {
  expect(rawTarget(path)).toEqual(target)
})

test('path and query join those of the base address', () => {
  const at = (channel: Partial<RawChannel>, path: string, query: string) =>
    upstreamPath({ ...raw, ...channel }, { channel: 1, path }, query)
  expect(at({}, '/x/', 'a=1&a=2')).toBe('/tenant/a/x/?v=1&a=1&a=2')
  expect(at({ baseQuery: '' }, '/x', '')).toBe('/tenant/a/x')
  expect(at({ basePath: '', baseQuery: '' }, '', 'q')).toBe('/?q')
})

describe('paths that could leave the base of the channel', () => {
  test.each([
    '/..',
    '/a/../b',
    '/a/./b',
    '/a/%2e%2e/b',
    '/a/%2E./b',
    '/a%2f..%2fb',
    '/a/%252e%252e/b',
    '/a/%25252e%25252e/b',
    '/a\\..\\b',
    '/a/%5c../b',
    '/..;/b',
    '/a/..;x=1/b',
    '/a/%zz',
    '/a%00',
    '/a%0d%0ab',
    `/${'%25'.repeat(1)}${'25'.repeat(6)}2e`,
  ])('%s is refused', (path) => {
    expect(isPlainPath(path)).toBe(false)
  })

  test.each(['', '/', '/v1/models', '/a..b/c', '/model/arn%3Aaws%2Fx/invoke', '/a%20b', '/50%25', '/a;b=c'])(
    '%s is plain',
    (path) => {
      expect(isPlainPath(path)).toBe(true)
    },
  )
})

test('only headers that concern the provider are sent, with the key of the channel', () => {
  const headers = {
    host: 'gateway.example',
    authorization: 'Bearer sk-secret',
    'x-api-key': 'sk-secret',
    'x-goog-api-key': 'sk-secret',
    cookie: 'session=1',
    connection: 'keep-alive, X-Private',
    'x-private': '1',
    'transfer-encoding': 'chunked',
    'x-forwarded-for': '10.0.0.1',
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    tracestate: 'vendor=inside',
    baggage: 'user=ann',
    'x-sluice-strict': 'true',
    'sec-fetch-mode': 'cors',
    'openai-organization': 'org-other',
    'content-type': 'application/x-special',
    'anthropic-version': '2023-06-01',
    'x-custom': 'kept',
  }
  expect(upstreamHeaders({ headers }, raw)).toEqual([
    'content-type',
    'application/x-special',
    'anthropic-version',
    '2023-06-01',
    'x-custom',
    'kept',
    'authorization',
    'Token upstream',
  ])
})
