import { startRawUpstream } from '@sluice/testkit/raw-upstream'
import { expect, test } from 'vitest'
import { createAddressGuard } from './address-guard.ts'
import { openGuardedSocket } from './guarded-socket.ts'

const LIMITS = { maxFrame: 1_000, handshakeTimeoutMs: 1_000 }
const { signal } = new AbortController()

test.each([
  ['/v1/realtime?api-version=1#x', []],
  ['/v1/realtime', ['authorization', 'two\nlines']],
])('a request that cannot open a websocket is an answer, not a failure of ours: %s %j', async (path, headers) => {
  const request = { origin: 'http://127.0.0.1:9', path, headers }
  expect(await openGuardedSocket(createAddressGuard('allow'), request, LIMITS, signal)).toEqual({
    cause: 'unreachable',
  })
})

test.each([
  ['interim answers', 'HTTP/1.1 102 Processing\r\n\r\n', 'HTTP/1.1 102 Processing\r\n\r\n', { cause: 'timeout' }],
  ['a head', 'HTTP/1.1 101 Switching Protocols\r\n', 'X-More: 1\r\n', { cause: 'timeout' }],
  ['a refusal', 'HTTP/1.1 403 Forbidden\r\n\r\n', ' ', { cause: 'status', status: 403 }],
])(
  'a handshake that goes on forever with %s ends at its time limit',
  { tags: 'S27' },
  async (_, first, more, failure) => {
    const upstream = await startRawUpstream((socket) => {
      socket.write(first)
      const again = setInterval(() => socket.write(more), 50)
      socket.on('close', () => clearInterval(again))
    })
    const limits = { maxFrame: 1_000, handshakeTimeoutMs: 300 }
    const request = { origin: upstream.url, path: '/', headers: [] }
    const opened = openGuardedSocket(createAddressGuard('allow'), request, limits, signal)
    const late = new Promise((resolve) => setTimeout(resolve, 3_000, 'still open'))
    expect(await Promise.race([opened, late])).toMatchObject(failure)
    await upstream.close()
  },
)
