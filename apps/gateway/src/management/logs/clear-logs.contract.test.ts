// @module-tag slow
import { mq } from '@sluice/ledger/units'
import type { Database } from '@sluice/store/database'
import { databaseEngines } from '@sluice/testkit/databases'
import { brokenInvariants, readRowsOf } from '@sluice/testkit/ledger-engine'
import { testSettlement } from '@sluice/testkit/ledger-operations'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const OLD_ROWS = 10_000
/** Rows that are not charges need no counterpart in the ledger. */
const MANAGEMENT = 3

describe.each(databaseEngines)('clearing logs on %s', (engine) => {
  let bench: ManagementBench
  let admin: TestCaller
  let now: number
  beforeAll(async () => {
    bench = await openManagementBench(engine)
    admin = await bench.addCaller('admin', 10)
    now = Math.floor(bench.clock.now / 1_000)
  })
  afterAll(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const count = async (): Promise<number> => {
    const { rows } = await sql<{
      n: number | bigint
    }>`select count(*) as n from log where created_at < ${now - 86_400}`.execute(bench.database.kysely)
    return Number(rows[0]?.n)
  }
  const clear = (before: number) => bench.ask<number>('DELETE', `/api/log/?target_timestamp=${before}`, { as: admin })

  test('lets charges through all the while, and leaves the ledger right', async () => {
    await addOldRows(bench.database, now - 30 * 86_400)
    const limitAccount = await bench.ledger.openAccount('token', 1, true)
    const account = await bench.ledger.openAccount('user', admin.id, false)
    if (account === 'unavailable' || limitAccount === 'unavailable') throw new Error('the ledger does not answer')
    await bench.ledger.move({
      requestId: 'gift',
      kind: 'gift',
      account,
      mode: 'add',
      amount: mq(10n ** 12n),
      actor: 0,
      reason: '',
    })
    const payer = { userId: admin.id, tokenId: 1, account, limitAccount }
    expect(await clear(now - 86_400)).toMatchObject({ data: OLD_ROWS })
    let meanwhile = 0
    for (let serial = 0; serial < 2_000; serial++) {
      const settlement = testSettlement(payer, `charge-${serial}`, 1)
      expect(await bench.ledger.settle({ ...settlement, log: { ...settlement.log, createdAt: now } })).toBe('charged')
      if ((await count()) === 0) break
      meanwhile += 1
    }
    expect(meanwhile).toBeGreaterThan(3)
    await bench.settleBackground()
    expect(await count()).toBe(0)
    expect(await brokenInvariants(readRowsOf(bench.database))).toEqual([])
  })

  test('deletes the daily sums of cleared days too', async () => {
    const today = Math.floor(now / 86_400)
    for (const table of ['log_daily', 'log_daily_model', 'log_daily_token'] as const) {
      const days = await bench.database.kysely.selectFrom(table).select('day').distinct().execute()
      expect(days).toEqual([{ day: today }])
    }
    expect(await clear(now - 86_400)).toMatchObject({ data: 0 })
  })

  test('never moves the horizon back, even when two calls clear at the same moment', async () => {
    const latest = now - 3_600
    await Promise.all(Array.from({ length: 8 }, (_, i) => clear(i === 0 ? latest : latest - i)))
    await bench.deps.versions.check()
    expect(bench.deps.options().LogClearedBefore).toBe(latest)
  })
})

test('clearing makes room in a SQLite file for the rows that come next', async () => {
  const bench = await openManagementBench()
  const admin = await bench.addCaller('admin', 10)
  const now = Math.floor(bench.clock.now / 1_000)
  const pages = async (): Promise<number> => {
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(bench.database.kysely)
    return rows[0]?.page_count ?? 0
  }
  await addOldRows(bench.database, now - 30 * 86_400)
  await bench.ask('DELETE', `/api/log/?target_timestamp=${now - 86_400}`, { as: admin })
  await bench.settleBackground()
  const before = await pages()
  await addOldRows(bench.database, now - 86_400)
  expect(await pages()).toBeLessThan(before * 1.5)
  await bench.close()
})

async function addOldRows({ kysely }: Database, first: number): Promise<void> {
  await sql`with recursive n (i) as (select 0 union all select i + 1 from n where i < ${sql.lit(OLD_ROWS - 1)})
    insert into log (created_at, type, user_id, username, token_id, token_name, model_name, origin_model_name, channel_id,
      channel_name, amount, prompt_tokens, completion_tokens, cached_prompt_tokens, cache_write_5m_tokens,
      cache_write_1h_tokens, reasoning_tokens, request_id, elapsed_ms, is_stream, estimated, ended, content)
    select ${sql.lit(first)} + i * 60, ${sql.lit(MANAGEMENT)}, i % 50, 'someone', 0, '', '', '', 0, '', 0, 0, 0, 0, 0, 0, 0,
      null, 0, 0, 0, '', 'an act of management that left a line in the log' from n`.execute(kysely)
}
