import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addressGuard } from './address-guard.ts'
import { openOutside } from './fetch-outside.ts'
import { guardedAgent } from './guarded-agent.ts'
import { openGuardedSocket } from './guarded-socket.ts'

/** What the name stands for, one set of addresses for each time it is asked; the last one stays. */
let answers: (readonly string[])[] = []
let asked = 0
let hits: string[] = []
let server: Server
let origin = ''

const HERE = ['127.0.0.1']
/** Refused under every policy, as a rebinding name would turn to it. */
const METADATA = ['169.254.169.254']
const TIMEOUTS = { connectTimeoutMs: 2_000, firstByteTimeoutMs: 2_000, idleTimeoutMs: 2_000 }
const { signal } = new AbortController()

const resolver = (_name: string, _options: object, callback: (error: null, found: object[]) => void): void => {
  const found = answers[Math.min(asked, answers.length - 1)] ?? []
  asked++
  setImmediate(() =>
    callback(
      null,
      found.map((address) => ({ address, family: 4 })),
    ),
  )
}
const guard = () => addressGuard('allow', resolver as never)

function answer(request: IncomingMessage, reply: ServerResponse): void {
  hits.push(request.url ?? '')
  const [, way] = /^\/(\w+)/.exec(request.url ?? '') ?? []
  if (way === 'away') reply.writeHead(302, { location: `${origin}/here`, connection: 'close' }).end()
  else reply.writeHead(200, { connection: way === 'keep' ? 'keep-alive' : 'close' }).end('reached')
}

beforeEach(async () => {
  asked = 0
  hits = []
  server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://rebinding.test:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

test('S4 a connection goes to the address that was checked: the name is asked once for it', async () => {
  answers = [HERE, METADATA]
  const agent = guardedAgent(guard(), TIMEOUTS, 1)
  const read = async (path: string) => await (await agent.request({ origin, path, method: 'GET' })).body.text()
  expect(await read('/keep')).toBe('reached')
  expect(await read('/keep')).toBe('reached')
  expect(asked).toBe(1)
  await agent.destroy()
})

test('S4 the next connection of a call to a provider is checked again', async () => {
  answers = [HERE, METADATA]
  const agent = guardedAgent(guard(), TIMEOUTS, 1)
  await (await agent.request({ origin, path: '/close', method: 'GET' })).body.dump()
  await expect(agent.request({ origin, path: '/close', method: 'GET' })).rejects.toThrow('not allowed')
  expect([asked, hits]).toEqual([2, ['/close']])
  await agent.destroy()
})

test('S4 so is that of a redirect to the same name', async () => {
  answers = [HERE, METADATA]
  const outside = openOutside(guard())
  const outcome = await outside.fetch({ method: 'GET', url: `${origin}/away`, redirects: 3, signal })
  expect(outcome).toMatchObject({ ok: false, fault: 'refused' })
  expect([asked, hits]).toEqual([2, ['/away']])
  await outside.close()
})

test('S4 so is that of a websocket', async () => {
  answers = [HERE, METADATA]
  const limits = { maxFrame: 1_000, handshakeTimeoutMs: 2_000 }
  const open = () => openGuardedSocket(guard(), { origin, path: '/', headers: [] }, limits, signal)
  expect(await open()).toMatchObject({ cause: 'status', status: 200 })
  expect(await open()).toEqual({ cause: 'forbidden' })
  expect([asked, hits]).toEqual([2, ['/']])
})

test('S4 no connection is made to a name that stands for both at once', async () => {
  answers = [[...HERE, ...METADATA]]
  const outside = openOutside(guard())
  expect(await outside.fetch({ method: 'GET', url: `${origin}/`, signal })).toMatchObject({ fault: 'refused' })
  expect(hits).toEqual([])
  await outside.close()
})
