import { testAllChannels, testChannel, channelTestStatus, getChannel } from '@sluice/contract/routes/channels'
import { updateOption } from '@sluice/contract/routes/options'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

describe('testing channels of a running gateway', () => {
  let world: GatewayWorld
  let emulator: Emulator
  beforeAll(async () => {
    emulator = await startEmulator()
    world = await openGatewayWorld()
  })
  afterAll(async () => {
    await world.close()
    await emulator.close()
  })

  const test = async (id: number) => {
    const path = testChannel.path.replace(':id', String(id))
    const response = await fetch(`${world.url}${path}`, { headers: { cookie: world.root.cookie } })
    return (await response.json()) as Record<string, unknown>
  }

  it('really calls the provider, with the key of the channel', async () => {
    const id = await world.addChannel(emulator.url, ['emu-fast'], { key: 'sk-of-this-channel' })
    const reply = await test(id)
    expect(reply).toMatchObject({ success: true, modelName: 'emu-fast', time: expect.any(Number) })
    const call = emulator.journal.calls.at(-1)
    expect(call?.body).toContain('2 + 2 = ?')
    expect(call?.headers['authorization']).toBe('Bearer sk-of-this-channel')
    expect(await world.rows('select * from transfer where channel_id <> 0')).toEqual([])
  })

  it('says why a channel cannot be used as it is, and calls no provider', async () => {
    const app = {
      client_type: 'jwt',
      client_id: '1',
      coze_www_base: 'https://www.coze.com',
      coze_api_base: 'https://elsewhere.example',
      private_key: '-----BEGIN PRIVATE KEY-----\nx',
      public_key_id: 'p',
    }
    const config = JSON.stringify({ auth_type: 'oauth_jwt' })
    const id = await world.addChannel(emulator.url, ['bot-1'], { type: 34, key: JSON.stringify(app), config })
    const requests = emulator.journal.calls.length
    expect(await test(id)).toMatchObject({
      success: false,
      message: 'Coze_api_base must be an https:// address of the vendor.',
      time: 0,
      modelName: '',
    })
    expect(emulator.journal.calls).toHaveLength(requests)
  })

  it('takes a channel whose account is refused out of the relay', async () => {
    const id = await world.addChannel(emulator.url, ['emu-error-401'])
    const busy = await world.addChannel(emulator.url, ['emu-error-429'])
    const key = await world.addToken(world.root)
    expect((await world.chat(key, { model: 'emu-error-401' })).status).toBe(502)
    await world.root.call(updateOption, { body: { key: 'AutomaticDisableChannelEnabled', value: true } })
    await world.root.call(testAllChannels, { query: {} })
    await vi.waitFor(async () => expect((await world.root.call(channelTestStatus)).running).toBe(false), 10_000)
    expect((await world.root.call(getChannel, { path: { id } })).status).toBe(3)
    expect((await world.root.call(getChannel, { path: { id: busy } })).status).toBe(1)
    const refused = await world.chat(key, { model: 'emu-error-401' })
    expect(refused.status).toBe(503)
    expect(await refused.json()).toMatchObject({ error: { code: 'no_channel' } })
  })
})
