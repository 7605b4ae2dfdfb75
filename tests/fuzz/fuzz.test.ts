import { ROLE } from '@sluice/contract/capability'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { addChannel, addLog, addTrace, addUsage } from '@sluice/testkit/rows'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Schema, valueFor } from './arbitrary.ts'
import { type Operation, readDocument } from './document.ts'

/** A run that failed is repeated with its seed: `SLUICE_TEST_SEED=… npx vitest run tests/fuzz`. */
const SEED = Number(process.env['SLUICE_TEST_SEED'] ?? 20_261_120)
/** Requests per call and role. */
const RUNS = Number(process.env['SLUICE_TEST_RUNS'] ?? 8)
const ROLES = ['guest', 'user', 'admin', 'root'] as const

interface Input {
  readonly id: number
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
}

describe('a client that knows nothing but the served API document', () => {
  let bench: ManagementBench
  let operations: readonly Operation[] = []
  let asked = 0
  beforeAll(async () => {
    bench = await openManagementBench('sqlite', {
      // Nobody is outside: what would be asked there is refused at once.
      fetchOutside: async () => ({ ok: false, fault: 'unreachable', reason: 'it cannot be reached' }),
    })
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

  it.each(ROLES)('gets as %s no failure and no reply that the document does not describe', async (role) => {
    for (const [at, operation] of operations.entries()) {
      const caller = await newCaller(role, at)
      const key = role === 'guest' ? undefined : await newKey(caller)
      await fc.assert(
        fc.asyncProperty(inputFor(operation), async (input) => {
          expect(await problemOf(operation, input, caller, key)).toBe('')
        }),
        { seed: SEED + at, numRuns: RUNS, endOnFailure: true },
      )
    }
    expect(asked).toBeGreaterThan(operations.length)
  })

  it('leaves no unexpected failure behind', () => {
    expect(bench.reported).toEqual([])
  })

  let callers = 0
  async function newCaller(role: (typeof ROLES)[number], at: number): Promise<TestCaller | undefined> {
    return role === 'guest' ? undefined : await bench.addCaller(`${role}${at}-${++callers}`, ROLE[role])
  }

  async function newKey(as: TestCaller | undefined): Promise<string | undefined> {
    if (as === undefined) return undefined
    const reply = await bench.ask<{ key: string }>('POST', '/api/token/', { as, body: { name: 'fuzz' } })
    return reply.data?.key
  }

  /** What is wrong with the reply; empty when nothing is. */
  async function problemOf(
    operation: Operation,
    { id, query, body }: Input,
    caller: TestCaller | undefined,
    key: string | undefined,
  ): Promise<string> {
    const path = operation.path.replace(/\{\w+\}/g, String(id))
    const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, textOf(value)]))
    const content = operation.body === undefined ? {} : { body: JSON.stringify(body) }
    asked += 1
    const reply = await bench.fetch(
      new Request(`http://localhost:3000${path}?${search}`, {
        method: operation.method,
        headers: {
          host: 'localhost:3000',
          'content-type': 'application/json',
          'x-test-address': `198.51.100.${asked % 250}`,
          ...(caller === undefined ? {} : { cookie: caller.cookie }),
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        },
        ...content,
      }),
    )
    const text = await reply.text()
    const shown = `${operation.method} ${path}?${search} ${JSON.stringify(body)} → ${reply.status} ${text.slice(0, 300)}`
    if (reply.status >= 500) return `failed: ${shown}`
    const check = operation.replies.get(String(reply.status)) ?? operation.replies.get('default')
    if (check === undefined) return `status is not described: ${shown}`
    if (check(JSON.parse(text))) return ''
    const [error] = check.errors ?? []
    return `reply is not described, ${error?.instancePath} ${error?.message} ${JSON.stringify(error?.params)}: ${shown}`
  }
})

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

function inputFor({ query, body }: Operation): fc.Arbitrary<Input> {
  const parameters = Object.fromEntries(Object.entries(query).map(([name, schema]) => [name, valueFor(schema)]))
  return fc.record({
    id: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constantFrom(0, 2_147_483_647, 2_147_483_648, 2 ** 53)),
    query: fc.record(parameters, { requiredKeys: [] }),
    body: valueFor(body ?? ({} satisfies Schema)),
  })
}

/** A few rows of everything, so that lists answer more than nothing. */
async function seed({ database: { kysely }, clock }: ManagementBench): Promise<void> {
  const day = Math.floor(clock.now / 86_400_000)
  for (let at = 1; at <= 5; at++) {
    const requestId = `0199f00000007000800000000000000${at}`
    await addChannel(kysely)
    await addLog(kysely, { created_at: Math.floor(clock.now / 1_000) - at, user_id: at, request_id: requestId })
    await addTrace(kysely, { request_id: requestId, received_ms: clock.now, user_id: at })
    await addUsage(kysely, { day: day - at, user_id: at })
  }
}
