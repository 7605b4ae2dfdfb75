import { type FramedProvider, startFramedProvider } from '@sluice/testkit/servers/framed-provider'
import type { Dispatcher } from 'undici'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createAddressGuard } from '../../../outbound/address-guard.ts'
import type { FramedCall } from './framed-call.ts'
import { AGE_MS, IDLE_MS, type UpstreamSocket } from './upstream-socket.ts'
import {
  type ConnectionSockets,
  REFUSED_MS,
  type SocketUse,
  UPSTREAM_SOCKETS,
  UpstreamSockets,
} from './upstream-sockets.ts'

const TIMES = { firstByteTimeoutMs: 5_000, idleTimeoutMs: 3_000 }

let provider: FramedProvider
let clock = 0
let sockets: UpstreamSockets
let connection: ConnectionSockets

beforeAll(async () => {
  provider = await startFramedProvider()
})
beforeEach(() => {
  clock = 1_000_000
  sockets = new UpstreamSockets({ guard: createAddressGuard('allow'), times: TIMES, steady: () => clock })
  connection = sockets.open('one')
})
afterEach(async () => {
  sockets.close()
  provider.refusing = undefined
  provider.finish()
  await expect.poll(() => provider.open).toBe(0)
})
afterAll(() => provider.close())

const use = (model = 'm', stream = ''): SocketUse => ({
  stream,
  candidate: {
    lane: { channel: 1, key: 'k', model },
    route: { key: { fingerprint: 'k', position: 1, of: 1 } } as SocketUse['candidate']['route'],
  },
})
const address = (headers: readonly string[] = []) => ({ origin: provider.url, path: '/v1/responses', headers })
const take = (of: SocketUse = use(), headers?: readonly string[]) => sockets.take('one', of, address(headers))
const taken = (of?: SocketUse): UpstreamSocket => {
  const socket = take(of)
  if (socket === undefined) throw new Error('no websocket')
  return socket
}

function ask(socket: UpstreamSocket, more: object = {}, onData: (call: FramedCall) => void = () => {}) {
  const call = socket.ask(Buffer.from(JSON.stringify({ type: 'response.create', model: 'm', input: 'Hi', ...more })))
  const heard: string[] = []
  let end = () => {}
  const ended = new Promise<void>((resolve) => (end = resolve))
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: () => {},
    onResponseStart: (_, status) => void heard.push(String(status)),
    onResponseData: (_, chunk) => {
      heard.push(/"type":"([\w.]+)"/.exec(chunk.toString())?.[1] ?? '')
      onData(call)
    },
    onResponseEnd: () => end(),
    onResponseError: (_, error) => {
      heard.push('code' in error ? String(error.code) : error.message)
      end()
    },
  }
  call.dispatch({}, handler)
  return { call, heard, ended }
}

const behaving = (behave: string) => ({ metadata: { behave } })
const heardOf = async (asked: { heard: string[] }, count: number) => {
  await expect.poll(() => asked.heard.length).toBeGreaterThanOrEqual(count)
}

describe('a provider’s websocket', () => {
  test('is closed when nothing was asked on it for its idle time, and opened again for the next request', async () => {
    const first = taken()
    await ask(first).ended
    expect(first.lastResponse).toMatch(/^resp_/)
    clock += IDLE_MS
    connection.beat(clock)
    expect(take()).toBe(first)
    clock += 1
    connection.beat(clock)
    await expect.poll(() => provider.open).toBe(0)
    const second = taken()
    expect(second).not.toBe(first)
    expect(second.lastResponse).toBe('')
    await ask(second).ended
    expect(provider.open).toBe(1)
  })

  test('takes no request when its provider will soon close it, but one under way may end', async () => {
    const first = taken()
    const asked = ask(first, behaving('hold'))
    await heardOf(asked, 3)
    clock += AGE_MS + 1
    asked.call.movedAt = clock
    connection.beat(clock)
    expect(take()).toBeUndefined()
    provider.finish()
    await asked.ended
    expect(asked.heard.at(-1)).toBe('response.completed')
    expect(taken()).not.toBe(first)
    await expect.poll(() => provider.open).toBe(0)
  })

  test('is cut when its provider has been silent for too long, before and in an answer', async () => {
    const begun = ask(taken(), behaving('hold'))
    await heardOf(begun, 3)
    clock += TIMES.idleTimeoutMs
    connection.beat(clock)
    expect(begun.call.isOver).toBe(false)
    clock += 1
    connection.beat(clock)
    await begun.ended
    expect(begun.heard.at(-1)).toBe('UND_ERR_BODY_TIMEOUT')
    await expect.poll(() => provider.open).toBe(0)

    const mute = ask(taken(), behaving('mute'))
    await expect.poll(() => provider.asked.at(-1)?.json['metadata']).toEqual({ behave: 'mute' })
    clock += TIMES.firstByteTimeoutMs + 1
    connection.beat(clock)
    await mute.ended
    expect([mute.heard, mute.call.isLost]).toEqual([['UND_ERR_HEADERS_TIMEOUT'], false])
    await expect.poll(() => provider.open).toBe(0)
  })

  test('is not silent while nobody reads what it says', async () => {
    const asked = ask(taken(), behaving('hold'))
    await heardOf(asked, 3)
    asked.call.pause()
    clock += 10 * TIMES.idleTimeoutMs
    connection.beat(clock)
    expect(asked.call.isOver).toBe(false)
    asked.call.resume()
    connection.beat(clock)
    provider.finish()
    await asked.ended
    expect(asked.heard.at(-1)).toBe('response.completed')
  })

  test('goes on after an answer whose end arrived while it was held back', async () => {
    const socket = taken()
    // All frames arrive with one read: the end is delivered after the pause.
    await ask(socket, {}, (call) => call.pause()).ended
    const next = ask(socket)
    await next.ended
    expect(next.heard.at(-1)).toBe('response.completed')
  }, 5_000)

  test('that is given up is closed at once, also while it is being opened', async () => {
    const asked = ask(taken(), behaving('hold'))
    await heardOf(asked, 3)
    asked.call.abort(new Error('stopped'))
    await expect.poll(() => provider.open).toBe(0)
    const early = ask(taken())
    early.call.abort(new Error('stopped'))
    expect(early.heard).toEqual([])
    expect(take()?.isFree).toBe(true)
    await expect.poll(() => provider.open).toBe(0)
  })
})

