import type { ChannelSnapshot } from '@sluice/store/snapshots/channels'
import { channelSnapshot } from '@sluice/testkit/channel-snapshot'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import type { Dispatcher } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAddressGuard } from '../../outbound/address-guard.ts'
import { openGuardedAgent } from '../../outbound/guarded-agent.ts'
import { createRoutingTable } from '../routing/routing-table.ts'
import { createChannelTest } from './channel-test.ts'
import type { UpstreamTokens } from './upstream-tokens.ts'

const times = { connectTimeoutMs: 1_000, firstByteTimeoutMs: 1_000, idleTimeoutMs: 1_000 }
let emulator: Emulator
let upstreams: Dispatcher

beforeAll(async () => {
  emulator = await startEmulator()
  upstreams = openGuardedAgent(createAddressGuard('allow'), times, 4)
})
afterAll(async () => {
  await upstreams.destroy()
  await emulator.close()
})

function channelTest(more: Partial<ChannelSnapshot>, now: () => number = Date.now) {
  const untested = { status: 2, baseUrl: emulator.url, models: ['emu-fast'], modelConfigs: null }
  const snapshot = channelSnapshot(1, { ...untested, ...more })
  const { table } = createRoutingTable([snapshot], () => 'sk-channel')
  return createChannelTest({
    upstreams,
    upstreamTokens: NO_TOKENS,
    times,
    answerLimit: 100_000,
    now,
    steady: () => performance.now(),
    routing: () => table,
  })
}

/** The channels of these tests send their keys unchanged. */
const NO_TOKENS: UpstreamTokens = {
  token: async () => ({ problem: 'no tokens here', cause: 'setup' }),
  forget: () => {},
}

const patient = () => new AbortController().signal

test('a channel that answers shows the start of its answer, even while it is disabled', async () => {
  const result = await channelTest({})(1, 'emu-fast', patient())
  expect(result).toMatchObject({ ok: true, model: 'emu-fast' })
  expect(result.message.length).toBeGreaterThan(0)
  const sent = JSON.parse(emulator.journal.calls.at(-1)?.body ?? '') as object
  expect(sent).toMatchObject({ model: 'emu-fast', messages: [{ role: 'user', content: '2 + 2 = ?' }] })
})

test('a channel that is called with the keys of its callers is not called, and not blamed', async () => {
  const ask = channelTest({ type: 1, baseUrl: '', config: '{"credentials":"caller"}' })
  expect(await ask(1, 'emu-fast', patient())).toMatchObject({ ok: false, cause: 'stopped', elapsedMs: 0 })
})

test('the cheapest model is requested when none is named', async () => {
  const models = ['dear', 'cheap', 'emu-fast']
  const modelConfigs = JSON.stringify({ dear: { ratio: 9 }, cheap: { ratio: 0.1 }, 'emu-fast': { ratio: 1 } })
  expect(await channelTest({ models, modelConfigs })(1, null, patient())).toMatchObject({ ok: true, model: 'cheap' })
  for (const none of [[], ['text-embedding-3-small']]) {
    expect(await channelTest({ models: none })(1, null, patient())).toMatchObject({
      ok: false,
      cause: 'setup',
      model: '',
    })
  }
})

test('mapping applies as for a real request', async () => {
  await channelTest({ modelMapping: '{"alias":"emu-fast"}' })(1, 'alias', patient())
  expect(emulator.journal.calls.at(-1)?.body).toContain('"model":"emu-fast"')
})

test.each([
  ['emu-error-500', 'The emulator had an error.', 'provider'],
  ['emu-error-401', 'The provider rejected this channel’s credentials or account.', 'account'],
  ['emu-error-429', 'Rate limit reached for requests.', 'limited'],
  ['emu-error-400', 'The emulator refuses this request.', 'request'],
  ['emu-html', 'The provider’s answer could not be parsed', 'provider'],
  ['emu-error-in-200', 'The emulator had an error.', 'provider'],
  ['emu-cut-before', 'The provider could not be reached.', 'provider'],
])('after %s it says what went wrong and where the fault lies', async (model, message, cause) => {
  const result = await channelTest({ models: [model] })(1, model, patient())
  expect(result).toMatchObject({ ok: false, cause })
  expect(result.message).toContain(message)
  expect(result.message).not.toContain('sk-channel')
})

test('a key that is refused while the provider’s clock differs is not at fault', { tags: 'S45' }, async () => {
  const ahead = () => Date.now() + 3_600_000
  const result = await channelTest({ models: ['emu-error-401'] }, ahead)(1, 'emu-error-401', patient())
  expect(result).toMatchObject({ ok: false, cause: 'setup', message: expect.stringContaining('set the clock') })
})

test('a clock that jumps during a test does not make its channel slow', { tags: 'S45' }, async () => {
  let requests = 0
  const jumping = () => Date.now() + 3_600_000 * Math.min(1, requests++)
  const result = await channelTest({}, jumping)(1, 'emu-fast', patient())
  expect(result.ok).toBe(true)
  expect(result.elapsedMs).toBeLessThan(60_000)
})

test('a channel that cannot even be called is reported too', async () => {
  expect(await channelTest({ type: 99 })(1, 'x', patient())).toMatchObject({
    ok: false,
    cause: 'setup',
    message: 'Channel type 99 is unknown.',
  })
  expect(await channelTest({})(7, 'x', patient())).toMatchObject({ ok: false, message: 'The channel does not exist.' })
})

test('it ends when no caller waits any more', async () => {
  const leave = new AbortController()
  const result = channelTest({ models: ['emu-delay-5000'] })(1, 'emu-delay-5000', leave.signal)
  setTimeout(() => leave.abort(), 50)
  expect(await result).toMatchObject({ ok: false, cause: 'stopped', message: 'The test was stopped.' })
  expect(await channelTest({})(1, 'emu-fast', AbortSignal.abort())).toMatchObject({ cause: 'stopped' })
})

test('a provider that does not answer in the given time has failed', async () => {
  const model = 'emu-delay-5000'
  const result = await channelTest({ models: [model] })(1, model, AbortSignal.timeout(50))
  expect(result).toMatchObject({ ok: false, cause: 'provider', message: 'The provider did not answer in time.' })
})
