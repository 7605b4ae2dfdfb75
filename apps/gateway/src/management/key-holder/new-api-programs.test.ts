import { renewAccessToken } from '@sluice/contract/routes/account'
import { updateOption } from '@sluice/contract/routes/options'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import type { ManagementClient } from '@sluice/testkit/management-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** Replies as programs made for New API declare them. */
interface Price {
  readonly model_name: string
  readonly model_ratio: number
  readonly completion_ratio: number
}
interface LogRow {
  readonly model_name: string
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly quota: number
  readonly request_id: string
}

describe('programs of New API at a running gateway', () => {
  let world: GatewayWorld
  let emulator: Emulator
  let ann: ManagementClient
  let key: string
  let accessToken: string
  let requestId: string
  beforeAll(async () => {
    emulator = await startEmulator()
    world = await openGatewayWorld()
    await world.root.call(updateOption, { body: { key: 'GroupRatio', value: '{"default":1.5,"vip":1,"svip":1}' } })
    const group = 'default'
    await world.addChannel(emulator.url, ['emu-fast'], { group })
    ann = await world.addUser('ann', 5_000_000, { group })
    key = await world.addToken(ann)
    accessToken = await ann.call(renewAccessToken)
    const reply = await fetch(`${world.url}/openai/v1/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
      body: '{"model":"emu-fast","max_tokens":200,"messages":[{"role":"user","content":"Say something."}]}',
    })
    expect(reply.status).toBe(200)
    requestId = reply.headers.get('x-oneapi-request-id') ?? ''
    await reply.text()
  })
  afterAll(async () => {
    await world.verify()
    await world.close()
    await emulator.close()
  })

  const get = async <T>(path: string, headers: Record<string, string> = {}): Promise<T> =>
    (await (await fetch(world.url + path, { headers })).json()) as T
  const dashboard = () => ({ authorization: accessToken, 'new-api-user': '2' })
  const bearer = () => ({ authorization: `Bearer ${key}` })

  it('find the charge of a call by its price, in every list, to the last point', async () => {
    const { data } = await get<{ data: LogRow[] }>(`/api/log/token?key=${key}`)
    expect(data).toMatchObject([{ model_name: 'emu-fast', request_id: requestId }])
    const [row] = data as [LogRow]
    const { data: prices, group_ratio } = await get<{ data: Price[]; group_ratio: Record<string, number> }>(
      '/api/pricing',
      dashboard(),
    )
    const [price] = prices as [Price]
    const tokens = row.prompt_tokens + row.completion_tokens * price.completion_ratio
    expect(row.quota).toBe(Math.ceil(tokens * price.model_ratio * (group_ratio['default'] ?? 0)))

    const cost = await get<{ quota: number }>(`/api/cost/request/${requestId}`, bearer())
    const usage = await get<{ data: { total_used: number } }>('/api/usage/token/', bearer())
    const own = await get<{ data: { items: LogRow[] } }>('/api/log/self?p=1&page_size=10&type=2', dashboard())
    const chart = await get<{ data: { quota: number }[] }>('/api/data/self', dashboard())
    expect([cost.quota, usage.data.total_used, own.data.items[0]?.quota, chart.data[0]?.quota]).toEqual(
      Array.from({ length: 4 }, () => row.quota),
    )
  })

  it('leave no key in the log of the gateway that they put into an address', { tags: 'S20' }, async () => {
    await get(`/api/log/token?key=${key}`)
    await get(`/api/log/token/?key=${key}`)
    expect(world.log.join('\n')).not.toContain(key.replace(/^sk-/, ''))
  })

  it('need an API key on the path of the playground: a session pays for nothing', { tags: 'S25' }, async () => {
    const ask = (headers: Record<string, string>) =>
      fetch(`${world.url}/pg/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: '{"model":"emu-fast","messages":[{"role":"user","content":"Hi"}]}',
      })
    expect((await ask({ cookie: ann.cookie })).status).toBe(401)
    expect((await ask({ authorization: accessToken })).status).toBe(401)
    expect((await ask(bearer())).status).toBe(200)
  })

  it('are told where realtime sessions are, and get no key of the provider', { tags: 'S25' }, async () => {
    const calls = emulator.journal.calls.length
    const reply = await fetch(`${world.url}/v1/realtime/sessions`, {
      method: 'POST',
      headers: { ...bearer(), 'content-type': 'application/json' },
      body: '{"model":"emu-fast"}',
    })
    expect(reply.status).toBe(501)
    expect(await reply.json()).toMatchObject({
      error: { code: 'provider_credential_not_given', message: expect.stringContaining('/v1/realtime with your key') },
    })
    expect(emulator.journal.calls.length).toBe(calls)
  })

  it('list the models of Google’s address for OpenAI’s clients', async () => {
    const list = await get<{ object: string; data: { id: string }[] }>('/v1beta/openai/models', bearer())
    expect([list.object, list.data.map(({ id }) => id)]).toEqual(['list', ['emu-fast']])
  })
})
