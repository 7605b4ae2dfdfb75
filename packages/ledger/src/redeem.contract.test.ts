import { databaseEngines } from '@sluice/testkit/databases'
import {
  availableOf,
  openTestPayer,
  testCode,
  testMove,
  testRedeem,
  testUsedCode,
} from '@sluice/testkit/ledger-operations'
import { useLedger } from '@sluice/testkit/ledger-suite'
import { outcomeName } from '@sluice/testkit/outcome-name'
import { describe, expect, it } from 'vitest'
import { mqFromQuota } from './units.ts'

describe.each(databaseEngines)('redemption codes on %s', (name) => {
  const suite = useLedger(name)
  const openPayer = (userId: number, quota = 0) => openTestPayer(suite.engine, 'r1', { userId, tokenId: userId, quota })
  const addCode = async (id: number, quota: number, status = 1): Promise<void> => {
    await suite.database.kysely
      .insertInto('redemption')
      .values({ ...testCode(id, quota), status })
      .execute()
  }
  const codes = () =>
    suite.database.kysely.selectFrom('redemption').select(['id', 'status', 'redeemed_by', 'redeemed_ms']).execute()

  it('pay their own amount once, and record who used them and when, with a log row, in one commit', async () => {
    const payer = await openPayer(1)
    await addCode(7, 5)
    const redeem = testRedeem(payer, 7)
    const { outcomes } = await suite.engine.apply([redeem, { ...redeem, at: redeem.at + 1 }], 'r1')
    expect(outcomes).toEqual([{ outcome: 'redeemed', amount: 5_000n }, { outcome: 'stale' }])
    expect(await codes()).toEqual([{ id: 7, status: 3, redeemed_by: 1, redeemed_ms: redeem.at }])
    expect((await availableOf(suite.engine, payer)).user).toBe(mqFromQuota(5))
    expect(await suite.read('select type, username, amount, content from log')).toEqual([
      { type: 1, username: 'user 1', amount: 5_000n, content: 'redeemed' },
    ])
  })

  it('pay one of two users who redeem at the same moment through two replicas', async () => {
    const first = await openPayer(1)
    const second = await openPayer(2)
    await addCode(7, 5)
    const other = await suite.openEngine()
    const answers = await Promise.all([
      suite.engine.apply([testRedeem(first, 7)], 'r1'),
      other.apply([testRedeem(second, 7)], 'r2'),
    ])
    expect(answers.flatMap(({ outcomes }) => outcomes.map(outcomeName)).sort()).toEqual(['redeemed', 'stale'])
  })

  it('pay nothing when they are disabled, used or unknown', async () => {
    const payer = await openPayer(1)
    await addCode(7, 5, 2)
    expect(await suite.apply(testRedeem(payer, 7), testRedeem(payer, 8))).toEqual(['stale', 'stale'])
    expect((await availableOf(suite.engine, payer)).user).toBe(0n)
    expect(await codes()).toMatchObject([{ status: 2, redeemed_by: 0 }])
  })

  it('pay nothing once they have expired, whenever that was said', async () => {
    const payer = await openPayer(1)
    await addCode(7, 5)
    const redeem = testRedeem(payer, 7)
    const expire = (at: number) =>
      suite.database.kysely.updateTable('redemption').set({ expired_time: at }).where('id', '=', 7).execute()
    await expire(redeem.at / 1_000)
    expect(await suite.apply(redeem)).toEqual(['stale'])
    await expire(redeem.at / 1_000 + 1)
    expect(await suite.apply(redeem)).toEqual(['redeemed'])
  })

  it('pay nothing when they were used at another gateway', async () => {
    const payer = await openPayer(1)
    await suite.database.kysely.insertInto('redemption').values(testUsedCode(7, 5)).execute()
    expect(await suite.apply(testRedeem(payer, 7))).toEqual(['stale'])
  })

  it('pay nothing to a caller who read them before an administrator changed them', { tags: 'S12' }, async () => {
    const payer = await openPayer(1)
    await addCode(7, 5)
    await suite.database.kysely.updateTable('redemption').set({ altered_by: 3 }).where('id', '=', 7).execute()
    expect(await suite.apply({ ...testRedeem(payer, 7), alteredBy: 0 })).toEqual(['stale'])
    expect(await codes()).toMatchObject([{ status: 1 }])
    expect(await suite.apply({ ...testRedeem(payer, 7), alteredBy: 3 })).toEqual(['redeemed'])
  })

  it('recognise their own effect when a batch of uncertain outcome is applied again, and no other’s', async () => {
    const [first, second] = [await openPayer(1), await openPayer(2)]
    await addCode(7, 5)
    const batch = [testRedeem(first, 7)]
    await suite.engine.apply(batch, 'r1')
    const again = await suite.engine.apply([...batch, ...batch, testRedeem(second, 7)], 'r1', { again: true })
    expect(again.outcomes.map(outcomeName)).toEqual(['redeemed', 'stale', 'stale'])
    expect((await availableOf(suite.engine, first)).user).toBe(mqFromQuota(5))
  })

  it('of quota zero are used up like any other', async () => {
    const payer = await openPayer(1)
    await addCode(7, 0)
    expect(await suite.apply(testRedeem(payer, 7), testRedeem(payer, 7))).toEqual(['redeemed', 'stale'])
  })

  it('stay unused when the balance cannot hold their amount', { tags: 'S24' }, async () => {
    const payer = await openPayer(1, Number.MAX_SAFE_INTEGER)
    await addCode(7, Number.MAX_SAFE_INTEGER)
    expect(await suite.apply(testRedeem(payer, 7))).toEqual(['out_of_range'])
    expect(await codes()).toMatchObject([{ status: 1 }])
  })

  it('pay user accounts only', async () => {
    const payer = await openPayer(1)
    await addCode(7, 5)
    expect(await suite.apply(testRedeem({ ...payer, account: payer.limitAccount }, 7))).toEqual(['invalid'])
    expect(
      await suite.apply(testMove({ requestId: 'x', kind: 'gift', account: payer.account, amount: mqFromQuota(1) })),
    ).toEqual(['done'])
  })
})
