import { startEmulator } from '@sluice/testkit/emulator/server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Caller } from '../wire/caller.ts'
import { type BenchProvider, openBenchProvider } from './bench-provider.ts'

let provider: BenchProvider
beforeAll(async () => void (provider = await openBenchProvider()))
afterAll(() => provider.close())

const HEADERS = { 'content-type': 'application/json', authorization: 'Bearer sk-bench' }
const bodyFor = (model: string, more: object = {}) =>
  JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }], ...more })
const STREAM = { stream: true, stream_options: { include_usage: true } }

async function ask(url: string, body: string): Promise<Response> {
  return await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers: HEADERS, body })
}

/** Removes values that depend on the prompt or the clock. */
const without = (text: string) =>
  text.replaceAll(/"created":\d+|"(?:prompt|total)_tokens":\d+|(?<="content":)"[^"]*"/g, '')

it.each([
  ['emu-fast', {}],
  ['emu-delay-20', {}],
  ['emu-pace-12-2', STREAM],
  ['emu-pace-3-2', { stream: true }],
])('sends what the emulator sends for %s', async (model, more) => {
  const emulator = await startEmulator()
  const body = bodyFor(model, more)
  const [expected, found] = [await ask(emulator.url, body), await ask(provider.url, body)]
  for (const header of ['content-type', 'cache-control', 'x-request-id']) {
    expect(found.headers.get(header)).toBe(expected.headers.get(header))
  }
  expect(without(await found.text())).toBe(without(await expected.text()))
  await emulator.close()
})

it('answers the next request on the same connection, also one whose body is chunked', async () => {
  const stream = new Blob([bodyFor('emu-pace-3-2', STREAM)]).stream()
  const url = `${provider.url}/v1/chat/completions`
  const chunked = await fetch(url, { method: 'POST', headers: HEADERS, body: stream, duplex: 'half' })
  expect(await chunked.text()).toContain('data: [DONE]')
  expect(await (await ask(provider.url, bodyFor('emu-fast'))).json()).toHaveProperty('usage')
})

it('refuses other paths', async () => {
  const response = await fetch(`${provider.url}/v1/models`)
  expect(response.status).toBe(404)
})

it('is read by the caller of the load generator, chunk by chunk and again on the same connection', async () => {
  const caller = new Caller(`${provider.url}/v1/chat/completions`, [HEADERS], bodyFor('emu-pace-5-20', STREAM))
  for (let call = 0; call < 2; call++) {
    let text = ''
    expect(await caller.call((piece) => void (text += piece.toString()))).toBe('')
    // The role, five words, the finish, the usage and the end.
    expect(text.match(/data:/g)).toHaveLength(9)
  }
})

it('lets the caller name what went wrong', async () => {
  const refused = new Caller(`${provider.url}/v1/nothing`, [HEADERS], '{}')
  expect(await refused.call(() => {})).toContain('status 404')
  const unreachable = new Caller('http://127.0.0.1:1/v1', [HEADERS], '{}')
  expect(await unreachable.call(() => {})).toContain('ECONNREFUSED')
})
