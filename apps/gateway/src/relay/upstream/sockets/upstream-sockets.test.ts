// @module-tag slow
import { listRunningCalls, stopRunningCall } from '@sluice/contract/routes/running-calls'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { openRealtimeClient, type RealtimeClient, type RealtimeEvent } from '@sluice/testkit/realtime-client'
import { type AskedOfProvider, type FramedProvider, startFramedProvider } from '@sluice/testkit/servers/framed-provider'
import OpenAI from 'openai'
import { ResponsesWS } from 'openai/resources/responses/ws'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

let provider: FramedProvider
let world: GatewayWorld
let key = ''

const OPENAI = 1

beforeAll(async () => {
  provider = await startFramedProvider()
  world = await openGatewayWorld()
  key = await world.addToken(world.root)
})
/** Each test uses its own lane, because refusals are remembered per lane. */
let model = ''
let channel = 0
let tests = 0
beforeEach(async () => {
  model = `gpt-${(tests += 1)}`
  channel = await world.addChannel(provider.url, [model], { type: OPENAI, key: `sk-${model}`, config: ON, priority: 9 })
})
afterEach(async () => {
  provider.refusing = undefined
  provider.finish()
  await world.verify()
})
afterAll(async () => {
  await world.close()
  await provider.close()
})

const ON = '{"websocket":"on"}'

const open = (): Promise<RealtimeClient> =>
  openRealtimeClient(`${world.url}/v1/responses`, [], { headers: { authorization: `Bearer ${key}` } })
const ask = (more: object = {}) => ({ type: 'response.create', model, input: 'Hi', store: false, ...more })
const behaving = (behave: string, more: object = {}) => ask({ metadata: { behave }, ...more })
const idOf = (event: RealtimeEvent) => (event['response'] as { readonly id: string }).id
const respond = async (client: RealtimeClient, request: object): Promise<string> => {
  client.send(request)
  const event = await client.take('response.completed', 'error')
  expect(event).toMatchObject({ type: 'response.completed' })
  return idOf(event)
}
/** The requests that the provider received during `work`. */
async function askedDuring(work: () => Promise<unknown>): Promise<readonly AskedOfProvider[]> {
  const before = provider.asked.length
  await work()
  return provider.asked.slice(before)
}
const transports = (asked: readonly AskedOfProvider[]) => asked.map(({ transport }) => transport)
const rows = () => world.rows(`select * from log where type = 2 and channel_id = ${channel} order by id`)
async function attemptsOf(row: Readonly<Record<string, unknown>> | undefined): Promise<readonly object[]> {
  const [trace] = await world.rows(`select attempts from trace where request_id = '${String(row?.['request_id'])}'`)
  return JSON.parse(String(trace?.['attempts'])) as readonly object[]
}

