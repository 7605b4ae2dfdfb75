// @module-tag slow
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseAttempts } from '@sluice/contract/log'
import { updateOption } from '@sluice/contract/routes/options'
import { kindOf } from '@sluice/providers/kinds/all'
import { CHANNEL_BODIES } from '@sluice/testkit/channel-bodies'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorOf, RECORDED_FAILURES, type RecordedFailure } from '../recorded/failures.ts'

/** Every recorded failure of a provider whose address can be set, as a gateway handles it: next to a good channel, and alone. */
let world: GatewayWorld
let key = ''
let good = ''
const servers: Server[] = []
const CALLS = 6

const WHOLE = {
  id: 'x',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
}

async function serve(status: number, body: object): Promise<{ readonly url: string; asked(): number }> {
  let asked = 0
  const server = createServer((request, reply) => {
    asked += 1
    request.resume().on('end', () => {
      reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: () => asked }
}

beforeAll(async () => {
  world = await openGatewayWorld({ SLUICE_LOG_LEVEL: 'silent' })
  await world.root.call(updateOption, { body: { key: 'RetryTimes', value: 1 } })
  key = await world.addToken(world.root)
  good = (await serve(200, WHOLE)).url
})
afterAll(async () => {
  await world.verify()
  await world.close()
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

const reachable = RECORDED_FAILURES.filter(({ kind }) => kindOf(kind)?.address.baseUrlEditable === true)
let count = 0

/** A channel of the vendor that always fails like this, and the model that only it has. */
async function addSick({ kind, status, body }: RecordedFailure) {
  const provider = await serve(status, body)
  const model = `sick-${++count}`
  const { key: own = 'sk-upstream-secret', other } = CHANNEL_BODIES.find(({ type }) => type === kind) ?? {}
  const more = { type: kind, key: own, priority: 10, ...(other === undefined ? {} : { other }) }
  await world.addChannel(provider.url, [model], more)
  return { provider, model }
}

/** Content that no caller may read: names of the account, its bill, its quotas. */
const OF_THE_ACCOUNT =
  /org[-_][A-Za-z0-9]{8}|proj_|projects?[/= ]#?\d|\bak-|00000000-1111|credit balance|billing|quota|spending limit|recharge|充值|Limit \d|Tier|Account example/i

test('every vendor whose address can be set is met', () => {
  expect(new Set(reachable.map(({ vendor }) => vendor)).size).toBeGreaterThanOrEqual(18)
})

describe.each(reachable.map((failure) => ({ ...failure, said: errorOf(failure)?.message ?? '' })))(
  '$vendor, $status, $said',
  (failure) => {
    const { fault, said } = failure

    test('beside a sound channel is not noticed, and is hardly met', async () => {
      const { provider, model } = await addSick(failure)
      await world.addChannel(good, [model], { priority: 1 })
      const statuses: number[] = []
      const texts: string[] = []
      for (let call = 0; call < CALLS; call++) {
        const reply = await world.chat(key, { model })
        statuses.push(reply.status)
        texts.push(await reply.text())
      }
      if (fault === 'caller') {
        expect(new Set(statuses)).toEqual(new Set([failure.status]))
        return
      }
      expect(statuses, texts.join('\n')).toEqual(Array.from({ length: CALLS }, () => 200))
      if (fault === 'request_here' || fault === 'provider') return
      // A 403 might be the request's fault, so it takes three.
      const isDoubtful = failure.status === 403 && fault !== 'unknown_model'
      expect(provider.asked()).toBeLessThanOrEqual(isDoubtful ? 3 : fault === 'limited' ? CALLS - 1 : 1)
    })

    test('alone is answered in words of ours wherever it is about the account, and the operator finds the vendor’s', async () => {
      const { model } = await addSick(failure)
      const reply = await world.chat(key, { model })
      const text = await reply.text()
      const { error } = JSON.parse(text) as { error: Record<string, unknown> }
      expect(reply.status).toBeGreaterThanOrEqual(400)
      expect(error).toMatchObject({ message: expect.any(String), type: expect.any(String) })
      expect(typeof error['code'] === 'string' || error['code'] === null).toBe(true)
      expect(typeof error['param'] === 'string' || error['param'] === null).toBe(true)
      expect(text).not.toMatch(OF_THE_ACCOUNT)
      const isOwn = ['key', 'account', 'limited', 'unknown_model'].includes(fault)
      const id = reply.headers.get('x-request-id') ?? ''
      const [row] = await world.rows(`select attempts from trace where request_id = '${id}'`)
      const [attempt] = parseAttempts(String(row?.['attempts']))
      expect(attempt?.said === undefined).toBe(!isOwn)
      if (isOwn) {
        expect(text).not.toContain(said)
        expect(attempt?.said?.slice(0, 8)).toBe(said.slice(0, 8))
      }
    })
  },
)
