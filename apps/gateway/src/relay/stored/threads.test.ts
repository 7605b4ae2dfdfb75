import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

/** Anthropic's clients create threads automatically; only Anthropic stores them. */
let emulator: Emulator
let world: GatewayWorld
let key = ''
beforeAll(async () => {
  emulator = await startEmulator()
  world = await openGatewayWorld()
  await world.addChannel(emulator.url, ['emu-fast'], { name: 'chat' })
  await world.addChannel(emulator.url, ['emu-tools', 'emu-fast'], { name: 'bedrock', type: 33, key: 'AK|SK|us-east-1' })
  const mixed = { model_mapping: '{"emu-mixed":"emu-fast"}', model_configs: '{"emu-fast":{"ratio":1}}' }
  await world.addChannel(emulator.url, ['emu-mixed'], { ...mixed, name: 'mixed chat' })
  await world.addChannel(emulator.url, ['emu-mixed'], { ...mixed, name: 'anthropic', type: 14 })
  key = await world.addToken(world.root)
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await emulator.close()
})

const ask = (model: string, fields: object) =>
  fetch(`${world.url}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ model, max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }], ...fields }),
  })

const UNSUPPORTED = { error_code: 'thread_unsupported_request', unsupported: ['thread'] }

test.each(['emu-fast', 'emu-tools'])(
  '%s with other providers: clients get the error that they act on',
  async (model) => {
    for (const stream of [false, true]) {
      const reply = await ask(model, { stream, thread: { type: 'create' } })
      expect(reply.status).toBe(400)
      expect(await reply.json()).toMatchObject({ error: { type: 'invalid_request_error', details: UNSUPPORTED } })
    }
  },
)

test('where Anthropic is among the channels of a model, a thread goes there, each time', async () => {
  for (let i = 0; i < 6; i++) {
    const reply = await ask('emu-mixed', { thread: { type: 'create' } })
    expect(reply.status).toBe(200)
    const { id } = (await reply.json()) as { id: string }
    const next = await ask('emu-mixed', { stream: true, thread: { type: 'continue', previous_message_id: id } })
    const streamed = /"id":"(msg_[^"]+)"/.exec(await next.text())?.[1]
    const third = await ask('emu-mixed', { thread: { type: 'continue', previous_message_id: streamed } })
    expect([next.status, third.status]).toEqual([200, 200])
  }
})

test('thoughts of another vendor are translated, which ends the thread', async () => {
  const thinking = { type: 'thinking', thinking: 'Hm', signature: 'sluice.1.gemini.-..SIG' }
  const messages = [
    { role: 'assistant', content: [thinking, { type: 'text', text: 'Yes.' }] },
    { role: 'user', content: 'Go on.' },
  ]
  const reply = await ask('emu-mixed', { messages, thread: { type: 'create' } })
  expect(await reply.json()).toMatchObject({ error: { details: UNSUPPORTED } })
  expect((await ask('emu-mixed', { messages })).status).toBe(200)
})

test('what is not a thread is refused by its field', async () => {
  const reply = await ask('emu-mixed', { thread: 'create' })
  expect(await reply.json()).toMatchObject({ error: { message: expect.stringContaining('thread: must be an object') } })
})
