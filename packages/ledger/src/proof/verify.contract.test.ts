import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { brokenInvariants, openTestLedgerEngine, readRowsOf } from '@sluice/testkit/ledger-engine'
import {
  openTestPayer,
  TEST_SECONDS,
  testCode,
  testHold,
  testRedeem,
  testRefund,
  testSettle,
  testSettlement,
  testUsedCode,
} from '@sluice/testkit/ledger-operations'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { mq } from '../units.ts'
import { type ReadRows, verifyLedger } from './verify.ts'

describe.each(databaseEngines)('the proof of the ledger on %s', (name) => {
  let database: TestDatabase

  beforeAll(async () => {
    database = await openTestDatabase(name)
  })
  beforeEach(async () => {
    await database.reset()
    const engine = await openTestLedgerEngine(database)
    await engine.heartbeat('r1')
    const payer = await openTestPayer(engine, 'r1', { userId: 1, tokenId: 1, quota: 1_000, limit: 500 })
    const ids = ['a', 'b', 'more', 'less']
    await engine.apply(
      ids.map((id) => testHold(payer, id, 10)),
      'r1',
    )
    await engine.apply(
      ids.map((id) => testSettle(payer, id, 3)),
      'r1',
    )
    await engine.apply([testSettle(payer, 'more', 4), testSettle(payer, 'less', 2), testHold(payer, 'open', 10)], 'r1')
    await database.kysely
      .insertInto('redemption')
      .values([testCode(1, 5), testCode(2, 6)])
      .execute()
    await engine.apply([testRedeem(payer, 1), testRefund(payer, 'b', 'back', 10)], 'r1')
    const budgets = [{ period: 'day', amount: mq(1_000_000n) }] as const
    const { limitAccount, userId } = payer
    await engine.apply([{ op: 'budgets', account: limitAccount, userId, budgets, at: TEST_SECONDS * 1_000 }], 'r1')
    await engine.close()
  })
  afterAll(() => database.close())

  const change = (text: string) => sql.raw(text).execute(database.kysely)
  const broken = async (now?: number): Promise<string[]> =>
    (await brokenInvariants(readRowsOf(database), now)).map(({ id }) => id)

  it('finds nothing wrong in a correct ledger, and says how much it looked at', async () => {
    const results = []
    for await (const result of verifyLedger(readRowsOf(database), Date.now())) results.push(result)
    expect(results.map(({ id, checked }) => [id, checked])).toEqual([
      ['I1', 4],
      ['I2', 4],
      ['I3', 4],
      ['I4', 6],
      ['I5', 4],
      ['I6', 1],
      ['I7', 2],
      ['I8', 6],
      ['I9', 1],
      ['I10', 3],
      ['I11', 1],
      ['I12', 1],
      ['I13', 0],
    ])
    expect(results.filter(({ firstWrong }) => firstWrong !== undefined)).toEqual([])
  })

  it('finds nothing wrong in an empty ledger', async () => {
    await database.reset()
    expect(await broken()).toEqual([])
  })

  it.each<[string, string[], string]>([
    ['a balance that grew by itself', ['I1', 'I10'], `update account set posted = posted + 1 where kind = 'user'`],
    ['a limit that grew by itself', ['I1'], `update account set posted = posted + 1 where kind = 'token'`],
    [
      'a transfer to an account that does not exist',
      ['I1'],
      `update transfer set credit = 999 where request_id = 'gift-1-1'`,
    ],
    ['a hold that was taken away', ['I2'], `delete from hold`],
    ['a hold of another amount', ['I2'], `update hold set amount = amount + 1`],
    ['spending that was not counted', ['I3'], `update account set spent = spent - 1 where kind = 'token'`],
    ['a request that was not counted', ['I3'], `update account set requests = requests - 1 where kind = 'user'`],
    [
      'a correction of a request that was never charged',
      ['I4', 'I5', 'I6'],
      `update transfer set request_id = 'x' where kind = 'adjust'`,
    ],
    ['a log row that is missing', ['I5'], `delete from log where request_id = 'a'`],
    ['a log row of another amount', ['I5'], `update log set amount = amount + 1 where request_id = 'less'`],
    ['a log row of another user', ['I5'], `update log set user_id = 2 where request_id = 'a'`],
    ['a log row of another token', ['I5'], `update log set token_id = 2 where request_id = 'a'`],
    [
      'a log row of other tokens read',
      ['I5'],
      `update log set prompt_tokens = prompt_tokens + 1 where request_id = 'more'`,
    ],
    ['a log row of other tokens made', ['I5'], `update log set completion_tokens = 0 where request_id = 'less'`],
    ['a log row of another model', ['I5'], `update log set model_name = 'other' where request_id = 'a'`],
    ['a log row of another channel', ['I5'], `update log set channel_id = channel_id + 1 where request_id = 'a'`],
    ['a log row at another time', ['I5'], `update log set created_at = created_at + 1 where request_id = 'a'`],
    ['a log row without a charge', ['I5'], `update log set request_id = 'x' where request_id = 'a'`],
    [
      'a charge whose row passes for an imported one',
      ['I5'],
      `update log set ended = 'imported' where request_id = 'a'`,
    ],
    ['a daily sum of another amount', ['I6', 'I11'], `update usage_daily set amount = amount - 1`],
    ['a daily sum of another user', ['I6'], `update usage_daily set user_id = 2`],
    ['a daily sum of other tokens', ['I6'], `update usage_daily set completion_tokens = completion_tokens + 1`],
    [
      'tokens that do not cost the charge',
      ['I5', 'I6', 'I8'],
      `update transfer set output_tokens = 9 where request_id = 'a'`,
    ],
    ['a used code that did not pay', ['I7'], `update redemption set status = 3 where id = 2`],
    ['a code that paid and is not used', ['I7'], `update redemption set status = 1 where id = 1`],
    ['a code that paid another amount', ['I7'], `update redemption set amount = amount + 1 where id = 1`],
    ['a code that paid somebody else', ['I7'], `update redemption set redeemed_by = 9 where id = 1`],
    ['an imported code that paid here', ['I7'], `update redemption set used_before = 1 where id = 1`],
    ['an imported code that can be used', ['I7'], `update redemption set used_before = 1 where id = 2`],
    ['a payment of no code', ['I7'], `delete from redemption where id = 1`],
    [
      'a refund of more than the charge',
      ['I1', 'I3', 'I12'],
      `update transfer set amount = 30001 where request_id = 'back'`,
    ],
    ['a budget that missed a charge', ['I11'], `update budget set spent = spent - 1`],
    ['a budget that counts another window', ['I11'], `update budget set window_start_ms = window_start_ms + 86400000`],
    ['a budget that nobody would look for', ['I11'], `update account set budgeted = 0 where kind = 'token'`],
    ['an account whose budget is gone', ['I11'], `delete from budget`],
    ['a refund of no charge', ['I12'], `update transfer set refers_to = 'x' where request_id = 'back'`],
    [
      'a refund of another user’s charge',
      ['I1', 'I3', 'I12'],
      `update transfer set credit = 99 where request_id = 'back'`,
    ],
    ['a price that changed after the charge', ['I8'], `update price set output = output + 1`],
    ['a price that is missing', ['I8'], `delete from price`],
  ])('finds %s', async (_, found, wrong) => {
    await change(wrong)
    expect(await broken()).toEqual(found)
  })

  it('finds a charge that was paid to another account than the revenue, however well the balances agree', async () => {
    const paid = `(select amount from transfer where request_id = 'a' and kind = 'consume')`
    await change(`update account set posted = posted - ${paid} where kind = 'system' and owner_id = 2`)
    await change(`update account set posted = posted + ${paid} where kind = 'user'`)
    await change(`update transfer set credit = debit where request_id = 'a' and kind = 'consume'`)
    expect(await broken()).toEqual(['I4'])
  })

  it('finds a request that is open and charged', async () => {
    await change(`update hold set request_id = 'a'`)
    expect(await broken()).toContain('I4')
  })

  it('finds a second log row of a charge', async () => {
    const { id: _, ...row } = await database.kysely
      .selectFrom('log')
      .selectAll()
      .where('request_id', '=', 'a')
      .executeTakeFirstOrThrow()
    await database.kysely.insertInto('log').values(row).execute()
    expect(await broken()).toEqual(['I5'])
  })

  it('expects no charge of a row of another gateway, nor a payment of a code that was used there', async () => {
    const { id: _, ...row } = await database.kysely
      .selectFrom('log')
      .selectAll()
      .where('request_id', '=', 'a')
      .executeTakeFirstOrThrow()
    await database.kysely
      .insertInto('log')
      .values({ ...row, request_id: null, ended: 'imported' })
      .execute()
    await database.kysely.insertInto('redemption').values(testUsedCode(3, 7)).execute()
    expect(await broken()).toEqual([])
  })

  it('expects no log row of a charge that was made while rows were switched off', async () => {
    const engine = await openTestLedgerEngine(database)
    const payer = await openTestPayer(engine, 'r1', { userId: 1, tokenId: 1, quota: 0 })
    const settlement = testSettlement(payer, 'quiet', 3)
    await engine.apply(
      [{ op: 'settle', settlement: { ...settlement, log: { ...settlement.log, unlogged: true } } }],
      'r1',
    )
    await engine.apply([testSettle(payer, 'quiet', 4)], 'r1')
    await engine.close()
    expect(await database.kysely.selectFrom('log').select('id').where('request_id', '=', 'quiet').execute()).toEqual([])
    expect(await broken()).toEqual([])
    await change(`update transfer set reason = '' where request_id = 'quiet' and kind = 'consume'`)
    expect(await broken()).toEqual(['I5'])
  })

  it('names the first wrong row', async () => {
    await change(`update account set posted = posted + 1 where kind = 'user'`)
    const [first] = await brokenInvariants(readRowsOf(database))
    expect(first).toMatchObject({ id: 'I1', firstWrong: { kind: 'user', owner_id: 1, posted: 895_001n } })
    expect(BigInt(String(first?.firstWrong?.['transfers']))).toBe(895_000n)
  })

  it('gives recovery two minutes to close the holds of a dead replica', async () => {
    await change('update replica set dead = 1')
    const opened = TEST_SECONDS * 1_000
    expect(await broken(opened + 119_000)).toEqual([])
    expect(await broken(opened + 121_000)).toEqual(['I9'])
  })

  it('does not expect log rows that were cleared', async () => {
    await change('delete from log')
    expect(await broken()).toEqual(['I5'])
    await change(`insert into "option" ("key", value) values ('LogClearedBefore', '${TEST_SECONDS + 1}')`)
    expect(await broken()).toEqual([])
    await change(`update "option" set value = '${TEST_SECONDS}'`)
    expect(await broken()).toEqual(['I5'])
  })
})

it('never looks for a charge’s log row among all rows of its second', async () => {
  const database = await openTestDatabase('sqlite')
  const plans: string[] = []
  const read: ReadRows = async (text) => {
    const { rows } = await sql.raw<{ detail: string }>(`explain query plan ${text}`).execute(database.kysely)
    plans.push(...rows.map(({ detail }) => detail))
    return await readRowsOf(database)(text)
  }
  expect(await brokenInvariants(read)).toEqual([])
  expect(plans).toContainEqual(expect.stringContaining('SEARCH log'))
  expect(plans).not.toContainEqual(expect.stringContaining('created_at=?'))
  await database.close()
})
