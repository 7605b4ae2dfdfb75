import { forgetChannelHealth } from '@sluice/contract/routes/routing'
import type { Call } from '@sluice/testkit/emulator/journal'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

let emulator: Emulator
let world: GatewayWorld
let key = ''

beforeAll(async () => {
  emulator = await startEmulator()
  world = await openGatewayWorld()
  key = await world.addToken(world.root)
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await emulator.close()
})

async function addPlaces(model: string, places: readonly string[], more: object = {}): Promise<readonly number[]> {
  const ids: number[] = []
  for (const place of places) {
    const mapped = { model_mapping: JSON.stringify({ [model]: 'emu-fast' }), ...more }
    const priced = JSON.stringify({ 'emu-fast': { ratio: 1 } })
    ids.push(await world.addChannel(emulator.at(place), [model], { ...mapped, model_configs: priced }))
  }
  return ids
}

/** The calls made for one request; only the last one was answered. */
async function ask(model: string, session?: string): Promise<readonly Call[]> {
  const { length } = emulator.journal.calls
  expect(length).toBeLessThan(150)
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const named = session === undefined ? headers : { ...headers, 'x-session-id': session }
  const reply = await world.chat(key, { model }, { headers: named })
  expect(reply.status).toBe(200)
  await reply.arrayBuffer()
  return emulator.journal.calls.slice(length)
}

const keyOf = ({ headers }: Call) => headers['authorization']

describe('a conversation', () => {
  const PLACES = ['talk-a', 'talk-b', 'talk-c']

  test('stays at its channel, and conversations are spread over all', async () => {
    await addPlaces('talk', PLACES)
    const of = async (session: string) => (await ask('talk', session)).map(({ place }) => place)
    const first = await of('one')
    for (let turn = 0; turn < 4; turn++) expect(await of('one')).toEqual(first)
    const places = new Set<string | undefined>()
    for (let n = 0; n < 12; n++) places.add((await of(`other ${n}`))[0])
    expect(places).toEqual(new Set(PLACES))
  })

  test('leaves its channel for as long as that channel asks to be left alone, and comes back', async () => {
    const ids = await addPlaces('leave', ['leave-a', 'leave-b'])
    const [home] = await ask('leave', 'one')
    const place = home?.place ?? ''
    emulator.faults.switchOn({ at: place, as: 'emu-limited-60' })
    expect((await ask('leave', 'one')).map((call) => call.place)).toEqual([place, other(place)])
    expect((await ask('leave', 'one')).map((call) => call.place)).toEqual([other(place)])
    emulator.faults.switchOff({ at: place })
    for (const id of ids) await world.root.call(forgetChannelHealth, { path: { id } })
    expect((await ask('leave', 'one')).map((call) => call.place)).toEqual([place])
  })

  const other = (place: string) => (place.endsWith('a') ? place.replace(/a$/, 'b') : place.replace(/b$/, 'a'))
})

describe('several keys in one channel', () => {
  const KEYS = ['key-one', 'key-two', 'key-three']
  const several = { key: KEYS.join('\n'), keys_in_one: true }

  test('are all used, and a conversation keeps its own', async () => {
    await addPlaces('pool', ['pool'], several)
    const of = async (session?: string) => (await ask('pool', session)).map(keyOf)
    const mine = await of('one')
    for (let turn = 0; turn < 3; turn++) expect(await of('one')).toEqual(mine)
    const used = new Set<unknown>()
    for (let n = 0; n < 24 && used.size < 3; n++) for (const each of await of()) used.add(each)
    expect(used.size).toBe(3)
  })

  test.each([
    ['refused', 'emu-error-401'],
    ['told to wait', 'emu-limited-60'],
  ])('one that is %s hands over to the others, and is left alone from then on', async (_, fault) => {
    const place = `turn-${fault}`
    await addPlaces(place, [place], several)
    emulator.faults.switchOn({ key: 'key-two', as: fault })
    const tried: unknown[] = []
    for (let n = 0; n < 12; n++) {
      const calls = await ask(place)
      if (calls.length > 1) tried.push(keyOf(calls[0] ?? calls[1] ?? never()))
    }
    emulator.faults.switchOff({ key: 'key-two' })
    expect(tried.length).toBeLessThanOrEqual(1)
    for (const each of tried) expect(each).toBe('Bearer key-two')
  })

  test('try another channel first when the provider itself fails', async () => {
    await addPlaces('down', ['down-a'], { ...several, priority: 5 })
    await addPlaces('down', ['down-b'])
    emulator.faults.switchOn({ at: 'down-a', as: 'emu-error-500' })
    expect((await ask('down')).map(({ place }) => place)).toEqual(['down-a', 'down-b'])
  })
})

function never(): never {
  throw new Error('there was no call')
}
