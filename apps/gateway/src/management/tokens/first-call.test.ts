import { firstCallOfToken, listTokens } from '@sluice/contract/routes/tokens'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { afterAll, beforeAll, expect, test } from 'vitest'

let emulator: Emulator
let world: GatewayWorld
beforeAll(async () => {
  emulator = await startEmulator()
  world = await openGatewayWorld()
  await world.addChannel(emulator.url, ['emu-fast', 'emu-error-400'])
})
afterAll(async () => {
  await world.close()
  await emulator.close()
})

test(
  'the owner of a new token learns why its first calls got no answer, and when one did',
  { tags: 'S11' },
  async () => {
    const ann = await world.addUser('ann', 5_000_000)
    const key = await world.addToken(ann, { name: 'new', models: 'emu-fast,emu-error-400' })
    const [{ id } = { id: 0 }] = await ann.call(listTokens)
    const state = () => ann.call(firstCallOfToken, { path: { id } })
    expect(await state()).toEqual({ called_time: 0 })

    expect((await world.chat(key, { model: 'emu-other' })).status).toBe(403)
    expect(await state()).toMatchObject({
      called_time: 0,
      refusal: { code: 'model_not_allowed', message: expect.stringContaining('emu-other'), time: expect.any(Number) },
    })
    await world.chat(key, { model: 'emu-error-400' })
    expect(await state()).toMatchObject({ called_time: 0, refusal: { message: 'The emulator refuses this request.' } })

    await (await world.chat(key, { model: 'emu-fast' })).text()
    await world.verify()
    expect((await state()).called_time).toBeGreaterThan(0)
    await expect(world.root.call(firstCallOfToken, { path: { id } })).rejects.toThrow(/Token/)
  },
)
