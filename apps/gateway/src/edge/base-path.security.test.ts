import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { EDGE_DEPS } from '@sluice/testkit/servers/edge-deps'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { pathWithin } from './base-path.ts'
import { targetOf } from './route.ts'
import { openEdge, type Edge } from './server.ts'

test.each([
  ['/ai/api/user/self', '/api/user/self'],
  ['/ai/', '/'],
  ['/ai/?a=1', '/?a=1'],
  ['/api/user/self', '/api/user/self'],
  ['/', '/'],
  // A name that only starts the same, or is spelt differently, is another path.
  ['/ai', '/ai'],
  ['/ai?a=/ai/', '/ai?a=/ai/'],
  ['/aix/api/user/self', '/aix/api/user/self'],
  ['/ai.x', '/ai.x'],
  ['/AI/api', '/AI/api'],
  ['/%61i/api', '/%61i/api'],
  ['/ai%2Fapi', '/ai%2Fapi'],
  ['/ai\\api', '/ai\\api'],
  ['//ai/api', '//ai/api'],
  ['/x/../ai/api', '/x/../ai/api'],
  ['http://host/ai/api', 'http://host/ai/api'],
  // Removed once.
  ['/ai/ai/api/user/self', '/ai/api/user/self'],
])('%s is %s within the base path', { tags: 'S8' }, (url, within) => {
  expect(pathWithin('/ai', url)).toBe(within)
  expect(pathWithin('', url)).toBe(url)
})

test.each([
  ['/ai//api/user/self', 'console'],
  ['/ai/../api/user/self', 'console'],
  ['/ai/./api/user/self', 'console'],
  ['/ai/%61pi/user/self', 'console'],
  ['/ai/ai/api/user/self', 'console'],
  ['/ai//v1/chat/completions', 'console'],
  ['/ai/api/../user/self', 'malformed'],
  ['/ai/api%2fuser', 'console'],
])('%s is no other spelling of an API path', { tags: 'S8' }, (url, part) => {
  expect(targetOf(pathWithin('/ai', url)).part).toBe(part)
})

describe('an edge with a base path', () => {
  let edge: Edge
  let port = 0
  beforeAll(async () => {
    edge = openEdge({
      ...EDGE_DEPS,
      basePath: '/ai',
      relay: async ({ reply, path, query }) => void reply.end(Buffer.from(`relay ${path} ${query}`)),
      management: ({ url }, reply) => void reply.end(`management ${url}`),
      metrics: ({ url }, reply) => void reply.end(`metrics ${url}`),
      console: (_, reply, path) => void reply.end(`console ${path}`),
    })
    const address: AddressInfo = await edge.listen(0, '127.0.0.1')
    port = address.port
  })
  afterAll(() => edge.close(0))

  /** `fetch` would normalise the path and follow redirects. */
  const ask = (path: string, method = 'GET', headers = {}): Promise<string> =>
    new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (reply) => {
        let body = `${reply.statusCode} ${reply.headers.location ?? ''}`
        reply.on('data', (chunk: Buffer) => (body += chunk.toString()))
        reply.on('end', () => resolve(body.trim()))
      })
      sent.on('error', reject).end()
    })

  it('serves every part with the path and without it', async () => {
    for (const before of ['', '/ai']) {
      expect(await ask(`${before}/v1/models?a=1`)).toBe('200 relay /v1/models a=1')
      expect(await ask(`${before}/api/status?a=1`)).toBe('200 management /api/status?a=1')
      expect(await ask(`${before}/metrics`)).toBe('200 metrics /metrics')
      expect(await ask(`${before}/healthz`)).toBe('200 ok')
      expect(await ask(`${before}/logs`)).toBe('200 console /logs')
    }
  })

  it('removes the path once, also for a client that waits to be asked for its body', async () => {
    const waits = { expect: '100-continue', 'content-length': '0' }
    expect(await ask('/ai/ai/v1/models', 'POST', waits)).toBe('200 console /ai/v1/models')
    expect(await ask('/ai/v1/models', 'POST', waits)).toBe('200 relay /v1/models')
  })

  it('adds the slash that the bare path lacks, and leads nowhere else', { tags: 'S34' }, async () => {
    for (const path of ['/ai', '/ai?to=//evil.example']) {
      expect(await ask(path)).toBe('307 /ai/')
      expect(await ask(path, 'HEAD')).toBe('307 /ai/')
    }
    expect(await ask('/ai', 'POST')).toBe('200 console /ai')
    for (const path of ['//evil.example', '/ai//evil.example', '/ai/\\evil.example', '/aix']) {
      expect(await ask(path), path).toMatch(/^200 console/)
    }
  })
})
