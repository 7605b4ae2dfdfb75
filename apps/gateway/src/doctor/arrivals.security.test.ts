import { putOutCall, takeBackCall } from '@sluice/store/queries/doctor/doctor-calls'
import { freePort } from '@sluice/testkit/free-port'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAddressGuard } from '../outbound/address-guard.ts'
import { observeRequest } from '../outbound/observed-request.ts'
import { type Arrival, ARRIVAL_HEADER, ARRIVAL_PATH, hashOf, proofOf } from './arrivals.ts'
import { askOwnAddress } from './ask-own-address.ts'

const VALUE = 'a'.repeat(64)

describe('how a request of the doctor arrived', () => {
  let world: GatewayWorld
  beforeAll(async () => {
    world = await openGatewayWorld()
  })
  afterAll(() => world.close())

  const ask = async (headers: Readonly<Record<string, string>>, path = ARRIVAL_PATH, method = 'GET') => {
    const reply = await fetch(`${world.url}${path}`, { headers, method })
    return { status: reply.status, text: await reply.text() }
  }

  it('is said to nobody without the value that is out: then there is no such path', { tags: 'S43' }, async () => {
    const unknown = await ask({}, '/api/doctor/nothing')
    const nameless = ({ status, text }: typeof unknown) => [status, text.replaceAll(/\/api\/doctor\/\w+/g, '')]
    for (const headers of [
      {},
      { [ARRIVAL_HEADER]: VALUE },
      { [ARRIVAL_HEADER]: '' },
      { [ARRIVAL_HEADER]: `${VALUE}b` },
    ]) {
      expect(nameless(await ask(headers))).toEqual(nameless(unknown))
    }
    await putOutCall(world.database, hashOf(VALUE), 60_000)
    expect(nameless(await ask({ [ARRIVAL_HEADER]: 'b'.repeat(64) }))).toEqual(nameless(unknown))
    expect(nameless(await ask({ [ARRIVAL_HEADER]: hashOf(VALUE) }))).toEqual(nameless(unknown))
    expect(nameless(await ask({ [ARRIVAL_HEADER]: VALUE }, ARRIVAL_PATH, 'POST'))).not.toMatchObject([200])
    expect(nameless(await ask({ [ARRIVAL_HEADER]: VALUE }, `${ARRIVAL_PATH}?`)).at(0)).toBe(unknown.status)
    await takeBackCall(world.database.kysely, hashOf(VALUE))
    expect(nameless(await ask({ [ARRIVAL_HEADER]: VALUE }))).toEqual(nameless(unknown))
  })

  it('names no address but those of the request itself, and proves that it knows the value', async () => {
    await putOutCall(world.database, hashOf(VALUE), 60_000)
    const { status, text } = await ask({
      [ARRIVAL_HEADER]: VALUE,
      'x-forwarded-for': '203.0.113.9',
      cookie: 'session=canary',
    })
    await takeBackCall(world.database.kysely, hashOf(VALUE))
    const arrival = JSON.parse(/^data: (\{.*\})$/m.exec(text)?.[1] ?? '{}') as Arrival
    expect(status).toBe(200)
    expect(arrival).toEqual({
      proof: proofOf(VALUE),
      peer: '127.0.0.1',
      isTrusted: false,
      isSecure: false,
      forwardedFor: '203.0.113.9',
      forwardedProto: '',
      host: new URL(world.url).host,
    })
  })

  it('a value is taken back when the examination ends, whatever became of it', async () => {
    const out = new Set<string>()
    const deps = {
      guard: createAddressGuard('allow'),
      steady: () => performance.now(),
      newValue: () => VALUE,
      putOut: async (hash: string) => void out.add(hash),
      takeBack: async (hash: string) => void out.delete(hash),
      bodyLimit: 1_000,
    }
    const signal = new AbortController().signal
    expect(await askOwnAddress(deps, world.url, signal)).toMatchObject({ state: 'elsewhere', status: 404 })
    expect(await askOwnAddress(deps, `http://127.0.0.1:${await freePort()}`, signal)).toMatchObject({
      state: 'unreachable',
    })
    expect(out).toEqual(new Set())
  })

  it('addresses of cloud metadata are not called, whatever ServerAddress says', { tags: 'S3' }, async () => {
    const guard = createAddressGuard('allow')
    const request = { method: 'GET', headers: {}, timeoutMs: 1_000, signal: new AbortController().signal } as const
    for (const url of ['http://169.254.169.254/', 'http://[fd00:ec2::254]/', 'https://2852039166/']) {
      expect(await observeRequest(guard, { ...request, url: new URL(url) }, () => 0)).toEqual({
        ok: false,
        reason: 'its address is not allowed',
      })
    }
  })

  it('a server that never ends its answer is left in time', { tags: 'S27' }, async () => {
    const { createServer } = await import('node:http')
    const server = createServer((_request, reply) => void reply.writeHead(200).write('data'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const guard = createAddressGuard('allow')
    const request = { method: 'GET', headers: {}, timeoutMs: 50, signal: new AbortController().signal } as const
    const seen = await observeRequest(guard, { ...request, url: new URL(`http://127.0.0.1:${port}/`) }, () => 0)
    expect(seen).toEqual({ ok: false, reason: 'it did not answer in time' })
    server.closeAllConnections()
    server.close()
  })
})
