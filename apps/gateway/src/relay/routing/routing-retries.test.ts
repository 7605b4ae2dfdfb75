// @module-tag slow
import { updateOption } from '@sluice/contract/routes/options'
import { listChannelHealth } from '@sluice/contract/routes/routing'
import { parseRoutingDecision } from '@sluice/contract/routing'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'

let emulator: Emulator
let world: GatewayWorld
let key = ''

beforeAll(async () => {
  emulator = await startEmulator()
  world = await openGatewayWorld({ SLUICE_FIRST_BYTE_TIMEOUT: '0.6', SLUICE_RETRY_DEADLINE: '0.5' })
  key = await world.addToken(world.root)
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await emulator.close()
})

/** Adds channels for one model, each at its own address, which behaves like the emulated model of that name. */
async function addChannels(
  model: string,
  behaviours: readonly string[],
  more: object = {},
): Promise<readonly number[]> {
  const ids: number[] = []
  for (const [at, upstream] of behaviours.entries()) {
    ids.push(
      await world.addChannel(emulator.at(`${model}-${at + 1}`), [model], {
        name: `${model} ${at + 1}`,
        model_mapping: JSON.stringify({ [model]: upstream }),
        model_configs: JSON.stringify({ [upstream]: { ratio: 1 } }),
        priority: -at + 10,
        ...more,
      }),
    )
  }
  return ids
}

function cooldownEnd(attempt: Readonly<Record<string, unknown>> | undefined): number {
  const cooldown = attempt?.['rest'] as { readonly until: number } | undefined
  return cooldown?.until ?? 0
}

const callsAt = (place: string) => emulator.journal.places[place] ?? 0

async function lastTrace() {
  const [row] = await world.rows('select * from trace order by request_id desc limit 1')
  return {
    attempts: JSON.parse(String(row?.['attempts'])) as readonly Readonly<Record<string, unknown>>[],
    decision: parseRoutingDecision(String(row?.['routing'])),
    held: Number(row?.['held']),
  }
}

describe('a failed try', () => {
  test('is followed by the next priority, and each has its row with what it says about its channel', async () => {
    const [first, second, third] = await addChannels('chain', ['emu-error-500', 'emu-limited-7', 'emu-fast'])
    const before = Date.now()
    const reply = await world.chat(key, { model: 'chain' })
    expect(reply.status).toBe(200)
    await reply.text()
    await world.verify()
    const { attempts, decision } = await lastTrace()
    expect(attempts).toMatchObject([
      { channel: first, status: 500, cause: 'provider' },
      { channel: second, status: 429, cause: 'limited', rest: { cause: 'limited' } },
      { channel: third, status: 200 },
    ])
    const until = cooldownEnd(attempts[1])
    expect(until).toBeGreaterThanOrEqual(before + 7_000)
    expect(until).toBeLessThanOrEqual(Date.now() + 7_000)
    expect(decision).toMatchObject({
      by: 'weight',
      lanes: [
        { channel: first, channel_name: 'chain 1', order: 1, priority: 10 },
        { channel: second, order: 2, priority: 9 },
        { channel: third, order: 3, priority: 8 },
      ],
    })
    await (await world.chat(key, { model: 'chain' })).text()
    await world.verify()
    const next = await lastTrace()
    expect(next.attempts.map((attempt) => attempt['channel'])).toEqual([first, third])
    expect(next.decision?.lanes).toContainEqual(
      expect.objectContaining({ channel: second, order: 0, excluded: 'limited', until }),
    )
  })

  test('because a provider does not have what was asked for is repeated at another one', async () => {
    await addChannels('elsewhere', ['emu-error-404', 'emu-fast'])
    const reply = await world.chat(key, { model: 'elsewhere' })
    expect(reply.status).toBe(200)
    expect([callsAt('elsewhere-1'), callsAt('elsewhere-2')]).toEqual([1, 1])
    await reply.text()
  })

  test.each([400, 422])('that is the fault of the request is not repeated elsewhere: %i', async (status) => {
    await addChannels(`own-${status}`, [`emu-error-${status}`, 'emu-fast'])
    const reply = await world.chat(key, { model: `own-${status}` })
    expect(reply.status).toBe(status)
    expect(callsAt(`own-${status}-1`)).toBe(1)
    expect(callsAt(`own-${status}-2`)).toBe(0)
    await reply.text()
  })

  test('uses no channel that is paused, even when nothing else is left', async () => {
    await addChannels('paused', ['emu-error-500'])
    await world.addChannel(emulator.at('paused-away'), ['paused'], { priority: -1 })
    const reply = await world.chat(key, { model: 'paused' })
    expect(reply.status).toBe(500)
    await reply.text()
    expect(callsAt('paused-away')).toBe(0)
  })

  test('is not repeated after the deadline', async () => {
    await addChannels('late', ['emu-stall-before', 'emu-fast'])
    const reply = await world.chat(key, { model: 'late' })
    expect(reply.status).toBe(504)
    await reply.text()
    expect(callsAt('late-2')).toBe(0)
  })
})

