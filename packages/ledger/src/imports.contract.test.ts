import { databaseEngines } from '@sluice/testkit/databases'
import { brokenInvariants } from '@sluice/testkit/ledger-engine'
import { bringBalance } from '@sluice/testkit/ledger-import'
import {
  availableOf,
  openTestPayer,
  TEST_SECONDS,
  testHold,
  testMove,
  type TestPayer,
} from '@sluice/testkit/ledger-operations'
import { useLedger } from '@sluice/testkit/ledger-suite'
import { outcomeName } from '@sluice/testkit/outcome-name'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { mq, mqFromQuota } from './units.ts'

describe.each(databaseEngines)('balances of another gateway on %s', (name) => {
  const suite = useLedger(name)
  const openPayer = (userId = 1, quota = 0) => openTestPayer(suite.engine, 'r1', { userId, tokenId: userId, quota })
  const write = async (text: string) => {
    await sql.raw(text).execute(suite.database.kysely)
  }
  const bring = async (payer: TestPayer, quota: number) => {
    const ledger = { engine: suite.engine, read: suite.read, write }
    return await bringBalance(ledger, payer, { quota, isNoted: true, replica: 'r1', at: TEST_SECONDS * 1_000 })
  }
  const equity = () => suite.read(`select posted from account where kind = 'system' and owner_id = 3`)
  const broken = async () => (await brokenInvariants(suite.read)).map(({ id }) => id)

  it('come from an account that is opened with the first of them', async () => {
    const payer = await openPayer()
    expect(await equity()).toEqual([])
    expect(await bring(payer, 50)).toBe('done')
    expect(await equity()).toEqual([{ posted: mqFromQuota(-50) }])
    expect((await availableOf(suite.engine, payer)).user).toBe(mqFromQuota(50))
    const [row] = await suite.read(`select request_id, amount, credit from transfer where kind = 'import'`)
    expect(row).toEqual({ request_id: 'import-elsewhere-user-1-1', amount: 50_000n, credit: payer.account })
  })

  it('may fall between two passes, and may be debts', async () => {
    const payer = await openPayer()
    expect([await bring(payer, 50), await bring(payer, -80)]).toEqual(['done', 'done'])
    expect((await availableOf(suite.engine, payer)).user).toBe(mqFromQuota(-30))
    expect(await equity()).toEqual([{ posted: mqFromQuota(30) }])
    expect(await suite.apply(testHold(payer, 'a', 1))).toEqual(['user_quota'])
  })

  it('are brought once under an id, also by two replicas at the same moment', async () => {
    const { account } = await openPayer()
    const other = await suite.openEngine()
    await write(`insert into imported (source, kind, source_id, target_id, mark, digest, step, pending)
      values ('elsewhere', 'user', 1, 1, '', '', 1, 5000)`)
    const move = testMove({ requestId: 'import-elsewhere-user-1-1', kind: 'import', account, amount: mqFromQuota(5) })
    const answers = await Promise.all([
      suite.engine.apply([move], 'r1'),
      other.apply([{ ...move, at: move.at + 1 }], 'r2'),
    ])
    expect(answers.flatMap(({ outcomes }) => outcomes.map(outcomeName)).sort()).toEqual(['done', 'stale'])
    expect(await suite.read(`select posted from account where kind = 'user'`)).toEqual([{ posted: mqFromQuota(5) }])
  })

  it('recognise their own effect when a batch of uncertain outcome is applied again', async () => {
    const payer = await openPayer()
    await bring(payer, -5)
    const { account } = payer
    const move = testMove({ requestId: 'import-elsewhere-user-1-1', kind: 'import', account, amount: mqFromQuota(-5) })
    const again = await suite.engine.apply([move, move], 'r1', { again: true })
    expect(again.outcomes.map(outcomeName)).toEqual(['done', 'stale'])
    expect((await availableOf(suite.engine, payer)).user).toBe(mqFromQuota(-5))
  })

  it('are added, never set, and go to users only', async () => {
    const { account, limitAccount } = await openPayer()
    const move = testMove({ requestId: 'x', kind: 'import', account, amount: mqFromQuota(5) })
    expect(await suite.apply({ ...move, mode: 'set' }, { ...move, account: limitAccount })).toEqual([
      'invalid',
      'invalid',
    ])
  })

  it('are refused when the equity could not have given them', { tags: 'S24' }, async () => {
    const [first, second] = [await openPayer(1), await openPayer(2)]
    expect(await bring(first, Number.MAX_SAFE_INTEGER)).toBe('done')
    expect(await bring(second, Number.MAX_SAFE_INTEGER)).toBe('out_of_range')
    expect((await availableOf(suite.engine, second)).user).toBe(0n)
  })

  it('are proved at every moment of an import that ends without notice', async () => {
    const payer = await openPayer()
    await bring(payer, 50)
    await write('update imported set step = step + 1, pending = 7000')
    expect(await broken()).toEqual([])
    const { account } = payer
    await suite.apply(testMove({ requestId: 'import-elsewhere-user-1-2', kind: 'import', account, amount: mq(7_000n) }))
    expect(await broken()).toEqual([])
    await write('update imported set brought = brought + pending, pending = null')
    expect(await broken()).toEqual([])
  })

  it.each<[string, string, string]>([
    [
      'an amount that is not noted',
      'update imported set brought = brought - 1',
      'update imported set brought = brought + 1',
    ],
    [
      'an amount that was never transferred',
      `update imported set brought = 1 where source_id = 2`,
      `update imported set brought = 0 where source_id = 2`,
    ],
    [
      'a transfer that nothing names',
      `update imported set source_id = 9 where source_id = 1`,
      `update imported set source_id = 1 where source_id = 9`,
    ],
    [
      'a transfer of another user',
      `update imported set target_id = 2 where source_id = 1`,
      `update imported set target_id = 1 where source_id = 1`,
    ],
    [
      'a gift from the equity',
      `update transfer set kind = 'gift' where kind = 'import'`,
      `update transfer set kind = 'import' where kind = 'gift' and request_id like 'import%'`,
    ],
    [
      'a transfer under the id of no import',
      `update transfer set request_id = 'import-' where kind = 'import'`,
      `update transfer set request_id = 'import-elsewhere-user-1-1' where kind = 'import'`,
    ],
  ])('are proved: %s is found', async (_, wrong, right) => {
    await bring(await openPayer(1), 50)
    await bring(await openPayer(2), 0)
    expect(await broken()).toEqual([])
    await write(wrong)
    expect(await broken()).toEqual(['I13'])
    await write(right)
  })

  it('are proved: one that came from the issuance is found, however well the balances agree', async () => {
    await bring(await openPayer(1, 10), 50)
    const from = async (paying: number, spared: number) => {
      const system = (owner: number) => `(select id from account where kind = 'system' and owner_id = ${owner})`
      await write(`update account set posted = posted - 50000 where id = ${system(paying)}`)
      await write(`update account set posted = posted + 50000 where id = ${system(spared)}`)
      await write(`update transfer set debit = ${system(paying)} where kind = 'import'`)
    }
    await from(1, 3)
    expect(await broken()).toEqual(['I13'])
    await from(3, 1)
  })
})
