import type { HoldAnswer } from '@sluice/ledger/ledger'
import { type Mq, mq } from '@sluice/ledger/units'
import { expect, test } from 'vitest'
import { plainCounts } from '../calls/parsed-call.ts'
import type { Beating } from '../client/pulse.ts'
import type { Candidate, Reserved } from '../stages/planned.ts'
import { openPlainWatch } from './watch-plain.ts'

const NANO = 1_000_000_000n
const rates = { input: NANO, cachedInput: NANO, cacheWrite5m: NANO, cacheWrite1h: NANO, output: NANO }
/** On the pulse's clock, which has no date. */
const START = 1_000_000
const RECEIVED = Date.UTC(2026, 10, 22)
const candidateAt = (groupRatio: bigint) =>
  ({ quote: { rates, tiers: [], source: 'channel' }, groupRatio }) as unknown as Candidate

interface Given {
  readonly stream?: boolean
  readonly open?: boolean
  readonly hasText?: boolean
  readonly pending?: Promise<undefined>
  readonly answer?: HoldAnswer | Error
  readonly groupRatio?: bigint
}

/** A plain request with 16 prompt tokens at most and 500 quota held; every token costs one quota point. */
function waiting({
  stream = false,
  open = true,
  hasText = true,
  pending,
  answer = 'held',
  groupRatio = 1_000_000n,
}: Given = {}) {
  const extended: Mq[] = []
  const failures: unknown[] = []
  const members = new Set<Beating>()
  const hold = { amount: mq(groupRatio === 0n ? 0n : 500_000n), open, pending }
  const parsed = { stream, hasText, bound: () => ({ counts: plainCounts(16, 0), open }) }
  const reserved = { accepted: { id: 'r1', received: RECEIVED }, parsed, hold }
  const deps = {
    ledger: {
      extend: async (_: string, amount: Mq) => {
        extended.push(amount)
        if (answer instanceof Error) throw answer
        return answer
      },
    },
    pulse: {
      now: () => START,
      add: (member: Beating) => {
        members.add(member)
        return () => void members.delete(member)
      },
    },
    onError: (error: unknown) => void failures.push(error),
  }
  const watch = openPlainWatch(deps, reserved as unknown as Reserved)
  if (watch !== undefined) watch.candidate = candidateAt(groupRatio)
  const pass = async (seconds: number) => {
    for (const member of members) member.beat(START + seconds * 1_000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { watch, pass, extended, failures, members, hold }
}

test('the hold of a slow plain answer grows with time, whatever the clock says', { tags: 'S45' }, async () => {
  const { pass, extended, hold } = waiting()
  await pass(3)
  expect(extended).toEqual([])
  await pass(5)
  await pass(8)
  await pass(10)
  // 516 tokens are more than 70 % of 500, 1,016 more than 70 % of 1,032.
  expect(extended).toEqual([1_032_000n, 2_064_000n])
  expect(hold.amount).toBe(2_064_000n)
})

test('an answer that is quick, bounded or streamed is not watched any longer than it runs', async () => {
  const { watch, members } = waiting()
  expect(members.size).toBe(1)
  watch?.close()
  expect(members.size).toBe(0)
  for (const given of [{ stream: true }, { open: false }, { hasText: false }]) {
    expect(waiting(given).watch).toBeUndefined()
  }
})

test('nothing is extended before the hold stands', async () => {
  const { pass, extended } = waiting({ pending: Promise.resolve(undefined) })
  await pass(60)
  expect(extended).toEqual([])
})

test('a request that costs nothing requests no extension', async () => {
  const { pass, extended } = waiting({ groupRatio: 0n })
  await pass(60)
  expect(extended).toEqual([])
})

test('after a refusal no further extension is requested, and the answer goes on', async () => {
  const { pass, extended, hold } = waiting({ answer: 'user_quota' })
  await pass(5)
  await pass(20)
  expect(extended).toHaveLength(1)
  expect(hold.amount).toBe(500_000n)
})

test('a bug in the ledger is reported and ends nothing', async () => {
  const error = new Error('planted')
  const { pass, failures } = waiting({ answer: error })
  await pass(5)
  expect(failures).toEqual([error])
})
