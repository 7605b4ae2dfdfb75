// @module-tag slow
import { updateOption } from '@sluice/contract/routes/options'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

let emulator: Emulator
let world: GatewayWorld
let key = ''

beforeAll(async () => {
  emulator = await startEmulator()
  emulator.faults.switchOn({ at: 'good', as: 'emu-fast' })
  emulator.faults.switchOn({ at: 'silent', as: 'emu-stall-before' })
  emulator.faults.switchOn({ at: 'headed', as: 'emu-stall-head' })
  world = await openGatewayWorld({
    SLUICE_KEEPALIVE_INTERVAL: '0.1',
    SLUICE_FIRST_BYTE_TIMEOUT: '0.5',
    SLUICE_IDLE_TIMEOUT: '0.5',
  })
  await world.root.call(updateOption, { body: { key: 'RetryTimes', value: 1 } })
  await world.addChannel(emulator.at('silent'), ['silent', 'only-silent'], { priority: 1 })
  await world.addChannel(emulator.at('headed'), ['headed', 'only-headed'], { priority: 1 })
  await world.addChannel(emulator.at('good'), ['silent', 'headed'])
  key = await world.addToken(world.root)
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await emulator.close()
})

test.each(['silent', 'headed'])('after nothing but comments the next channel still answers: %s', async (model) => {
  const reply = await world.chat(key, { model, stream: true })
  const text = await reply.text()
  expect(text.split(': ping\n\n').length).toBeGreaterThan(2)
  expect(text).toContain('"finish_reason":"stop"')
  expect(text).not.toContain('"error"')
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  const charged = await world.rows(`select channel_name, ended from log where model_name = '${model}' and type = 2`)
  expect(charged).toMatchObject([{ ended: 'complete' }])
})

test.each(['only-silent', 'only-headed'])('without another channel the stream ends as timed out: %s', async (model) => {
  const text = await (await world.chat(key, { model, stream: true })).text()
  expect(text).toContain('"code":"upstream_timeout"')
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  expect(await world.rows(`select id from log where model_name = '${model}' and type = 2`)).toEqual([])
})
