import { createChannel, getChannel, updateChannel } from '@sluice/contract/routes/channels'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

describe('a gateway that denies private addresses', () => {
  let world: GatewayWorld
  let emulator: Emulator
  beforeAll(async () => {
    emulator = await startEmulator()
    world = await openGatewayWorld({ SLUICE_UPSTREAM_PRIVATE: 'deny' })
  })
  afterAll(async () => {
    await world.close()
    await emulator.close()
  })

  const ask = async (path: string) => {
    const response = await fetch(`${world.url}${path}`, { headers: { cookie: world.root.cookie } })
    return (await response.json()) as { readonly success: boolean; readonly message: string }
  }

  it.each([
    'http://127.0.0.1:11434',
    'http://2130706433',
    'http://0x7f.1',
    'http://0177.0.0.1',
    'http://0',
    'http://[::1]:8080',
    'http://[::ffff:127.0.0.1]',
    'http://10.0.0.1',
    'http://100.64.0.1',
    'http://192.168.1.1/v1',
    'http://[fc00::1]',
  ])('stores no channel that points at %s', { tags: ['S3', 'S4'] }, async (base_url) => {
    const body = { name: 'inside', type: 50, key: 'k', base_url, models: 'm' }
    const refusal = 'base_url: points to an address that channels may not use.'
    await expect(world.root.call(createChannel, { body })).rejects.toThrow(refusal)
    const id = await world.addChannel('https://llm.example.org', ['m'])
    await expect(world.root.call(updateChannel, { body: { id, base_url } })).rejects.toThrow(refusal)
    expect((await world.root.call(getChannel, { path: { id } })).base_url).toBe('https://llm.example.org')
  })

  it(
    'calls no name that resolves to a private address, neither for a test nor for a balance',
    { tags: 'S4' },
    async () => {
      const { port } = new URL(emulator.url)
      const id = await world.addChannel(`http://localhost:${port}`, ['emu-fast'])
      expect(await ask(`/api/channel/test/${id}`)).toMatchObject({
        success: false,
        message: 'The address of this channel is not allowed.',
      })
      expect(await ask(`/api/channel/update_balance/${id}`)).toMatchObject({
        success: false,
        message: 'The balance could not be read from the provider: its address is not allowed.',
      })
      expect(emulator.journal.calls).toHaveLength(0)
    },
  )
})
