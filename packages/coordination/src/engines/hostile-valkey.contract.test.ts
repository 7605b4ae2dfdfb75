import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type LocalValkey, startLocalValkey } from '@sluice/testkit/local-valkey'
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest'
import { createMemoryLimits, type LimitClaim, type Limits } from '../limits.ts'
import { createValkeyLimits, LIMIT_SCRIPTS } from './valkey-limits.ts'
import { openValkey, type Valkey } from './valkey.ts'

/** Writes as another user of the same server would. */
const STRANGER = {
  string: `redis.call('SET', KEYS[1], ARGV[1]) return 1`,
  list: `redis.call('DEL', KEYS[1]) redis.call('RPUSH', KEYS[1], ARGV[1]) return 1`,
} as const

const PERIOD_MS = 60_000
const opened: Valkey[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((valkey) => valkey.close()))
})

async function open(url: string, scripts: Readonly<Record<string, string>>, downs: string[] = []): Promise<Valkey> {
  const onDown = (reason: string) => void downs.push(reason)
  const valkey = await openValkey({ url, scripts, answerMs: 5_000, random: () => 0, onUp: () => {}, onDown })
  opened.push(valkey)
  return valkey
}
const memory = () => createMemoryLimits({ capacity: 1_000, now: Date.now, shareOf: () => 1 })

describe('a limit whose key a stranger has written', { tags: 'S28' }, () => {
  let server: LocalValkey
  beforeAll(async () => {
    server = await startLocalValkey()
  })
  afterAll(() => server.stop())

  it.each<[string, keyof typeof STRANGER, string]>([
    ['a word', 'string', 'nonsense'],
    ['nothing', 'string', ''],
    ['no number', 'string', 'nan'],
    ['the beginning of time', 'string', '-inf'],
    ['five megabytes', 'string', 'x'.repeat(5_000_000)],
    ['bytes', 'string', '\u0000\ufffd'],
    ['a list', 'list', '1'],
  ])('with %s starts counting from zero, and the server stays in use', async (_, kind, text) => {
    const downs: string[] = []
    const valkey = await open(server.url, { ...LIMIT_SCRIPTS, ...STRANGER }, downs)
    await expect.poll(() => valkey.usable, { interval: 5 }).toBe(true)
    const limits = createValkeyLimits(valkey, memory())
    const claim: LimitClaim = { key: `${kind} ${text.slice(0, 20)}`, rule: { limit: 3, periodMs: PERIOD_MS }, cost: 1 }
    await valkey.run(kind, [`sluice:limit:${claim.key}`], [text])
    const decisions = []
    for (let i = 0; i < 4; i++) decisions.push(await limits.take([claim]))
    expect(decisions.map((each) => each[0]?.allowed)).toEqual([true, true, true, false])
    await valkey.run(kind, [`sluice:limit:${claim.key}`], [text])
    limits.correct({ ...claim, cost: 2 })
    expect(await limits.take([claim])).toMatchObject([{ allowed: true, remaining: 0 }])
    expect(downs).toEqual([])
  })

  it.each(['1e300', 'inf', '9'.repeat(400), '0x7fffffffffffffff'])(
    'with %.20s is neither blocked forever nor left open',
    async (text) => {
      const valkey = await open(server.url, { ...LIMIT_SCRIPTS, ...STRANGER })
      await expect.poll(() => valkey.usable, { interval: 5 }).toBe(true)
      const limits = createValkeyLimits(valkey, memory())
      const claim: LimitClaim = { key: text.slice(0, 20), rule: { limit: 3, periodMs: PERIOD_MS }, cost: 1 }
      const key = `sluice:limit:${claim.key}`
      await valkey.run('string', [key], [text])
      const [decision] = await limits.take([claim])
      expect(decision?.allowed).toBe(false)
      expect(decision?.retryAfterMs).toBeLessThanOrEqual(11 * PERIOD_MS)
    },
  )
})

