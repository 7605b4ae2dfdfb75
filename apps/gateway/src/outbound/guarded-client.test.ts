import { type RawUpstream, startRawUpstream } from '@sluice/testkit/raw-upstream'
import { afterAll, afterEach, expect, test } from 'vitest'
import { createAddressGuard } from './address-guard.ts'
import { openGuardedClient } from './guarded-client.ts'
import type { GuardedRequest } from './guarded-fetch.ts'

const guarded = openGuardedClient(createAddressGuard('allow'))
let upstream: RawUpstream | undefined
afterEach(() => upstream?.close())
afterAll(() => guarded.close())

/** Calls a server that sends these bytes and hangs up. */
async function ask(bytes: string, more: Partial<GuardedRequest> = {}) {
  upstream = await startRawUpstream((socket) => socket.end(bytes))
  const request = { method: 'GET', url: `${upstream.url}/path?x=1`, signal: AbortSignal.timeout(10_000) } as const
  return await guarded.fetch({ ...request, ...more })
}

test('a reply is returned whole, whatever its status', async () => {
  const outcome = await ask('HTTP/1.1 404 Not Found\r\nX-Two: a\r\nX-Two: b\r\nContent-Length: 4\r\n\r\nnone')
  expect(outcome).toMatchObject({ ok: true, status: 404, headers: { 'x-two': 'a' }, body: Buffer.from('none') })
  expect(upstream?.requests[0]).toMatch(/^GET \/path\?x=1 HTTP\/1\.1\r\n/)
})

test('method, headers and body are sent as given', async () => {
  await ask('HTTP/1.1 204 No Content\r\n\r\n', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"a":1}',
  })
  expect(upstream?.requests[0]).toMatch(/^POST /)
  expect(upstream?.requests[0]).toMatch(/content-type: application\/json\r\n/i)
  expect(upstream?.requests[0]).toMatch(/\{"a":1\}$/)
})

test.each([
  ['no HTTP', 'hello\r\n\r\n'],
  ['nothing', ''],
  ['a body that breaks off', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'],
  ['endless headers', `HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(70_000)}\r\n\r\n`],
])('%s is a broken answer', async (_, bytes) => {
  expect(await ask(bytes)).toMatchObject({ ok: false, fault: 'broken' })
})

test('a server that does not listen is reported as such', async () => {
  const closed = await startRawUpstream(() => {})
  await closed.close()
  const outcome = await guarded.fetch({ method: 'GET', url: closed.url, signal: AbortSignal.timeout(10_000) })
  expect(outcome).toMatchObject({ ok: false, fault: 'unreachable' })
})

test('a caller who leaves ends the call', async () => {
  upstream = await startRawUpstream(() => {})
  const leaving = new AbortController()
  const asked = guarded.fetch({ method: 'GET', url: upstream.url, signal: leaving.signal })
  leaving.abort()
  expect(await asked).toMatchObject({ ok: false, fault: 'cancelled' })
})

test('a header that cannot be sent is a fault, not a throw', async () => {
  expect(await ask('', { headers: { 'x-bad': 'a\r\nb: c' } })).toMatchObject({ ok: false, fault: 'address' })
})