describe('a conversation on a websocket', () => {
  test('is continued on the provider’s with what is new alone, and is the same conversation for it', async () => {
    const client = await open()
    const asked = await askedDuring(async () => {
      const first = await respond(client, ask({ instructions: 'Be kind.' }))
      const second = await respond(client, ask({ instructions: 'Be kind.', previous_response_id: first, input: 'Two' }))
      await respond(client, ask({ previous_response_id: second, input: [{ role: 'user', content: 'Three' }] }))
      await client.close()
    })
    expect(transports(asked)).toEqual(['websocket', 'websocket', 'websocket'])
    expect(asked[1]?.json).toMatchObject({ model, instructions: 'Be kind.', input: 'Two', store: false })
    expect(asked[1]?.json['previous_response_id']).toMatch(/^resp_/)
    expect(asked[2]?.json['input']).toEqual([{ role: 'user', content: 'Three' }])
    expect(asked[2]?.conversation).toMatchObject([
      { role: 'user', content: 'Hi' },
      { type: 'reasoning', encrypted_content: 'sealed' },
      { type: 'message', role: 'assistant' },
      { role: 'user', content: 'Two' },
      { type: 'reasoning' },
      { type: 'message' },
      { role: 'user', content: 'Three' },
    ])
    expect(new Set(asked.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer sk-${model}`]))
    await expect.poll(() => provider.open).toBe(0)
  })

  test('is charged and traced as by POST, and its trace names the websocket', async () => {
    const client = await open()
    await respond(client, ask())
    await client.close()
    const [row] = await rows()
    expect(row).toMatchObject({ prompt_tokens: 20, completion_tokens: 9, amount: 38_000n, ended: 'complete' })
    const attempts = await attemptsOf(row)
    expect(attempts).toEqual([expect.objectContaining({ status: 200, error: '', transport: 'websocket' })])
    expect(await (await fetch(`${world.url}/v1/responses`, post())).text()).toContain('response.completed')
    const [, posted] = await rows()
    expect(posted).toMatchObject({ prompt_tokens: 20, completion_tokens: 9, amount: 38_000n })
    expect((await attemptsOf(posted))[0]).not.toHaveProperty('transport')
  })

  test('brings the official client the same events as a POST', async () => {
    const openai = new OpenAI({ apiKey: key, baseURL: `${world.url}/v1`, maxRetries: 0 })
    const posted: string[] = []
    for await (const event of await openai.responses.create({ model, input: 'Hi', stream: true })) {
      posted.push(event.type)
    }
    const framed: string[] = []
    const socket = new ResponsesWS(openai)
    socket.send({ type: 'response.create', model, input: 'Hi', store: false })
    for await (const happened of socket.stream()) {
      if (happened.type !== 'message') continue
      framed.push(happened.message.type)
      if (happened.message.type === 'response.completed') break
    }
    socket.close()
    expect(framed).toEqual(posted)
    expect(transports(provider.asked.slice(-2))).toEqual(['POST', 'websocket'])
  })

  test('costs the provider’s line what is new, not what is known', async () => {
    const lengths: number[] = []
    const result = 'x'.repeat(2_000)
    for (const config of [ON, '{"websocket":"off"}']) {
      await world.changeChannel({ id: channel, config })
      const before = provider.bytes
      const client = await open()
      let id = await respond(client, ask())
      for (let round = 0; round < 20; round++) {
        const item = { type: 'function_call_output', call_id: `call_${round}`, output: result }
        id = await respond(client, ask({ previous_response_id: id, input: [item] }))
      }
      await client.close()
      lengths.push(provider.bytes - before)
    }
    const [framed = 0, posted = 0] = lengths
    expect(framed).toBeLessThan(21 * 2_400)
    expect(posted).toBeGreaterThan(8 * framed)
  })

  test('is sent by POST to a compatible server that nobody said has one', async () => {
    await world.changeChannel({ id: channel, config: '{}' })
    const client = await open()
    const asked = await askedDuring(() => respond(client, ask()))
    await client.close()
    expect(transports(asked)).toEqual(['POST'])
  })
})

const post = () => ({
  method: 'POST',
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  body: JSON.stringify({ model, input: 'Hi', store: false, stream: true }),
})

async function until(value: () => number): Promise<number> {
  for (let last = Number.NaN; ;) {
    if (value() === last) return last
    last = value()
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

describe('a provider’s websocket that cannot be used', () => {
  test.each([401, 404, 429, 503])(
    'with an upgrade answered %i gives way to a POST, and is let alone',
    async (status) => {
      provider.refusing = status
      const shakes = provider.handshakes.length
      const client = await open()
      const asked = await askedDuring(async () => {
        const id = await respond(client, ask())
        await respond(client, ask({ previous_response_id: id, input: 'Two' }))
      })
      await client.close()
      expect(transports(asked)).toEqual(['POST', 'POST'])
      expect(asked[1]?.conversation).toHaveLength(4)
      expect(provider.handshakes.length - shakes).toBe(1)
      for (const row of await rows()) expect(await attemptsOf(row)).toHaveLength(1)
    },
  )

  test('is no excuse for a POST that fails too', async () => {
    provider.refusing = 503
    const client = await open()
    const asked = await askedDuring(async () => {
      client.send(behaving('busy'))
      expect(await client.take('error')).toMatchObject({ status: 429, error: { code: 'rate_limit_exceeded' } })
    })
    await client.close()
    expect(transports(asked)).toEqual(['POST'])
    expect(await rows()).toEqual([])
  })

  test.each(['drop', 'limit', 'odd'])('because of “%s” before an answer gives way to a POST', async (behave) => {
    const client = await open()
    const asked = await askedDuring(() => respond(client, behaving(behave)))
    await client.close()
    expect(transports(asked)).toEqual(['websocket', 'POST'])
    const charged = await rows()
    expect(charged).toHaveLength(1)
    expect(await attemptsOf(charged[0])).toEqual([expect.objectContaining({ status: 200 })])
  })

  test('because the provider forgot gives way to a POST with the whole conversation', async () => {
    const client = await open()
    const asked = await askedDuring(async () => {
      const id = await respond(client, ask())
      await respond(client, behaving('forget', { previous_response_id: id, input: 'Two' }))
    })
    await client.close()
    expect(transports(asked)).toEqual(['websocket', 'websocket', 'POST'])
    expect(asked[2]?.conversation).toMatchObject([{ content: 'Hi' }, {}, {}, { content: 'Two' }])
    expect(asked[2]?.json).not.toHaveProperty('previous_response_id')
    expect(await rows()).toHaveLength(2)
  })

  test('because it was closed meanwhile is opened again, with the whole conversation', async () => {
    const client = await open()
    const asked = await askedDuring(async () => {
      const id = await respond(client, ask())
      provider.drop()
      await expect.poll(() => provider.open).toBe(0)
      const next = await respond(client, ask({ previous_response_id: id, input: 'Two' }))
      await respond(client, ask({ previous_response_id: next, input: 'Three' }))
    })
    await client.close()
    expect(asked.map(({ conversation }) => conversation.length)).toEqual([1, 4, 7])
    expect(asked.at(-1)).toMatchObject({ transport: 'websocket', json: { input: 'Three' } })
    expect(asked[1]?.json).not.toHaveProperty('previous_response_id')
  })

  test('because its time is over, said between two responses, is opened again', async () => {
    const client = await open()
    const id = await respond(client, ask())
    provider.say('{"type":"error","status":400,"error":{"code":"websocket_connection_limit_reached"}}')
    await expect.poll(() => provider.open).toBe(0)
    const asked = await askedDuring(() => respond(client, ask({ previous_response_id: id })))
    await client.close()
    expect(asked).toMatchObject([{ transport: 'websocket', conversation: [{}, {}, {}, {}] }])
  })

  test('because the channel has another key now is opened again with that', async () => {
    const client = await open()
    const id = await respond(client, ask())
    await world.changeChannel({ id: channel, key: 'sk-another' })
    const asked = await askedDuring(() => respond(client, ask({ previous_response_id: id })))
    expect(asked).toMatchObject([{ transport: 'websocket', authorization: 'Bearer sk-another' }])
    await client.close()
  })
})

describe('an answer on a provider’s websocket', () => {
  test('that breaks off in the middle is a broken stream, and the next one comes', async () => {
    const client = await open()
    const asked = await askedDuring(async () => {
      client.send(behaving('cut'))
      expect(await client.take('error')).toMatchObject({ status: 502, error: { code: 'upstream_broken' } })
      await respond(client, ask())
    })
    await client.close()
    expect(transports(asked)).toEqual(['websocket', 'websocket'])
    const [broken] = await rows()
    expect(await attemptsOf(broken)).toMatchObject([{ error: 'upstream_broken', transport: 'websocket' }])
  })

  test.each([
    ['wrong', 400, 'odd'],
    ['busy', 429, 'rate_limit_exceeded'],
  ])('that is the error “%s” is what it is by POST', async (behave, status, code) => {
    const client = await open()
    const asked = await askedDuring(async () => {
      client.send(behaving(behave))
      const error = await client.take('error')
      expect(error).toMatchObject({ status, error: { code } })
      if (behave === 'busy') expect(error['headers']).toEqual({ 'retry-after': '7' })
    })
    await client.close()
    expect(transports(asked)).toEqual(['websocket'])
    expect(await rows()).toEqual([])
  })

  test('that another channel has to give gets the whole conversation, on a websocket of that channel', async () => {
    const other = await world.addChannel(provider.url, [model], { type: OPENAI, key: 'sk-other', config: ON })
    const client = await open()
    const asked = await askedDuring(async () => {
      const id = await respond(client, ask())
      const next = await respond(client, behaving('busyFirst', { previous_response_id: id, input: 'Two' }))
      await respond(client, ask({ previous_response_id: next, input: 'Three' }))
    })
    await client.close()
    expect(asked.map(({ authorization }) => authorization.slice('Bearer '.length))).toEqual([
      `sk-${model}`,
      `sk-${model}`,
      'sk-other',
      'sk-other',
    ])
    expect(transports(asked)).toEqual(Array(4).fill('websocket'))
    expect(asked.map(({ conversation }) => conversation.length)).toEqual([1, 4, 4, 7])
    expect(asked[3]?.json['input']).toBe('Three')
    const charged = await world.rows(`select * from log where type = 2 and channel_id = ${other} order by id`)
    expect(charged).toHaveLength(2)
    expect(await attemptsOf(charged[0])).toMatchObject([
      { status: 429, cause: 'limited', transport: 'websocket' },
      { status: 200, transport: 'websocket' },
    ])
  })

  test('holds its provider back while the client reads nothing', { tags: 'S27' }, async () => {
    const client = await open()
    client.send(behaving('hold'))
    await client.take('response.output_text.delta')
    client.pause()
    const delta = 'x'.repeat(1_000_000)
    for (let i = 0; i < 60; i++) provider.say(JSON.stringify({ type: 'response.output_text.delta', delta }))
    await expect.poll(() => provider.waiting).toBeLessThan(60_000_000)
    const settled = await until(() => provider.waiting)
    expect(settled).toBeGreaterThan(20_000_000)
    client.cut()
    provider.finish()
    await expect.poll(() => provider.open).toBe(0)
  })

  test('is one at a time; other streams have websockets of their own, and more than four are sent by POST', async () => {
    const client = await open()
    const asked = await askedDuring(async () => {
      for (let i = 0; i < 6; i++) client.send(behaving('hold', { stream_id: String(i) }))
      await expect.poll(() => provider.asked.filter(({ json }) => json['model'] === model).length).toBe(6)
      expect(provider.open).toBe(4)
      provider.finish()
      for (let i = 0; i < 6; i++) await client.take('response.completed')
    })
    expect(transports(asked).toSorted()).toEqual(['POST', 'POST', ...Array(4).fill('websocket')])
    await client.close()
    await expect.poll(() => provider.open).toBe(0)
    expect(await rows()).toHaveLength(6)
  })

  test('ends at the provider within a moment when its owner stops it, and is charged', { tags: 'S25' }, async () => {
    const client = await open()
    client.send(behaving('hold'))
    await client.take('response.created')
    const running = (await world.root.call(listRunningCalls)).find(({ model_name }) => model_name === model)
    await world.root.call(stopRunningCall, { body: { request_id: running?.request_id ?? '' } })
    await expect.poll(() => provider.open, { interval: 1 }).toBe(0)
    expect(await client.take('error')).toMatchObject({ error: { code: 'call_stopped' } })
    await respond(client, ask())
    await client.close()
    expect((await rows()).map(({ ended }) => ended)).toEqual(['stopped', 'complete'])
  })

  test('is read on for its usage when the client leaves, as by POST, and closed then', async () => {
    const client = await open()
    const idle = await respond(client, ask({ stream_id: 'idle' }))
    expect(idle).toMatch(/^resp_/)
    client.send(behaving('hold'))
    await client.take('response.output_text.delta')
    client.cut()
    await expect.poll(() => provider.open).toBe(1)
    provider.finish()
    await expect.poll(() => provider.open).toBe(0)
    const [, left] = await rows()
    expect(left).toMatchObject({ ended: 'client_gone_drained', completion_tokens: 9 })
  })
})
