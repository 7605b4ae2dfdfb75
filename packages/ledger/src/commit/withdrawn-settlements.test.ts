import { brokenInvariants } from '@sluice/testkit/ledger-engine'
import { openTestPayer, testSettlement, testTrace } from '@sluice/testkit/ledger-operations'
import { openLedgerOnSqlite } from '@sluice/testkit/ledger-sqlite'
import { openManualTimers, untilIdle } from '@sluice/testkit/manual-timers'
import { openTestLedger } from '@sluice/testkit/test-ledger'
import { expect, test } from 'vitest'
import { mqFromQuota } from '../units.ts'

/** A ledger with holds of these names, over an engine whose commits pass through `gate` first. */
async function openWithHolds(names: readonly string[]) {
  const books = openLedgerOnSqlite()
  const engine = books.openEngine()
  const timers = openManualTimers()
  const payer = await openTestPayer(engine, 'setup', { userId: 1, tokenId: 1, quota: 1_000, limit: 100 })
  const gate = { pass: () => {} }
  const ledger = await openTestLedger({
    engine: {
      ...engine,
      apply: async (batch, replica, again) => {
        gate.pass()
        return await engine.apply(batch, replica, again)
      },
    },
    timers,
    onFailure: () => {},
  })
  const { account, limitAccount } = payer
  for (const requestId of names) {
    await ledger.hold({ requestId, account, limitAccount, amount: mqFromQuota(10), durable: true })
  }
  const close = async () => {
    expect(await brokenInvariants(books.read, 0)).toEqual([])
    books.close()
  }
  return { books, timers, payer, gate, ledger, close }
}

test('a settlement can be taken back while the database is away, and the right one submitted instead', async () => {
  const { books, timers, payer, gate, ledger, close } = await openWithHolds(['tried', 'queued', 'kept'])
  gate.pass = () => {
    throw new Error('database away')
  }
  const tried = ledger.settle(testSettlement(payer, 'tried', 1))
  const kept = ledger.settle(testSettlement(payer, 'kept', 1))
  await untilIdle()
  const queued = ledger.settle(testSettlement(payer, 'queued', 1))
  for (const id of ['tried', 'queued', 'nobody']) ledger.withdraw(id)
  await timers.advance(1_000)
  expect([await tried, await queued]).toEqual(['in_doubt', 'withdrawn'])
  const again = [ledger.settle(testSettlement(payer, 'tried', 0)), ledger.void('queued', testTrace(payer, 'queued'))]
  gate.pass = () => {}
  await timers.advance(10_000)
  expect(await kept).toBe('charged')
  await Promise.all(again)
  expect(await books.read('select request_id from hold')).toEqual([])
  expect(await books.read("select request_id, amount from transfer where kind = 'consume' order by 1")).toEqual([
    { request_id: 'kept', amount: 10_000n },
    { request_id: 'tried', amount: 0n },
  ])
  await close()
})

test('a settlement stays if its commit goes through, although it was taken back meanwhile', async () => {
  const { payer, gate, ledger, close } = await openWithHolds(['a'])
  gate.pass = () => ledger.withdraw('a')
  expect(await ledger.settle(testSettlement(payer, 'a', 1))).toBe('charged')
  await close()
})
