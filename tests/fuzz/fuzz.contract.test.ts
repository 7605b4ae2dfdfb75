// @module-tag slow
import { ROLE } from '@sluice/contract/capability'
import { databaseEngines } from '@sluice/testkit/databases'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { addChannel, addLog, addTrace, addTransfer, addUsage } from '@sluice/testkit/rows'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Manner, valueFor } from './arbitrary.ts'
import { type Operation, readDocument } from './document.ts'

/** To repeat a failed run: `SLUICE_TEST_SEED=… npx vitest run tests/fuzz`. */
const SEED = Number(process.env['SLUICE_TEST_SEED'] ?? 20_261_120)
const RUNS = Number(process.env['SLUICE_TEST_RUNS'] ?? 10)
const SEEDED = 5
const ROLES = ['guest', 'user', 'admin', 'root'] as const

interface Input {
  readonly id: number
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
}

/** Requests per call and role on each engine; the shape of a reply hardly depends on the database. */
const ENGINES = databaseEngines.map((engine) => [engine, engine === 'sqlite' ? RUNS : Math.ceil(RUNS / 4)] as const)

describe.each(ENGINES)('a client that knows nothing but the served API document, on %s', (engine, runs) => {
  let bench: ManagementBench
  let operations: readonly Operation[] = []
  let requests = 0
  beforeAll(async () => {
    bench = await openManagementBench(engine, {
      // No outside address can be reached: calls to one are refused at once.
      fetchGuarded: async () => ({ ok: false, fault: 'unreachable', reason: 'it cannot be reached' }),
    })
    bench.testChannel = async (id, model) => ({ ok: id % 2 === 0, model: model ?? '', elapsedMs: 10, message: 'asked' })
    await seed(bench)
    operations = await readDocument(bench)
  })
  afterAll(async () => {
    await bench.settleBackground()
    await bench.close()
  })

  it('finds every call in it', () => {
    expect(operations.length).toBeGreaterThan(60)
  })

  it('would notice a field that is not described, a missing one, and one of another type', async () => {
    const check = operations.find(({ path }) => path === '/api/status')?.replies.get('200')
    const { data, success, message } = await bench.ask<object>('GET', '/api/status')
    const reply = { success, message, data }
    expect(check?.(reply)).toBe(true)
    expect(check?.({ ...reply, data: { ...data, password_hash: '' } })).toBe(false)
    expect(check?.({ ...reply, data: { ...data, version: undefined } })).toBe(false)
    expect(check?.({ ...reply, data: { ...data, start_time: 'now' } })).toBe(false)
  })

  it.each(ROLES)(
    'as %s gets no failure, no secret, no stray cookie and no reply that is not described',
    { tags: ['S20', 'S34'] },
    async (role) => {
      for (const [at, operation] of operations.entries()) {
        const caller = await newCaller(role, at)
        const own = caller === undefined ? undefined : await newToken(caller)
        const channel = await addChannel(bench.database.kysely)
        await fc.assert(
          fc.asyncProperty(inputFor(operation), async (input) => {
            expect(await problemOf(operation, met(input, own, channel), caller, own?.key)).toBe('')
          }),
          { seed: SEED + at, numRuns: runs, endOnFailure: true },
        )
      }
      expect(requests).toBeGreaterThan(operations.length)
    },
  )

  it('sends numbers beyond every column, and is not answered with a failure', { tags: 'S24' }, async () => {
    const root = await newCaller('root', 0)
    const extremes = ['2147483648', '-999999999999999']
    const reads = operations.filter(({ method, query }) => method === 'GET' && Object.keys(query).length > 0)
    expect(reads.length).toBeGreaterThan(10)
    for (const operation of reads) {
      for (const name of Object.keys(operation.query)) {
        for (const extreme of extremes) {
          const input: Input = { id: 1, query: { [name]: extreme }, body: undefined }
          expect(await problemOf(operation, input, root, undefined)).toBe('')
        }
      }
    }
  })

  it('leaves no unexpected failure behind', () => {
    expect(bench.reported).toEqual([])
  })

  let callers = 0
  async function newCaller(role: (typeof ROLES)[number], at: number): Promise<TestCaller | undefined> {
    return role === 'guest' ? undefined : await bench.addCaller(`${role}${at}-${++callers}`, ROLE[role])
  }

  async function newToken(as: TestCaller): Promise<OwnToken | undefined> {
    return (await bench.ask<OwnToken>('POST', '/api/token/', { as, body: { name: 'fuzz' } })).data
  }

  async function problemOf(
    operation: Operation,
    { id, query, body }: Input,
    caller: TestCaller | undefined,
    key: string | undefined,
  ): Promise<string> {
    // The only path parameter that is not a number gets a request id, of a seeded row or of none.
    const path = operation.path
      .replace('{trace_id}', `0199f00000007000800000000000000${id % 10}`)
      .replace(/\{\w+\}/g, String(id))
    const search = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, textOf(value)]),
    )
    const content = operation.body === undefined ? {} : { body: JSON.stringify(body) }
    requests += 1
    const reply = await bench.fetch(
      new Request(`http://localhost:3000${path}?${search.toString()}`, {
        method: operation.method,
        headers: {
          host: 'localhost:3000',
          'content-type': 'application/json',
          'x-test-address': `198.51.100.${requests % 250}`,
          ...(caller === undefined ? {} : { cookie: caller.cookie }),
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        },
        ...content,
      }),
    )
    const text = await reply.text()
    const shown = `${operation.method} ${path}?${search.toString()} ${JSON.stringify(body)} → ${reply.status} ${text.slice(0, 300)}`
    if (reply.status >= 500) return `failed: ${shown}`
    const unsafe = unsafePart(reply, text)
    if (unsafe !== '') return `${unsafe}: ${shown}`
    const check = operation.replies.get(String(reply.status)) ?? operation.replies.get('default')
    if (check === undefined) return `status is not described: ${shown}`
    if (check(JSON.parse(text))) return ''
    const [error] = check.errors ?? []
    return `reply is not described, ${error?.instancePath} ${error?.message} ${JSON.stringify(error?.params)}: ${shown}`
  }
})

