import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readChatRequest } from './chat-request.ts'
import { chatScript } from './chat.ts'
import { type Emulator, startEmulator } from './server.ts'

let emulator: Emulator
beforeAll(async () => {
  emulator = await startEmulator()
})
afterAll(() => emulator.close())

function call(
  model: string,
  { base = emulator.url, key = 'sk-test', stream = false, signal = new AbortController().signal } = {},
) {
  return fetch(`${base}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, stream, messages: [{ role: 'user', content: 'How does a sluice work?' }] }),
    signal,
  })
}

describe('refusals', () => {
  it.each([
    ['emu-limited', {}],
    ['emu-limited-7', { 'retry-after': '7' }],
    ['emu-limited-ms-250', { 'retry-after-ms': '250' }],
  ])('%s is 429 with %j', async (model, told) => {
    const { status, headers } = await call(model)
    expect(status).toBe(429)
    const names = ['retry-after', 'retry-after-ms'].filter((name) => headers.has(name))
    expect(Object.fromEntries(names.map((name) => [name, headers.get(name)]))).toEqual(told)
  })

  it('gives a date', async () => {
    const before = Date.now()
    const { headers } = await call('emu-limited-date-30')
    const wait = Date.parse(headers.get('retry-after') ?? '') - before
    expect(wait).toBeGreaterThan(25_000)
    expect(wait).toBeLessThan(40_000)
  })

  it('reports a spent account with 429', async () => {
    const reply = await call('emu-spent')
    expect(reply.status).toBe(429)
    expect(await reply.json()).toMatchObject({ error: { code: 'insufficient_quota' } })
  })

  it.each([402, 403, 529])('reports %i in its provider’s words', async (status) => {
    const reply = await call(`emu-error-${status}`)
    expect(reply.status).toBe(status)
    expect(JSON.stringify(await reply.json())).not.toContain('The emulator had an error.')
  })
})

describe('silence', () => {
  it('sends nothing, or nothing but the head', async () => {
    const leave = new AbortController()
    const [{ signal }, before] = [leave, emulator.journal.received]
    const silent = call('emu-stall-before', { signal }).then(String, String)
    await expect.poll(() => emulator.journal.received).toBe(before + 1)
    const headed = await call('emu-stall-head', { signal })
    expect(headed.headers.get('content-type')).toBe('text/event-stream')
    leave.abort()
    expect(await silent).toContain('abort')
    await expect(headed.text()).rejects.toThrow('abort')
  })

  it('trickles byte by byte', () => {
    const request = readChatRequest('{"model":"emu-trickle-7","messages":[{"role":"user","content":"x"}]}')
    if ('problem' in request) throw new Error(request.problem)
    const [first, wait] = chatScript(request, { number: 1, created: 1, now: () => 1 }).steps
    expect([first, wait]).toEqual([{ send: Uint8Array.of(0x7b) }, { waitMs: 7 }])
  })

  it('gives the moment of each send', async () => {
    const before = Date.now()
    const text = await (await call('emu-time-3-5', { stream: true })).text()
    const moments = Array.from(text.matchAll(/"content":" ([\d.]+)"/g), ([, moment]) => Number(moment))
    expect(moments).toHaveLength(3)
    expect(moments.every((moment, at) => moment >= (moments[at - 1] ?? before - 1))).toBe(true)
  })
})

describe('switched faults', () => {
  const status = async (more?: Parameters<typeof call>[1]) => (await call('emu-fast', more)).status

  it('fail one place and leave the others alone, until they are switched off', async () => {
    const [base, other] = [emulator.at('one'), emulator.at('two')]
    emulator.faults.switchOn({ at: 'one', as: 'emu-error-503' })
    expect([await status({ base }), await status({ base: other }), await status()]).toEqual([503, 200, 200])
    emulator.faults.switchOff({ at: 'one' })
    expect(await status({ base })).toBe(200)
    expect(emulator.journal.places).toMatchObject({ one: 2, two: 1 })
  })

  it('fail one key', async () => {
    emulator.faults.switchOn({ key: 'sk-bad', as: 'emu-error-401' })
    expect([await status({ key: 'sk-bad' }), await status({ key: 'sk-good' })]).toEqual([401, 200])
  })

  it('end on their own', async () => {
    emulator.faults.switchOn({ at: 'three', as: 'emu-error-500', forMs: 0 })
    expect(await status({ base: emulator.at('three') })).toBe(200)
  })

  it('are switched by a call too', async () => {
    const put = (body: object) =>
      fetch(`${emulator.url}/emulator/faults`, { method: 'POST', body: JSON.stringify(body) })
    const base = emulator.at('four')
    expect((await put({ at: 'four', as: 'emu-error-500' })).status).toBe(200)
    expect(await status({ base })).toBe(500)
    await put({ at: 'four', as: '' })
    expect(await status({ base })).toBe(200)
    expect((await put({ as: 'emu-error-500' })).status).toBe(400)
  })
})
