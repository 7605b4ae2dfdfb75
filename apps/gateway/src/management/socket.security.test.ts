import { createServer, request as httpRequest, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** Sends bytes that a URL parser would normalise. */
function raw(port: number, path: string, headers: Record<string, string>): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ port, host: '127.0.0.1', path, headers, setHost: false }, (reply) => {
      let body = ''
      reply.setEncoding('utf8')
      reply.on('data', (chunk: string) => (body += chunk))
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, body }))
    })
    request.on('error', reject)
    request.end()
  })
}

describe('on a real socket', { tags: 'S8' }, () => {
  let bench: ManagementBench
  let user: TestCaller
  let server: Server
  let port: number
  beforeAll(async () => {
    bench = await openManagementBench()
    user = await bench.addCaller('user', 1)
    const listener = getRequestListener((request) => bench.fetch(request))
    server = createServer((incoming, outgoing) => void listener(incoming, outgoing))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  })
  afterAll(async () => {
    await new Promise((resolve) => server.close(resolve))
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const PATHS = [
    '/api/option/',
    '/api/option',
    '/api/status/../option/',
    '/api/status/%2e%2e/option/',
    '/api/status/..%2foption/',
    '/api//option/',
    '//api/option/',
    '/api/option%2f',
    '/api/%6fption/',
    '/api/option/?x=/api/status',
    '/api/option;x=1/',
    '/API/option/',
    '/api/./option/',
    '/api/option/#/api/status',
    '/api\\option\\',
  ]
  const HOSTS = ['localhost', 'localhost/api/status?', 'localhost/api/status#', 'evil@localhost', 'a b', '']

  it.each(PATHS)('%s shows no settings to a user, whatever Host says', async (path) => {
    for (const host of HOSTS) {
      const { status, body } = await raw(port, path, { host, cookie: user.cookie })
      expect([host, status >= 400 && status < 500]).toEqual([host, true])
      expect(body).not.toContain('SystemName')
    }
  })

  it('still serves the user what is theirs', async () => {
    const { status, body } = await raw(port, '/api/user/self', { host: 'localhost', cookie: user.cookie })
    expect([status, JSON.parse(body)]).toMatchObject([200, { success: true, data: { username: 'user' } }])
  })
})
