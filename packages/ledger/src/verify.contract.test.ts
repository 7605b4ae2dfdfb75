import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { brokenInvariants, openTestLedgerEngine, readRowsOf } from '@sluice/testkit/ledger-engine'
import { openTestPayer, TEST_SECONDS, testHold, testSettle } from '@sluice/testkit/ledger-operations'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { verifyLedger } from './verify.ts'

describe.each(databaseEngines)('the proof of the books on %s', (name) => {
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
    await engine.close()
  })
  afterAll(() => database.close())

  const change = (text: string) => sql.raw(text).execute(database.kysely)
  const broken = async (now?: number): Promise<string[]> =>
    (await brokenInvariants(readRowsOf(database), now)).map(({ id }) => id)

  it('finds nothing wrong in right books, and says how much it looked at', async () => {
    const results = []
    for await (const result of verifyLedger(readRowsOf(database), Date.now())) results.push(result)
    expect(results.map(({ id, checked }) => [id, checked])).toEqual([
      ['I1', 4],
      ['I2', 4],
      ['I3', 4],
      ['I4', 6],
      ['I5', 4],
      ['I6', 1],
      ['I7', 0],
      ['I8', 6],
      ['I9', 1],
      ['I10', 3],
    ])
    expect(results.filter(({ firstWrong }) => firstWrong !== undefined)).toEqual([])
    expect(results.find(({ id }) => id === 'I7')?.note).toMatch('redemption')
  })

  it('finds nothing wrong in empty books', async () => {
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
    ['a log row without a charge', ['I5'], `update log set request_id = 'x' where request_id = 'a'`],
    ['a daily sum of another amount', ['I6'], `update usage_daily set amount = amount - 1`],
    ['a daily sum of another user', ['I6'], `update usage_daily set user_id = 2`],
    ['a daily sum of other tokens', ['I6'], `update usage_daily set completion_tokens = completion_tokens + 1`],
    [
      'tokens that do not cost the charge',
      ['I6', 'I8'],
      `update transfer set output_tokens = 9 where request_id = 'a'`,
    ],
    ['a price that changed after the charge', ['I8'], `update price set output = output + 1`],
    ['a price that is missing', ['I8'], `delete from price`],
  ])('finds %s', async (_, found, wrong) => {
    await change(wrong)
    expect(await broken()).toEqual(found)
  })

  it('finds a request that is open and charged', async () => {
    await change(`update hold set request_id = 'a'`)
    expect(await broken()).toContain('I4')
  })

  it('names the first wrong row', async () => {
    await change(`update account set posted = posted + 1 where kind = 'user'`)
    const [first] = await brokenInvariants(readRowsOf(database))
    expect(first).toMatchObject({ id: 'I1', firstWrong: { kind: 'user', owner_id: 1, posted: 880_001n } })
    expect(BigInt(String(first?.firstWrong?.['transfers']))).toBe(880_000n)
  })

  it('gives recovery two minutes to close the holds of a dead replica', async () => {
    await change('update replica set dead = 1')
    const opened = TEST_SECONDS * 1_000
    expect(await broken(opened + 119_000)).toEqual([])
    expect(await broken(opened + 121_000)).toEqual(['I9'])
  })

  it('does not ask for log rows that were cleared', async () => {
    await change('delete from log')
    expect(await broken()).toEqual(['I5'])
    await change(`insert into "option" ("key", value) values ('LogClearedBefore', '${TEST_SECONDS + 1}')`)
    expect(await broken()).toEqual([])
    await change(`update "option" set value = '${TEST_SECONDS}'`)
    expect(await broken()).toEqual(['I5'])
  })
})