/** Stored passwords and secrets, and keys of the seeded channels. */
const SECRET = /argon2id|\$2[aby]\$|\bv1\.[0-9a-f]{8}\.|canary/

/** Content that no reply may have, whatever was requested. */
function unsafePart(reply: Response, text: string): string {
  if (SECRET.test(text)) return 'holds a secret'
  const loose = reply.headers.getSetCookie().filter((cookie) => {
    return !/; Max-Age=0;/.test(cookie) && !(/; HttpOnly/.test(cookie) && /; SameSite=(Lax|Strict)/.test(cookie))
  })
  if (loose.length > 0) return 'sets a cookie that scripts or foreign sites reach'
  return reply.headers.get('x-content-type-options') === 'nosniff' ? '' : 'may be read as another type'
}

interface OwnToken {
  readonly id: number
  readonly key: string
}

/** Replaces id 7 with the caller's own token and 6 with the newest channel, because others may have been deleted. */
function met(input: Input, own: OwnToken | undefined, channel: number): Input {
  const real = (id: unknown) => (id === 7 ? (own?.id ?? 7) : id === 6 ? channel : id)
  const { body } = input
  const isNamed = typeof body === 'object' && body !== null && 'id' in body
  return { ...input, id: Number(real(input.id)), body: isNamed ? { ...body, id: real(body.id) } : body }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Three of five requests follow the document. */
function inputFor(operation: Operation): fc.Arbitrary<Input> {
  return fc.oneof(
    { arbitrary: inputIn(operation, 'fitting'), weight: 3 },
    { arbitrary: inputIn(operation, 'odd'), weight: 2 },
  )
}

function inputIn({ query, body }: Operation, manner: Manner): fc.Arbitrary<Input> {
  const parameters = Object.fromEntries(
    Object.entries(query).map(([name, schema]) => [name, valueFor(schema, manner, name)]),
  )
  const small = fc.integer({ min: 1, max: 8 })
  return fc.record({
    id: manner === 'fitting' ? small : fc.oneof(small, fc.constantFrom(0, 2_147_483_647, 2_147_483_648, 2 ** 53)),
    query: fc.record(parameters, { requiredKeys: [] }),
    body: valueFor(body ?? {}, manner),
  })
}

/** A few rows of everything, so that lists are not empty. */
async function seed({ database: { kysely }, vault, clock }: ManagementBench): Promise<void> {
  const day = Math.floor(clock.now / 86_400_000)
  for (let at = 1; at <= SEEDED; at++) {
    const requestId = `0199f00000007000800000000000000${at}`
    await addChannel(kysely, { key_sealed: vault.seal('channel_key', 'canary-channel-key') })
    await addLog(kysely, { created_at: Math.floor(clock.now / 1_000) - at, user_id: at, request_id: requestId })
    await addTransfer(kysely, { request_id: requestId, at_ms: clock.now - at * 1_000 })
    await addTrace(kysely, { request_id: requestId, received_ms: clock.now, user_id: at })
    await addUsage(kysely, { day: day - at, user_id: at })
  }
}