test('a channel in cooldown is tried by one request when its cooldown is over, however many arrive at once', async () => {
  const [first = 0] = await addChannels('probe', ['emu-error-500', 'emu-fast'])
  const ask = async () => {
    const reply = await world.chat(key, { model: 'probe' })
    await reply.arrayBuffer()
    return reply.status
  }
  for (let n = 0; n < 10; n++) expect(await ask()).toBe(200)
  await vi.waitUntil(async () => (await standingOf(first)) === 'probe', { timeout: 10_000, interval: 50 })
  emulator.faults.switchOn({ at: 'probe-1', as: 'emu-delay-300' })
  const before = callsAt('probe-1')
  expect(await Promise.all(Array.from({ length: 8 }, ask))).toEqual(Array.from({ length: 8 }, () => 200))
  expect(callsAt('probe-1') - before).toBe(1)
  expect(await standingOf(first)).toBe('ready')
})

async function standingOf(id: number): Promise<string | undefined> {
  const [channel] = await world.root.call(listChannelHealth, { query: { channel: String(id) } })
  return channel?.lanes[0]?.standing
}

describe('a model with a fallback', () => {
  test('is replaced by it when all of its channels fail; the model that served is charged', async () => {
    await addChannels('main', ['emu-error-500'])
    await addChannels('spare', ['emu-fast'])
    const alone = await heldFor('main')
    await world.root.call(updateOption, { body: { key: 'ModelFallbacks', value: '{"main":["spare"]}' } })
    const reply = await world.chat(key, { model: 'main' })
    expect(reply.status).toBe(200)
    await reply.text()
    await world.verify()
    const { attempts, decision, held } = await lastTrace()
    expect(attempts.map((attempt) => attempt['channel_name'])).toEqual(['main 1', 'spare 1'])
    expect(decision?.lanes.map(({ model }) => model)).toEqual(['main', 'spare'])
    expect(held).toBe(alone)
  })

  test('that costs more is covered by what is held', async () => {
    await addChannels('cheap', ['emu-error-500'])
    const alone = await heldFor('cheap')
    await world.addChannel(emulator.at('dear-1'), ['dear'], {
      model_mapping: '{"dear":"emu-fast"}',
      model_configs: '{"emu-fast":{"ratio":50}}',
    })
    await world.root.call(updateOption, { body: { key: 'ModelFallbacks', value: '{"cheap":["dear"]}' } })
    const reply = await world.chat(key, { model: 'cheap' })
    expect(reply.status).toBe(200)
    await reply.text()
    await world.verify()
    expect((await lastTrace()).held).toBeGreaterThanOrEqual(50 * alone * 0.9)
  })

  test('is refused to a token that may not use it', async () => {
    await addChannels('tied', ['emu-error-500'])
    await addChannels('untied', ['emu-fast'])
    await world.root.call(updateOption, { body: { key: 'ModelFallbacks', value: '{"tied":["untied"]}' } })
    const tied = await world.addToken(world.root, { name: 'tied', models: 'tied' })
    const reply = await world.chat(tied, { model: 'tied' })
    expect(reply.status).toBe(500)
    await reply.text()
    expect(callsAt('untied-1')).toBe(0)
  })

  async function heldFor(model: string): Promise<number> {
    await (await world.chat(key, { model })).text()
    await world.verify()
    return (await lastTrace()).held
  }
})

test('when everything fails, further tries do not multiply the load', async () => {
  const REQUESTS = 60
  await addChannels('storm', ['emu-error-500', 'emu-error-500', 'emu-error-500'])
  const sent = emulator.journal.received
  const statuses = await Promise.all(
    Array.from({ length: REQUESTS }, async () => {
      const reply = await world.chat(key, { model: 'storm' })
      await reply.text()
      return reply.status
    }),
  )
  expect(new Set(statuses)).toEqual(new Set([500]))
  const tries = emulator.journal.received - sent
  expect(tries).toBeGreaterThan(REQUESTS)
  // The budget is ten, plus a fifth of the calls of the last ten seconds, which include those of the tests above.
  expect(tries).toBeLessThanOrEqual(REQUESTS + 10 + 0.2 * emulator.journal.received)
})
