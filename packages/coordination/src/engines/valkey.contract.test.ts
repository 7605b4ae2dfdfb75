import { type LocalValkey, startLocalValkey } from '@sluice/testkit/local-valkey'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createMemoryLimits, type LimitClaim, type Limits } from '../limits.ts'
import { createValkeyLimits, LIMIT_SCRIPTS } from './valkey-limits.ts'
import { openValkey, type Valkey } from './valkey.ts'

let server: LocalValkey
let number = 0
const opened: Valkey[] = []

beforeAll(async () => {
  server = await startLocalValkey()
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((valkey) => valkey.close()))
})
afterAll(() => server.stop())

const open = async ({ url = server.url, answerMs = 50 } = {}): Promise<{
  readonly valkey: Valkey
  readonly ups: () => number
  readonly downs: string[]
}> => {
  const downs: string[] = []
  let ups = 0
  const valkey = await openValkey({
    url,
    scripts: LIMIT_SCRIPTS,
    answerMs,
    random: () => 0,
    onUp: () => {
      ups += 1
    },
    onDown: (reason) => downs.push(reason),
  })
  opened.push(valkey)
  return { valkey, ups: () => ups, downs }
}
const up = (valkey: Valkey): Promise<void> => expect.poll(() => valkey.usable, { interval: 5 }).toBe(true)
/** A key that no other test uses, with a period in which nothing recovers during the test. */
const claimOf = (limit: number, cost = 1): LimitClaim => {
  number += 1
  return { key: `test:${number}`, rule: { limit, periodMs: 1_000_000_000 }, cost }
}
const memory = (): Limits => createMemoryLimits({ capacity: 1_000, now: Date.now, shareOf: () => 1 / 2 })

describe('limits that replicas share through Valkey', () => {
  const replicas = async (count: number): Promise<Limits[]> => {
    const clients = await Promise.all(Array.from({ length: count }, () => open({ answerMs: 10_000 })))
    await Promise.all(clients.map(({ valkey }) => up(valkey)))
    return clients.map(({ valkey }) => createValkeyLimits(valkey, memory()))
  }

  it('let exactly the limit through, whichever replica is called and however many calls arrive at once', async () => {
    const three = await replicas(3)
    const claim = claimOf(100)
    const decisions = await Promise.all(
      Array.from({ length: 300 }, async (_, at) => await three[at % 3]?.take([claim])),
    )
    expect(decisions.filter((decision) => decision?.[0]?.allowed)).toHaveLength(100)
  })

  it('count nothing when one claim is refused, and say what is left without it', async () => {
    const [one, other] = await replicas(2)
    const [requests, tokens] = [claimOf(3), claimOf(1_000, 400)]
    await one?.take([{ ...tokens, cost: 900 }])
    const refused = await other?.take([requests, tokens])
    expect(refused).toMatchObject([
      { allowed: true, remaining: 3, retryAfterMs: 0 },
      { allowed: false, remaining: 100 },
    ])
    expect(await one?.take([{ ...requests, cost: 3 }])).toMatchObject([{ allowed: true, remaining: 0 }])
  })

  it('decide as memory does, for any costs and corrections', async () => {
    const [shared] = await replicas(1)
    const alone = createMemoryLimits({ capacity: 1_000, now: () => 0, shareOf: () => 1 })
    const claim = claimOf(1_000)
    for (const [kind, cost] of [
      ['take', 300],
      ['correct', 250],
      ['take', 500],
      ['correct', -400],
      ['take', 350],
      ['correct', 1e9],
      ['take', 1],
      ['correct', -1e9],
      ['take', 5_000],
      ['take', 1],
    ] as const) {
      const asked = { ...claim, cost }
      if (kind === 'correct') {
        shared?.correct(asked)
        alone.correct(asked)
        continue
      }
      const [decision] = (await shared?.take([asked])) ?? []
      const [expected] = alone.take([asked])
      const { allowed, remaining } = expected ?? {}
      expect(decision).toMatchObject({ allowed, remaining })
      // The server's clock has advanced a little in between.
      expect(Math.abs((decision?.resetMs ?? 0) - (expected?.resetMs ?? 0))).toBeLessThan(60_000)
    }
  })

  it('forget a key when it is unused again', async () => {
    const [one] = await replicas(1)
    const claim = { ...claimOf(1), rule: { limit: 1, periodMs: 50 } }
    expect(await one?.take([claim])).toMatchObject([{ allowed: true }])
    expect(await one?.take([claim])).toMatchObject([{ allowed: false }])
    await expect.poll(async () => (await one?.take([claim]))?.[0]?.allowed).toBe(true)
  })
})

