import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createAddressGuard } from './address-guard.ts'
import { openGuardedAgent } from './guarded-agent.ts'
import { openGuardedClient } from './guarded-client.ts'
import { openGuardedSocket } from './guarded-socket.ts'

/** The addresses of the name, one set for each look-up; the last set repeats. */
let answers: (readonly string[])[] = []
let requests = 0
let hits: string[] = []
let server: Server
let origin = ''

const HERE = ['127.0.0.1']
/** Refused under every policy; a rebinding name would switch to it. */
const METADATA = ['169.254.169.254']
const TIMEOUTS = { connectTimeoutMs: 2_000, firstByteTimeoutMs: 2_000, idleTimeoutMs: 2_000 }
const { signal } = new AbortController()

const resolver = (_name: string, _options: object, callback: (error: null, found: object[]) => void): void => {
  const found = answers[Math.min(requests, answers.length - 1)] ?? []
  requests++
  setImmediate(() =>
    callback(
      null,
      found.map((address) => ({ address, family: 4 })),
    ),
  )
}
const guard = () => createAddressGuard('allow', resolver as never)

function answer(request: IncomingMessage, reply: ServerResponse): void {
  hits.push(request.url ?? '')
  const [, way] = /^\/(\w+)/.exec(request.url ?? '') ?? []
  if (way === 'away') reply.writeHead(302, { location: `${origin}/here`, connection: 'close' }).end()
  else reply.writeHead(200, { connection: way === 'keep' ? 'keep-alive' : 'close' }).end('reached')
}

beforeEach(async () => {
  requests = 0
  hits = []
  server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://rebinding.test:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

test(
  'a connection goes to the address that was checked: the name is looked up once for it',
  { tags: 'S4' },
  async () => {
    answers = [HERE, METADATA]
    const agent = openGuardedAgent(guard(), TIMEOUTS, 1)
    const read = async (path: string) => await (await agent.request({ origin, path, method: 'GET' })).body.text()
    expect(await read('/keep')).toBe('reached')
    expect(await read('/keep')).toBe('reached')
    expect(requests).toBe(1)
    await agent.destroy()
  },
)

test('the next connection of a call to a provider is checked again', { tags: 'S4' }, async () => {
  answers = [HERE, METADATA]
  const agent = openGuardedAgent(guard(), TIMEOUTS, 1)
  await (await agent.request({ origin, path: '/close', method: 'GET' })).body.dump()
  await expect(agent.request({ origin, path: '/close', method: 'GET' })).rejects.toThrow('not allowed')
  expect([requests, hits]).toEqual([2, ['/close']])
  await agent.destroy()
})

test('so is that of a redirect to the same name', { tags: 'S4' }, async () => {
  answers = [HERE, METADATA]
  const guarded = openGuardedClient(guard())
  const outcome = await guarded.fetch({ method: 'GET', url: `${origin}/away`, redirects: 3, signal })
  expect(outcome).toMatchObject({ ok: false, fault: 'refused' })
  expect([requests, hits]).toEqual([2, ['/away']])
  await guarded.close()
})

test('so is that of a websocket', { tags: 'S4' }, async () => {
  answers = [HERE, METADATA]
  const limits = { maxFrame: 1_000, handshakeTimeoutMs: 2_000 }
  const open = () => openGuardedSocket(guard(), { origin, path: '/', headers: [] }, limits, signal)
  expect(await open()).toMatchObject({ cause: 'status', status: 200 })
  expect(await open()).toEqual({ cause: 'forbidden' })
  expect([requests, hits]).toEqual([2, ['/']])
})

test('no connection is made to a name that has both addresses at once', { tags: 'S4' }, async () => {
  answers = [[...HERE, ...METADATA]]
  const guarded = openGuardedClient(guard())
  expect(await guarded.fetch({ method: 'GET', url: `${origin}/`, signal })).toMatchObject({ fault: 'refused' })
  expect(hits).toEqual([])
  await guarded.close()
})
