import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { listChannelKeys, setChannelKeyStatus } from '@sluice/contract/routes/channels'
import { updateOption } from '@sluice/contract/routes/options'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

const seen: Seen[] = []
let answer: (reply: ServerResponse, request: Seen) => void = (reply) => void reply.end('ok')
const provider = createServer((request, reply) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { method = '', url = '', headers } = request
    const call = { method, url, headers, body: Buffer.concat(chunks).toString() }
    seen.push(call)
    answer(reply, call)
  })
})

let world: GatewayWorld
let key = ''
let channel = 0

beforeAll(async () => {
  provider.listen(0, '127.0.0.1')
  await once(provider, 'listening')
  world = await openGatewayWorld()
  key = await world.addToken(world.root)
  channel = await addProxy()
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  provider.closeAllConnections()
  provider.close()
})

function addProxy(more: object = {}): Promise<number> {
  const address = provider.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const base = `http://127.0.0.1:${address.port}/base`
  return world.addChannel(base, ['any'], { type: 43, key: 'Token upstream-secret', model_configs: '', ...more })
}

const call = (
  path: string,
  init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
  id = channel,
) =>
  fetch(`${world.url}/v1/oneapi/proxy/${id}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${key}`, ...init.headers },
  })
const lastRow = async () => (await world.rows('select * from log where type = 2 order by id desc limit 1'))[0]
const charges = async () => Number((await world.rows('select count(*) as n from transfer'))[0]?.['n'])
const codeOf = async (reply: Response) => ((await reply.json()) as { error: { code: string } }).error.code

describe('a call of any kind', () => {
  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])(
    '%s arrives as it was sent, except for the key',
    async (method) => {
      answer = (reply) => void reply.writeHead(201, { 'x-vendor': 'yes', 'content-type': 'text/x-special' }).end('made')
      const body = method === 'GET' ? undefined : 'raw \u0001 bytes'
      const reply = await call('/things/a%2Fb/?q=1&q=2', {
        method,
        ...(body && { body }),
        headers: { 'x-mine': 'kept' },
      })
      expect([reply.status, await reply.text(), reply.headers.get('x-vendor')]).toEqual([201, 'made', 'yes'])
      expect(seen.at(-1)).toMatchObject({ method, url: '/base/things/a%2Fb/?q=1&q=2', body: body ?? '' })
      expect(seen.at(-1)?.headers).toMatchObject({ authorization: 'Token upstream-secret', 'x-mine': 'kept' })
      expect(JSON.stringify(seen.at(-1)?.headers)).not.toContain(key)
    },
  )

  test('sends the first of several keys that is switched on', async () => {
    const id = await addProxy({ key: 'Token one\nToken two', keys_in_one: true })
    await call('/a', {}, id)
    const [first] = await world.root.call(listChannelKeys, { path: { id } })
    const path = { id, fingerprint: first?.fingerprint ?? '' }
    await world.root.call(setChannelKeyStatus, { path, body: { status: 2 } })
    await call('/a', {}, id)
    expect(seen.slice(-2).map(({ headers }) => headers.authorization)).toEqual(['Token one', 'Token two'])
  })

  test('is logged with zero quota, under the name of the raw proxy, with a trace', async () => {
    answer = (reply) => void reply.end('fine')
    const reply = await call('/x')
    await reply.text()
    const id = reply.headers.get('x-request-id')
    expect(await lastRow()).toMatchObject({
      request_id: id,
      amount: 0n,
      model_name: 'raw-proxy',
      channel_name: 'upstream',
      username: 'root',
      ended: 'complete',
    })
    const [trace] = await world.rows(`select * from trace where request_id = '${id}'`)
    expect(trace).toMatchObject({ status: 200, method: 'GET', url: `/v1/oneapi/proxy/${channel}/x` })
  })

  test('costs what the channel says a call costs', async () => {
    const priced = await addProxy({
      model_configs: JSON.stringify({ 'raw-proxy': { per_call: { usd_per_thousand_calls: 2 } } }),
    })
    await (await call('/x', {}, priced)).text()
    expect(await lastRow()).toMatchObject({ amount: 1_000_000n, model_name: 'raw-proxy' })
  })

  test('costs what a price override says where the channel says nothing', async () => {
    const override = (prices: object) =>
      world.root.call(updateOption, { body: { key: 'PriceOverrides', value: JSON.stringify(prices) } })
    await override({ 'raw-proxy': { per_call: { usd_per_thousand_calls: 3 } } })
    await (await call('/x')).text()
    expect(await lastRow()).toMatchObject({ amount: 1_500_000n, model_name: 'raw-proxy' })
    await override({})
    await (await call('/x')).text()
    expect(await lastRow()).toMatchObject({ amount: 0n })
  })

  test('the answer streams, with the status and without headers that would speak for this host', async () => {
    answer = (reply) => {
      reply.writeHead(200, {
        'set-cookie': 'sid=1',
        'access-control-allow-origin': 'https://evil.example',
        'strict-transport-security': 'max-age=1',
        'content-type': 'text/html',
      })
      reply.write('first ')
      setTimeout(() => reply.end('last'), 30)
    }
    const reply = await call('/stream')
    expect(await reply.text()).toBe('first last')
    for (const name of ['set-cookie', 'access-control-allow-origin', 'strict-transport-security']) {
      expect([name, reply.headers.get(name)]).toEqual([name, null])
    }
    expect(reply.headers.get('content-security-policy')).toContain('sandbox')
  })

  test('a caller with limits sees those, not the channel’s at its provider', async () => {
    answer = (reply) => {
      reply.writeHead(200, { 'x-ratelimit-limit-requests': '5000', 'x-ratelimit-remaining-requests': '4999' }).end()
    }
    const limited = await world.addToken(world.root, { rpm: 7 })
    const reply = await call('/x', { headers: { authorization: `Bearer ${limited}` } })
    const reported = ['limit', 'remaining'].map((name) => reply.headers.get(`x-ratelimit-${name}-requests`))
    expect(reported).toEqual(['7', '6'])
    const free = await call('/x')
    expect(free.headers.get('x-ratelimit-limit-requests')).toBe('5000')
  })

  test('HEAD returns the length and no body', async () => {
    answer = (reply) => void reply.writeHead(200, { 'content-length': '1234' }).end()
    const reply = await call('/file', { method: 'HEAD' })
    expect([reply.status, reply.headers.get('content-length')]).toEqual([200, '1234'])
  })
})