describe('Valkey', () => {
  it('that is away at the start delays nothing, and is used when it appears', async () => {
    await server.kill()
    const { valkey, downs } = await open()
    const limits = createValkeyLimits(valkey, memory())
    expect(limits.take([claimOf(10)])).toMatchObject([{ allowed: true, remaining: 8 }])
    await expect.poll(() => downs).toEqual([expect.stringContaining('ECONNREFUSED')])
    await server.restart()
    await up(valkey)
    expect(await limits.take([claimOf(10)])).toMatchObject([{ allowed: true, remaining: 9 }])
  })

  it('that is killed leaves each replica its share, and counts for all again when it is back', async () => {
    const { valkey, downs, ups } = await open()
    await up(valkey)
    const limits = createValkeyLimits(valkey, memory())
    const claim = claimOf(10)
    await limits.take([claim])
    await server.kill()
    await expect.poll(() => valkey.usable).toBe(false)
    const alone = Array.from({ length: 10 }, () => limits.take([claim]))
    expect(alone.filter((decision) => Array.isArray(decision) && decision[0]?.allowed)).toHaveLength(5)
    await server.restart()
    await up(valkey)
    expect(await limits.take([claim])).toMatchObject([{ allowed: true, remaining: 9 }])
    expect([downs.length, ups()]).toEqual([1, 2])
  })

  it('that does not respond is skipped after 50 ms, and at once after the first time', async () => {
    const { valkey, downs } = await open()
    await up(valkey)
    const limits = createValkeyLimits(valkey, memory())
    const resume = server.pause()
    expect(await Promise.all([limits.take([claimOf(10)]), limits.take([claimOf(10)])])).toMatchObject([
      [{ allowed: true, remaining: 8 }],
      [{ allowed: true, remaining: 8 }],
    ])
    expect(limits.take([claimOf(10)])).not.toBeInstanceOf(Promise)
    expect(downs).toEqual(['no answer within 50 ms'])
    resume()
    await up(valkey)
  })

  it('that has forgotten the scripts gets them again', async () => {
    const { valkey } = await open()
    await up(valkey)
    const limits = createValkeyLimits(valkey, memory())
    await server.kill()
    await server.restart()
    await up(valkey)
    await expect.poll(async () => await limits.take([claimOf(10)])).toMatchObject([{ remaining: 9 }])
  })

  it('sends news to all listeners, also after it was away', async () => {
    const [one, other] = [(await open()).valkey, (await open()).valkey]
    const heard: string[] = []
    let listening = 0
    other.listen('topic', (text) => heard.push(text))
    other.onListening(() => {
      listening += 1
    })
    await expect.poll(() => listening).toBe(1)
    await up(one)
    one.publish('topic', 'first words')
    one.publish('another', 'nothing')
    await expect.poll(() => heard).toEqual(['first words'])
    await server.kill()
    await expect.poll(() => one.usable).toBe(false)
    one.publish('topic', 'lost')
    await server.restart()
    await up(one)
    await expect.poll(() => listening).toBe(2)
    one.publish('topic', 'back')
    await expect.poll(() => heard).toEqual(['first words', 'back'])
  })

  it('that refuses the password counts as away, and the reason reveals no secret', async () => {
    const { valkey, downs } = await open({ url: server.url.replace('valkey-test-password', 'not-the-password') })
    await expect.poll(() => downs).toHaveLength(1)
    expect(downs[0]).not.toContain('not-the-password')
    expect(valkey.usable).toBe(false)
  })

  it('ends at once when it is closed while the server does not answer', async () => {
    const resume = server.pause()
    const { valkey } = await open()
    await valkey.close()
    resume()
    expect(valkey.usable).toBe(false)
  })
})
