import { expect, test } from 'vitest'
import { addressGuard } from './address-guard.ts'
import { openGuardedSocket } from './guarded-socket.ts'

const LIMITS = { maxFrame: 1_000, handshakeTimeoutMs: 1_000 }
const { signal } = new AbortController()

test.each([
  ['/v1/realtime?api-version=1#x', []],
  ['/v1/realtime', ['authorization', 'two\nlines']],
])('what no websocket can be opened with is an answer, not a failure of ours: %s %j', async (path, headers) => {
  const request = { origin: 'http://127.0.0.1:9', path, headers }
  expect(await openGuardedSocket(addressGuard('allow'), request, LIMITS, Date.now, signal)).toEqual({
    cause: 'unreachable',
  })
})