describe('the websockets of a client’s', () => {
  test('are one for each stream and lane', () => {
    const one = taken(use('a'))
    expect([take(use('a')), take(use('a', 'other')), take(use('b'))].map((socket) => socket === one)).toEqual([
      true,
      false,
      false,
    ])
  })

  test('give way to new ones, the one first that was used longest ago, but never while it answers', async () => {
    const streams = Array.from({ length: UPSTREAM_SOCKETS.perConnection }, (_, at) => use('m', String(at)))
    const all = streams.map((each) => taken(each))
    for (const socket of all) await ask(socket).ended
    const held = ask(taken(streams[0]), behaving('hold'))
    await heardOf(held, 3)
    expect(take(streams[1])).toBe(all[1])
    expect(take(use('m', 'new'))).toBeDefined()
    expect(all.map(({ isOver }) => isOver)).toEqual([false, false, true, false])
    provider.finish()
    await held.ended
  })

  test('are not used for other credentials', async () => {
    const first = take(use(), ['authorization', 'Bearer one'])
    expect(take(use(), ['authorization', 'Bearer one'])).toBe(first)
    expect(take(use(), ['authorization', 'Bearer two'])).not.toBe(first)
    expect(first?.isOver).toBe(true)
  })

  test('have an end, and are not opened for a client that is not there', () => {
    expect(sockets.take('another', use(), address())).toBeUndefined()
    taken()
    connection.leave()
    expect(take()).toBeUndefined()
  })
})

describe('a channel’s key whose websocket was refused', () => {
  const lost = async (call: { readonly ended: Promise<void>; readonly call: FramedCall }) => {
    await call.ended
    return call.call.isLost
  }

  test('is called by POST for a time, by every client', async () => {
    provider.refusing = 404
    const socket = taken()
    expect([await lost(ask(socket)), socket.isUnfit, socket.isOver]).toEqual([true, true, true])
    sockets.refused(use())
    sockets.open('two')
    clock += REFUSED_MS - 1
    expect([take(), sockets.take('two', use('another'), address())]).toEqual([undefined, undefined])
    clock += 1
    expect(take()).toBeDefined()
  })

  test('is not the one whose websocket was only closed between two requests', async () => {
    const socket = taken()
    await ask(socket).ended
    expect(await lost(ask(socket, behaving('drop')))).toBe(true)
    expect(socket.isUnfit).toBe(false)
  })
})

test('an address that the guard refuses is not connected to', { tags: 'S2' }, async () => {
  const before = provider.handshakes.length
  const guarded = new UpstreamSockets({ guard: createAddressGuard('deny'), times: TIMES, steady: () => clock })
  guarded.open('one')
  for (const origin of [provider.url, provider.url.replace('127.0.0.1', 'localhost')]) {
    const socket = guarded.take('one', use(origin), { ...address(), origin })
    if (socket === undefined) throw new Error('no websocket')
    const { call, ended } = ask(socket)
    await ended
    expect(call.isLost).toBe(true)
  }
  expect(provider.handshakes).toHaveLength(before)
})
