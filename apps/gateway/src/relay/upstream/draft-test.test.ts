import { settingsOfBody } from '@sluice/contract/fields/channel'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import type { Dispatcher } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAddressGuard } from '../../outbound/address-guard.ts'
import { openGuardedAgent } from '../../outbound/guarded-agent.ts'
import { createDraftTest, type DraftChannel } from './draft-test.ts'

const times = { connectTimeoutMs: 1_000, firstByteTimeoutMs: 1_000, idleTimeoutMs: 1_000 }
let emulator: Emulator
let upstreams: Dispatcher
let guarded: Dispatcher

beforeAll(async () => {
  emulator = await startEmulator()
  upstreams = openGuardedAgent(createAddressGuard('allow'), times, 4)
  guarded = openGuardedAgent(createAddressGuard('deny'), times, 4)
})
afterAll(async () => {
  await Promise.all([upstreams.destroy(), guarded.destroy()])
  await emulator.close()
})

function draftTest(more: Partial<DraftChannel>, dispatcher = upstreams) {
  const draft: DraftChannel = {
    ...settingsOfBody({}),
    type: 50,
    baseUrl: emulator.url,
    models: ['emu-fast'],
    key: 'sk-of-the-form',
    ...more,
  }
  const upstreamTokens = {
    token: async () => ({ problem: 'no tokens here', cause: 'setup' as const }),
    forget: () => {},
  }
  const clocks = { now: Date.now, steady: () => performance.now() }
  const shared = { upstreams: dispatcher, upstreamTokens, times, answerLimit: 100_000, ...clocks }
  const ask = createDraftTest({ ...shared, callerKeyOrigins: [] })
  return ask(draft, null, new AbortController().signal)
}

test('a channel that is not saved is called with the key of its form', async () => {
  expect(await draftTest({ modelMapping: '{"mine":"emu-fast"}', models: ['mine'] })).toMatchObject({
    ok: true,
    model: 'mine',
  })
  const call = emulator.journal.calls.at(-1)
  expect(call?.headers['authorization']).toBe('Bearer sk-of-the-form')
  expect(call?.body).toContain('"model":"emu-fast"')
})

test('what is wrong with it is reported', async () => {
  expect(await draftTest({ key: 'sk-emu-refused' })).toMatchObject({ ok: false, cause: 'account' })
  expect(await draftTest({ models: [] })).toMatchObject({ ok: false, cause: 'setup' })
  expect(await draftTest({ key: 'two words' })).toMatchObject({ ok: false, cause: 'setup' })
})

test('its address is checked when it is connected to', { tags: ['S1', 'S3'] }, async () => {
  const before = emulator.journal.received
  expect(await draftTest({}, guarded)).toMatchObject({ ok: false })
  expect(emulator.journal.received).toBe(before)
})
