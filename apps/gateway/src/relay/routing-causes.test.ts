import { updateOption } from '@sluice/contract/routes/options'
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

const add = (model: string, upstream: string) =>
  world.addChannel(emulator.at(model), [model], {
    model_mapping: JSON.stringify({ [model]: upstream }),
    model_configs: JSON.stringify({ [upstream]: { ratio: 1 } }),
  })

const fallbacks = (value: object) =>
  world.root.call(updateOption, { body: { key: 'ModelFallbacks', value: JSON.stringify(value) } })

async function lastAttempts() {
  const [row] = await world.rows('select attempts from trace order by request_id desc limit 1')
  return JSON.parse(String(row?.['attempts'])) as readonly Readonly<Record<string, unknown>>[]
}

describe('a request that its fallback cannot take', () => {
  test('goes to the next fallback', async () => {
    await add('big', 'emu-error-500')
    await add('small', 'emu-error-400')
    await add('other', 'emu-fast')
    await fallbacks({ big: ['small', 'other'] })
    const reply = await world.chat(key, { model: 'big' })
    expect([reply.status, await reply.text()]).toEqual([200, expect.any(String)])
    await world.verify()
    expect(await lastAttempts()).toMatchObject([
      { status: 500, cause: 'provider' },
      { status: 400, cause: 'request' },
      { status: 200 },
    ])
  })

  test('is told what became of the model that it asked for: it is no mistake of the client', async () => {
    await add('long', 'emu-error-503')
    await add('short', 'emu-error-400')
    await fallbacks({ long: ['short'] })
    const reply = await world.chat(key, { model: 'long' })
    expect([reply.status, await reply.text()]).toEqual([503, expect.stringContaining('The emulator had an error.')])
  })

  test('is told what the fallback says where nothing else was asked', async () => {
    await add('only', 'emu-error-400')
    await fallbacks({ absent: ['only'] })
    const reply = await world.chat(key, { model: 'absent' })
    expect([reply.status, await reply.text()]).toEqual([400, expect.any(String)])
  })
})
