// @module-tag slow
import { listTokenPauses } from '@sluice/contract/routes/token-pauses'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { openRealtimeClient } from '@sluice/testkit/realtime-client'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

let emulator: Emulator
let world: GatewayWorld
let key = ''

beforeAll(async () => {
  emulator = await startEmulator()
  world = await openGatewayWorld()
  key = await world.addToken(world.root)
  await world.addChannel(emulator.url, ['emu-fast'])
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await emulator.close()
})

const messages = [{ role: 'user', content: 'hello' }]

async function ask(headers: Record<string, string>, body: object = {}) {
  const reply = await fetch(`${world.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'emu-fast', messages, ...body }),
  })
  return { status: reply.status, cost: reply.headers.get('x-sluice-cost'), text: await reply.text() }
}

async function lastCharge() {
  const [row] = await world.rows('select session, client, amount from log where type = 2 order by id desc limit 1')
  if (row === undefined) throw new Error('nothing was charged')
  return row
}

describe('the session that a client names', () => {
  test('is in the row of its charge as a digest, with the client, and its sums follow', async () => {
    const agent = { 'user-agent': 'claude-cli/2.0.14 (external, cli)', 'x-claude-code-session-id': 'my-secret-task' }
    await ask(agent)
    await ask(agent, { stream: true })
    const charge = await lastCharge()
    expect(charge).toMatchObject({ session: expect.stringMatching(/^[\w-]{22}$/), client: 'claude-code' })
    const [sums] = await world.rows('select session, calls, client, models from usage_session')
    expect(sums).toEqual({ session: charge['session'], calls: 2, client: 'claude-code', models: 'emu-fast' })
    const stored = JSON.stringify(await world.rows('select * from log'), (_, value: unknown) =>
      typeof value === 'bigint' ? `${value}` : value,
    )
    expect(stored).not.toContain('secret')
  })

  test('is found in the body, too, and a request that names none has none', async () => {
    await ask({}, { prompt_cache_key: 'a task' })
    const { session } = await lastCharge()
    await ask({ 'session-id': 'a task' })
    expect(await lastCharge()).toMatchObject({ session })
    await ask({ 'user-agent': 'something/1' }, { messages: [{ role: 'user', content: 'long '.repeat(2_000) }] })
    expect(await lastCharge()).toMatchObject({ session: '', client: 'other' })
  })
})

describe('on a websocket', () => {
  /** Sends requests until one is refused, at most three; returns the handshake's id and how many were answered. */
  async function talk(token: string, headers: Readonly<Record<string, string>>) {
    const all = { authorization: `Bearer ${token}`, ...headers }
    const client = await openRealtimeClient(`${world.url}/v1/responses`, [], { headers: all })
    let answered = 0
    for (; answered < 3; answered++) {
      client.send({ type: 'response.create', model: 'emu-fast', input: `turn ${answered}`, max_output_tokens: 20 })
      // oxlint-disable-next-line no-await-in-loop -- one turn after the other
      if ((await client.take('response.completed', 'error')).type === 'error') break
    }
    await client.close()
    return { id: String(client.headers['x-request-id']), answered }
  }
  const chargesOf = (name: string) =>
    world.rows(`select session, content from log where type = 2 and token_name = '${name}'`)
  const sumsOf = (name: string) => world.rows(`select session from usage_session where token_name = '${name}'`)
  const pausesOf = async (name: string) =>
    (await world.root.call(listTokenPauses)).filter((each) => each.token_name === name)

  test('a session that is named is the same one for the list, the guard and the row', async () => {
    const token = await world.addToken(world.root, { name: 'named', session_quota: 100 })
    const { answered } = await talk(token, { 'session-id': 's1' })
    const charges = await chargesOf('named')
    const [{ session } = { session: '' }] = charges
    expect(session).toMatch(/^[\w-]{22}$/)
    expect(charges.map((row) => row['session'])).toEqual(Array.from({ length: answered }, () => session))
    expect(await sumsOf('named')).toEqual([{ session }])
    await expect.poll(() => pausesOf('named')).toMatchObject([{ subject: session }])
  })

  test('what names none has none in the list, and counts to its day for the guard, on any connection', async () => {
    const token = await world.addToken(world.root, { name: 'nameless', session_quota: 100 })
    const first = await talk(token, {})
    expect(first.answered).toBeGreaterThan(0)
    expect((await talk(token, {})).answered).toBe(0)
    const charges = await chargesOf('nameless')
    expect(charges.map((row) => row['session'])).toEqual(Array.from({ length: first.answered }, () => ''))
    expect(await sumsOf('nameless')).toEqual([])
    await expect.poll(() => pausesOf('nameless')).toMatchObject([{ subject: expect.stringMatching(/^day /) as string }])
    // The connection's note in the log must not look like a session's.
    for (const { content } of charges) {
      expect(content).toContain(`; websocket ${first.id}`)
      expect(content).not.toContain('session')
    }
  })
})

describe('what a request cost', () => {
  const quotaOf = (text: string) => (JSON.parse(text) as { quota: string }).quota

  test('is in the header of a plain answer that asked, exactly', async () => {
    const { cost } = await ask({ 'x-sluice-cost': '1' })
    const { amount } = await lastCharge()
    expect(BigInt(Math.round(Number(quotaOf(cost ?? '')) * 1_000))).toBe(amount)
    expect((await ask({})).cost).toBeNull()
  })

  test('is in a comment before the last event of a stream that asked', async () => {
    const { text, cost } = await ask({ 'x-sluice-cost': '1' }, { stream: true })
    expect(cost).toBeNull()
    const blocks = text.trimEnd().split('\n\n')
    expect(blocks.at(-1)).toBe('data: [DONE]')
    const comment = blocks.find((block) => block.startsWith(': sluice-cost '))
    const { amount } = await lastCharge()
    expect(BigInt(Math.round(Number(quotaOf(comment?.slice(14) ?? '')) * 1_000))).toBe(amount)
    expect((await ask({}, { stream: true })).text).not.toContain('sluice-cost')
  })
})