describe('a Valkey whose operator empties it, or that is full', { tags: 'S28' }, () => {
  let server: LocalValkey
  beforeAll(async () => {
    server = await startLocalValkey()
  })
  afterAll(() => server.stop())

  /** Sends a command to the server, bypassing the gateway. */
  const tell = async (...words: readonly string[]): Promise<void> => {
    const { hostname, port, password } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    socket.write(`AUTH ${password}\r\n${words.join(' ')}\r\n`)
    let heard = ''
    for await (const chunk of socket) {
      heard += String(chunk)
      if (heard.split('\r\n').length > 2) break
    }
    expect(heard).toBe('+OK\r\n+OK\r\n')
  }
  const take = async (limits: Limits, claim: LimitClaim, times: number): Promise<number> => {
    let allowed = 0
    for (let i = 0; i < times; i++) if ((await limits.take([claim]))[0]?.allowed === true) allowed += 1
    return allowed
  }
  const claimOf = (key: string): LimitClaim => ({ key, rule: { limit: 3, periodMs: PERIOD_MS }, cost: 1 })

  it('lets one more full limit through each time it is emptied, and no more', async () => {
    const valkey = await open(server.url, LIMIT_SCRIPTS)
    await expect.poll(() => valkey.usable, { interval: 5 }).toBe(true)
    const limits = createValkeyLimits(valkey, memory())
    expect(await take(limits, claimOf('flushed'), 5)).toBe(3)
    await tell('FLUSHALL')
    expect(await take(limits, claimOf('flushed'), 5)).toBe(3)
    expect(valkey.usable).toBe(true)
    // This also removes its scripts, so the gateway does without the server until they are loaded again.
    await tell('SCRIPT', 'FLUSH')
    expect(await take(limits, claimOf('flushed'), 5)).toBeLessThanOrEqual(3)
    await expect.poll(() => valkey.usable, { interval: 5 }).toBe(true)
    expect(await take(limits, claimOf('flushed'), 5)).toBe(0)
  })

  it('that can store nothing more is not used, and the limits of this process apply', async () => {
    const downs: string[] = []
    const valkey = await open(server.url, LIMIT_SCRIPTS, downs)
    await expect.poll(() => valkey.usable, { interval: 5 }).toBe(true)
    const limits = createValkeyLimits(valkey, memory())
    await tell('CONFIG', 'SET', 'maxmemory', '1')
    expect(await take(limits, claimOf('full'), 40)).toBe(3)
    expect(downs).toEqual([expect.stringContaining('OOM')])
    await tell('CONFIG', 'SET', 'maxmemory', '0')
  })
})

describe('a server that is not Valkey at all', { tags: 'S27' }, () => {
  test.each<[string, (socket: Socket) => void]>([
    ['a web server', (socket) => socket.write('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n')],
    ['noise', (socket) => socket.write(Buffer.from([0, 255, 13, 10, 1, 2, 3, 13, 10]))],
    ['a text of two gigabytes', (socket) => socket.write(`$2147483647\r\n${'x'.repeat(100_000)}`)],
    ['a list in a list in a list', (socket) => socket.write('*1\r\n'.repeat(200_000))],
    ['a list of four billion', (socket) => socket.write('*4294967295\r\n')],
    ['yes to everything', (socket) => socket.write('+OK\r\n'.repeat(10))],
    ['one number for everything', (socket) => socket.write(':1\r\n'.repeat(10))],
    ['lists of odd things', (socket) => socket.write('*2\r\n:1\r\n$3\r\nnan\r\n'.repeat(10))],
    ['nothing, and hangs up', (socket) => socket.destroy()],
  ])('answering %s: the limits of this process apply, and nothing breaks', async (_, answer) => {
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('data', () => answer(socket))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const valkey = await open(`redis://127.0.0.1:${(server.address() as AddressInfo).port}/0`, LIMIT_SCRIPTS)
    const limits = createValkeyLimits(valkey, memory())
    const claim: LimitClaim = { key: 'own', rule: { limit: 3, periodMs: PERIOD_MS }, cost: 1 }
    let allowed = 0
    for (let i = 0; i < 40; i++) {
      const [decision] = await limits.take([claim])
      if (decision?.allowed === true) allowed += 1
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect(allowed).toBe(3)
    for (const socket of sockets) socket.destroy()
    await valkey.close()
    server.close()
  })
})
