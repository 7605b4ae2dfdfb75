import { randomUUIDv7 } from 'node:crypto'
import type { LedgerEngine } from '@sluice/ledger/engine'
import type { Operation } from '@sluice/ledger/operation'
import { mqFromQuota } from '@sluice/ledger/units'
import { type TestPayer, testMove } from '@sluice/testkit/ledger-operations'
import { percentile } from '../statistics.ts'
import type { LoadedLedger } from './books.ts'

/** The result of one run of `drive`. A request is a hold and its charge, each on disk. */
export interface Throughput {
  readonly requests: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

const QUOTA = 1_000_000_000_000

/** Adds users with a token each, both with enforced limits that no bench uses up. */
export async function openPayers(engine: LedgerEngine, count: number): Promise<readonly TestPayer[]> {
  const ids = Array.from({ length: count }, (_, at) => at + 1)
  const { outcomes } = await engine.apply(
    ids.flatMap((owner): Operation[] => [
      { op: 'account', id: { kind: 'user', owner }, unlimited: false },
      { op: 'account', id: { kind: 'token', owner }, unlimited: false },
    ]),
    'bench',
  )
  const accounts = outcomes.map((each) => (each.outcome === 'account' ? each.account : 0))
  const payers = ids.map((id, at) => {
    return { userId: id, tokenId: id, account: accounts[at * 2] ?? 0, limitAccount: accounts[at * 2 + 1] ?? 0 }
  })
  const amount = mqFromQuota(QUOTA)
  await engine.apply(
    payers.flatMap(({ userId, account, limitAccount }) => [
      testMove({ requestId: `gift-${userId}`, kind: 'gift', account, amount }),
      testMove({ requestId: `limit-${userId}`, kind: 'limit-set', account: limitAccount, amount }),
    ]),
    'bench',
  )
  return payers
}

/** Keeps `inFlight` requests in progress for this long, each for the next payer. */
export async function drive(
  books: LoadedLedger,
  payers: readonly TestPayer[],
  { inFlight, seconds }: { readonly inFlight: number; readonly seconds: number },
): Promise<Throughput> {
  const latencies: number[] = []
  const started = performance.now()
  const until = started + seconds * 1_000
  let next = 0
  await Promise.all(
    Array.from({ length: inFlight }, async (_, slot) => {
      while (performance.now() < until) {
        const payer = payers[next++ % payers.length]
        if (payer === undefined) throw new Error('nobody pays')
        const begun = performance.now()
        await books.request(slot, payer, randomUUIDv7().replaceAll('-', ''))
        latencies.push(performance.now() - begun)
      }
    }),
  )
  const tookSeconds = (performance.now() - started) / 1_000
  return {
    requests: latencies.length,
    perSecond: latencies.length / tookSeconds,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
  }
}
