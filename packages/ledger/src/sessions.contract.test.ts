import { databaseEngines } from '@sluice/testkit/databases'
import {
  openTestPayer,
  TEST_SECONDS,
  type TestPayer,
  testRefund,
  testSettlement,
} from '@sluice/testkit/ledger-operations'
import { useLedger } from '@sluice/testkit/ledger-suite'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Settlement } from './operation.ts'

const SUMS = [
  'amount',
  'saved',
  'prompt_tokens',
  'completion_tokens',
  'cached_prompt_tokens',
  'cache_write_5m_tokens',
  'cache_write_1h_tokens',
  'reasoning_tokens',
]
/** Each session's sums according to its log rows, and as stored. */
const OF_LOG = `select token_id, session, count(*) as calls, ${SUMS.map((sum) => `sum(${sum}) as ${sum}`).join(', ')}
  from log where session <> '' group by token_id, session order by token_id, session`
const OF_SUMS = `select token_id, session, calls, ${SUMS.join(', ')} from usage_session order by token_id, session`

/** A charge of one call of a session; cached tokens cost a tenth of `TEST_PRICE`'s input. */
function call(
  payer: TestPayer,
  requestId: string,
  { session = 'one', model = 'gpt-4o-mini', at = 0, cached = 10, output = 1, client = 'codex', unlogged = false } = {},
): Settlement {
  const tokens = { input: 3, cachedInput: cached, cacheWrite5m: 0, cacheWrite1h: 2, output, reasoning: 1 }
  const { log, ...rest } = testSettlement(payer, requestId, output, { tokens })
  return { ...rest, model, log: { ...log, createdAt: TEST_SECONDS + at, elapsedMs: 2_500, session, client, unlogged } }
}

describe.each(databaseEngines)('sessions on %s', (name) => {
  const suite = useLedger(name)
  const openPayer = (tokenId = 1) =>
    openTestPayer(suite.engine, 'r1', { userId: 1, tokenId, quota: 1_000_000, limit: 500_000 })
  const settle = async (...settlements: readonly Settlement[]) => {
    await suite.engine.apply(
      settlements.map((settlement) => ({ op: 'settle', settlement })),
      'r1',
    )
  }
  /** Sums come as bigint or decimal text where the engine adds up 64 bits. */
  const readNumbers = async (text: string) =>
    (await suite.read(text)).map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([column, value]) => [column, column === 'session' ? value : Number(value)]),
      ),
    )

  it('add up the charges that name them, in the commit of each charge', async () => {
    const payer = await openPayer()
    await settle(
      call(payer, 'a', { model: 'small' }),
      call(payer, 'b', { at: 60, model: 'large', client: 'claude-code' }),
      call(payer, 'c', { at: 30, model: 'small', client: 'claude-code' }),
      call(payer, 'd', { session: 'two' }),
      call(payer, 'e', { session: '' }),
      call(payer, 'f', { unlogged: true }),
    )
    expect(
      await suite.read(
        'select session, calls, models, client, token_name, first_at, last_at from usage_session order by session',
      ),
    ).toEqual([
      {
        session: 'one',
        calls: 3,
        models: 'small\nlarge',
        client: 'claude-code',
        token_name: 'token 1',
        first_at: TEST_SECONDS - 2,
        last_at: TEST_SECONDS + 60,
      },
      {
        session: 'two',
        calls: 1,
        models: 'gpt-4o-mini',
        client: 'codex',
        token_name: 'token 1',
        first_at: TEST_SECONDS - 2,
        last_at: TEST_SECONDS,
      },
    ])
  })

  it('know no more than eight models by name, each once', async () => {
    const payer = await openPayer()
    const models = Array.from({ length: 12 }, (_, at) => `model ${11 - at}`)
    await settle(...models.slice(0, 5).map((model, at) => call(payer, `a${at}`, { model })))
    await settle(...[...models, ...models].map((model, at) => call(payer, `b${at}`, { model })))
    expect(await suite.read('select models, calls from usage_session')).toEqual([
      { models: models.slice(0, 8).join('\n'), calls: 29 },
    ])
  })

  it('follow a correction, and leave a refund as it is, like the log row', async () => {
    const payer = await openPayer()
    await settle(call(payer, 'a', { cached: 100 }))
    await settle(call(payer, 'a', { cached: 1_000, output: 7 }))
    await suite.engine.apply([testRefund(payer, 'a', 'r', 1)], 'r1')
    const [row] = await readNumbers(OF_SUMS)
    expect(row).toMatchObject({ calls: 1, cached_prompt_tokens: 1_000, completion_tokens: 7 })
    expect(row?.['saved']).toBeGreaterThan(0)
    expect(await readNumbers(OF_SUMS)).toEqual(await readNumbers(OF_LOG))
  })

  it('of another token are another session, whatever they are called', async () => {
    await settle(call(await openPayer(1), 'a'), call(await openPayer(2), 'b'))
    expect(await suite.read('select token_id, calls from usage_session order by token_id')).toEqual([
      { token_id: 1, calls: 1 },
      { token_id: 2, calls: 1 },
    ])
  })

  const drawn = fc.record({
    request: fc.nat(12),
    session: fc.constantFrom('', 'one', 'two', 'three'),
    cached: fc.nat(500),
    output: fc.nat(50),
    at: fc.nat(200_000),
  })

  it('are the sums of the log rows that name them, after any charges and late settlements', async () => {
    const payer = await openPayer()
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(drawn, { minLength: 1, maxLength: 6 }), { maxLength: 8 }), async (batches) => {
        run++
        for (const batch of batches) {
          await settle(...batch.map(({ request, ...values }) => call(payer, `${run}-${request}`, values)))
        }
        expect(await readNumbers(OF_SUMS)).toEqual(await readNumbers(OF_LOG))
      }),
      { numRuns: 15 },
    )
    expect(await suite.read('select calls from usage_session limit 1')).not.toEqual([])
  })
})
