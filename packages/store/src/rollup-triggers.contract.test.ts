import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { addLog, addUsage } from '@sluice/testkit/rows'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COLUMN_TYPES } from './column-types.ts'
import { fillRollUps } from './fill-roll-ups.ts'
import { ROLL_UP_TABLES } from './rollup-triggers.ts'

const DAY = 86_400
const NOON = 20_400 * DAY + DAY / 2

describe.each(databaseEngines)('roll-ups on %s', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  afterAll(() => database.close())

  const contents = async (): Promise<Record<string, readonly string[]>> => {
    const all: Record<string, readonly string[]> = {}
    for (const table of ROLL_UP_TABLES) {
      const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(database.kysely)
      all[table] = rows.map((row) => Object.values(row).join(' ')).toSorted()
    }
    return all
  }

  test('are at every moment what their tables add up to', async () => {
    const db = database.kysely
    for (let at = 0; at < 60; at++) {
      await addLog(db, {
        created_at: NOON + (at % 7) * 300,
        type: at % 5 === 0 ? 3 : 2,
        user_id: 1 + (at % 3),
        username: `user ${at % 4}`,
        model_name: `model ${at % 2}`,
        channel_id: at % 4,
        amount: BigInt(at * 1_000),
        prompt_tokens: (at * 37) % 50,
        request_id: `request ${at}`,
      })
      await addUsage(db, {
        day: 20_300 + at,
        user_id: 1 + (at % 3),
        token_id: at % 2,
        requests: at,
        amount: BigInt(at),
      })
    }
    // Updates as a late settlement, a batch of sums and an operator at the database would make them.
    await sql`update log set amount = 1, prompt_tokens = 60, elapsed_ms = 1 where request_id = 'request 57'`.execute(db)
    await sql`update log set created_at = created_at - 86400 where type = 3`.execute(db)
    await sql`insert into usage_daily (day, user_id, token_id, channel_id, model, requests, prompt_tokens, completion_tokens, amount)
      values (20300, 1, 0, 1, 'gpt-4o', 1, 2, 3, 4), (20359, 9, 9, 1, 'gpt-4o', 1, 2, 3, 4)
      on conflict (user_id, day, token_id, channel_id, model) do update set requests = usage_daily.requests + excluded.requests,
        amount = usage_daily.amount + excluded.amount`.execute(db)

    await sql`delete from log_daily where entries = 0`.execute(db)
    await sql`delete from log_daily_model where entries = 0`.execute(db)
    await sql`delete from log_daily_token where entries = 0`.execute(db)
    const kept = await contents()
    for (const table of ROLL_UP_TABLES) await sql`delete from ${sql.table(table)}`.execute(db)
    for (const statement of fillRollUps(COLUMN_TYPES[database.engine])) await sql.raw(statement).execute(db)
    expect(kept).toEqual(await contents())
    expect(kept['log_daily']?.length).toBeGreaterThan(10)
  })
})
