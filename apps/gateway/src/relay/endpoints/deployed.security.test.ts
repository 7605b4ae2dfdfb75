import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

let emulator: Emulator
let world: GatewayWorld
beforeAll(async () => {
  emulator = await startEmulator()
  world = await openGatewayWorld()
  await world.addChannel(emulator.url, ['emu-fast', 'emu-dear'])
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await emulator.close()
})

const messages = [{ role: 'user', content: 'Hi' }]

async function ask(key: string, path: string, body: string | FormData) {
  const type = typeof body === 'string' ? { 'content-type': 'application/json' } : undefined
  const reply = await fetch(world.url + path, { method: 'POST', headers: { 'api-key': key, ...type }, body })
  const { error } = (await reply.json()) as { error?: { code: string; param: string | null } }
  return [reply.status, error?.code, error?.param]
}

const ON_DEAR = '/openai/deployments/emu-dear/chat/completions?api-version=2024-10-21'

test(
  'the model of a deployment’s path is the one that is checked, charged and called, whatever the body names',
  { tags: 'S8' },
  async () => {
    const key = await world.addToken(world.root)
    for (const model of ['emu-fast', undefined, 7]) {
      expect(await ask(key, ON_DEAR, JSON.stringify({ model, messages }))).toEqual([200, undefined, undefined])
      expect(JSON.parse(emulator.journal.calls.at(-1)?.body ?? '')).toEqual({ model: 'emu-dear', messages })
    }
    const charged = await world.rows('select model_name from log where type = 2')
    expect(charged.map((row) => row['model_name'])).toEqual(['emu-dear', 'emu-dear', 'emu-dear'])
  },
)

test(
  'a key that is restricted to another model gets nothing through a deployment, and neither does a body with two models',
  { tags: 'S25' },
  async () => {
    const held = await world.addToken(world.root, { models: 'emu-fast' })
    const body = JSON.stringify({ model: 'emu-fast', messages })
    expect(await ask(held, ON_DEAR, body)).toEqual([403, 'model_not_allowed', 'model'])
    const form = new FormData()
    form.set('model', 'emu-fast')
    form.set('file', new Blob(['sound']), 'words.wav')
    const onDear = '/openai/deployments/emu-dear/audio/transcriptions'
    expect(await ask(held, onDear, form)).toEqual([403, 'model_not_allowed', 'model'])
    form.append('model', 'emu-dear')
    expect(await ask(held, onDear, form)).toEqual([400, 'duplicate_key', 'model'])
    const twice = `{"model":"emu-fast","messages":${JSON.stringify(messages)},"model":"emu-dear"}`
    expect(await ask(held, ON_DEAR, twice)).toEqual([400, 'duplicate_key', 'model'])
  },
)