describe('a provider that fails', () => {
  test('its own error is forwarded and not charged', async () => {
    const before = await charges()
    answer = (reply) => void reply.writeHead(422).end('{"detail":"no"}')
    const reply = await call('/x')
    expect([reply.status, await reply.text()]).toEqual([422, '{"detail":"no"}'])
    expect(await charges()).toBe(before)
  })

  test('a refused key of the channel is not shown', async () => {
    answer = (reply) => void reply.writeHead(401).end('bad key upstream-secret')
    const reply = await call('/x')
    expect([reply.status, await codeOf(reply)]).toEqual([502, 'upstream_rejected'])
  })

  test('an address where nothing listens', async () => {
    const dead = await world.addChannel('http://127.0.0.1:1', ['any'], { type: 43, key: 'k', model_configs: '' })
    const reply = await call('/x', {}, dead)
    expect([reply.status, await codeOf(reply)]).toEqual([502, 'upstream_unreachable'])
  })

  test('a body that breaks off breaks off for the client too', async () => {
    answer = (reply) => {
      reply.writeHead(200).write('some')
      setTimeout(() => reply.destroy(), 20)
    }
    const reply = await call('/x')
    await expect(reply.text()).rejects.toThrow()
    await expect.poll(async () => (await lastRow())?.['ended']).toBe('upstream_broken')
  })

  test('for an HTTP/1.0 client too, to which a closed connection means the end', async () => {
    answer = (reply) => {
      reply.writeHead(200).write('some')
      setTimeout(() => reply.destroy(), 20)
    }
    const ended = await new Promise<string>((resolve) => {
      const socket = connect(Number(new URL(world.url).port), '127.0.0.1', () => {
        socket.write(`GET /v1/oneapi/proxy/${channel}/x HTTP/1.0\r\nAuthorization: Bearer ${key}\r\n\r\n`)
      })
      socket.resume().on('end', () => resolve('end'))
      socket.on('error', ({ message }) => resolve(message))
    })
    expect(ended).toContain('ECONNRESET')
  })
})
