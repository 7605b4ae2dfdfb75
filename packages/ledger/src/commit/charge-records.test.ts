import { brokenInvariants } from '@sluice/testkit/ledger-engine'
import { openTestPayer, testSettlement, type TestPayer } from '@sluice/testkit/ledger-operations'
import { openLedgerOnSqlite, type LedgerOnSqlite } from '@sluice/testkit/ledger-sqlite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { LedgerEngine } from '../engine.ts'
import type { Settlement } from '../operation.ts'
import { writeTrace } from '../settlement-values.ts'
import { chargeRecords, type LeftSettlements } from './charge-records.ts'

let books: LedgerOnSqlite
let engine: LedgerEngine
let payer: TestPayer
let uncharged: string[]

beforeAll(() => {
  books = openLedgerOnSqlite()
})
beforeEach(async () => {
  books.empty()
  engine = books.openEngine()
  payer = await openTestPayer(engine, 'setup', { userId: 1, tokenId: 1, quota: 1_000, limit: 1_000 })
  uncharged = []
})
afterEach(async () => {
  expect(await brokenInvariants(books.read, 0)).toEqual([])
})
afterAll(() => books.close())

/** Charges `tens` × 10 quota. */
const settlement = (requestId: string, tens: number): Settlement => testSettlement(payer, requestId, tens)

/** A settlement that can be read but that no row can hold. */
function refused(requestId: string): Settlement {
  const whole = settlement(requestId, 1)
  return { ...whole, trace: { ...whole.trace, url: null as unknown as string } }
}

/** Records with these texts, numbered from 1. */
function records(...texts: readonly string[]): LeftSettlements {
  return { found: texts.map((text, i) => ({ number: i + 1, text })), lost: [], setAside: [] }
}

const recordsOf = (...settlements: readonly Settlement[]) => records(...settlements.map((each) => recordOf(each)))

/** A record of the previous version, or of the one before sessions: 64-bit integers are texts. */
function recordOf(given: Settlement, version: 1 | 2 = 2): string {
  const { price, tokens, log, trace } = given
  const { rates } = price
  const values: unknown[] = [version, given.requestId, given.account, given.limitAccount, given.amount]
  values.push(rates.input, rates.cachedInput, rates.cacheWrite5m, rates.cacheWrite1h, rates.output, rates.units)
  values.push(price.groupRatio, price.source, tokens.input, tokens.cachedInput, tokens.cacheWrite5m)
  values.push(tokens.cacheWrite1h, tokens.output, tokens.reasoning, tokens.units)
  values.push(given.userId, given.tokenId, given.channelId, given.model, log.createdAt, log.username, log.tokenName)
  values.push(log.channelName, log.originModel, log.elapsedMs, log.isStream, log.estimated, log.ended, log.content)
  values.push(log.unlogged === true)
  if (version === 2) values.push(log.session, log.client)
  writeTrace(values, trace)
  return JSON.stringify(values, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
}

async function replay(left: LeftSettlements, on = engine): Promise<void> {
  await chargeRecords(left, on, 'r2', (sentence) => uncharged.push(sentence))
}

/** Posted amounts by request, in quota: the charge, then its correction. */
async function posted(): Promise<Record<string, readonly string[]>> {
  const rows = await books.read(
    `select request_id, group_concat(kind || ' ' || (amount / 1000), ', ') as steps
     from (select * from transfer where kind in ('consume', 'adjust', 'refund') order by kind = 'consume' desc)
     group by request_id order by request_id`,
  )
  return Object.fromEntries(rows.map(({ request_id, steps }) => [request_id, String(steps).split(', ')]))
}

async function charged(): Promise<Record<string, true>> {
  const rows = await books.read('select request_id from log')
  return Object.fromEntries(rows.map(({ request_id }) => [request_id, true]))
}

/** An engine whose commits fail with this extended SQLite result code, from commit number `from` on. */
function failing(errcode: number, from = 1): LedgerEngine {
  let commits = 0
  return {
    ...engine,
    apply: async (...batch) => {
      commits += 1
      if (commits >= from) throw Object.assign(new Error('SQLite says no'), { errcode })
      return await engine.apply(...batch)
    },
  }
}

describe('after a restart', () => {
  it('what was recorded and not applied is charged once', async () => {
    const left = recordsOf(settlement('a', 1), settlement('b', 2))
    await replay(left)
    await replay(left)
    expect([await posted(), uncharged]).toEqual([{ a: ['consume 10'], b: ['consume 20'] }, []])
  })

  it.each([1, 2] as const)('a record of version %i leaves the whole log row and the timeline', async (version) => {
    const given = settlement('a', 1)
    const log = {
      ...given.log,
      elapsedMs: 900,
      isStream: true,
      ended: 'client_gone',
      content: 'price',
      client: 'codex',
    }
    await replay(records(recordOf({ ...given, log }, version)))
    const columns = 'username, token_name, channel_name, elapsed_ms, is_stream, estimated, ended, content, client'
    const rows = await books.read(
      `select ${columns}, log.request_id, url, completed_ms from log join trace using (request_id)`,
    )
    expect(rows.map((row) => Object.values(row).map(String).join(' | '))).toEqual([
      `user 1 | token 1 | channel 1 | 900 | 1 | 0 | client_gone | price | ${version === 1 ? '' : 'codex'} | a | /v1/chat/completions | 1763640000800`,
    ])
  })

  it('what was applied before is not charged again', async () => {
    await engine.apply([{ op: 'settle', settlement: settlement('a', 1) }], 'r1')
    await replay(recordsOf(settlement('a', 1), settlement('b', 2)))
    expect(await posted()).toEqual({ a: ['consume 10'], b: ['consume 20'] })
  })

  it('one refused record at the end does not keep the process from starting', async () => {
    await replay(recordsOf(refused('bad')))
    expect([await posted(), uncharged.length]).toEqual([{}, 1])
  })

  it('one refused record does not keep the others out', async () => {
    await replay(recordsOf(settlement('a', 1), refused('bad'), settlement('b', 2)))
    expect([await posted(), uncharged]).toEqual([
      { a: ['consume 10'], b: ['consume 20'] },
      [expect.stringMatching(/^the recorded charge of request bad, 10000 mq, cannot be made: .*NOT NULL/)],
    ])
  })

  it.each([
    ['a full disk', 13],
    ['a busy database', 5],
    ['a failed read of the disk', 266],
    ['a failed write to the disk', 778],
    ['a read-only file', 8],
    ['a damaged file', 11],
    ['no memory', 7],
  ])('%s is no fault of a record: the start is refused, and the next one charges all', async (_, errcode) => {
    const left = recordsOf(settlement('a', 1), settlement('b', 2))
    await expect(replay(left, failing(errcode))).rejects.toThrow('SQLite says no')
    expect([await posted(), uncharged]).toEqual([{}, []])
    await replay(left)
    expect([await posted(), uncharged]).toEqual([{ a: ['consume 10'], b: ['consume 20'] }, []])
  })

  it('a disk that is full only while records are tried one by one refuses the start, too', async () => {
    const left = recordsOf(refused('bad'), settlement('a', 1))
    let commits = 0
    const full: LedgerEngine = {
      ...engine,
      apply: async (batch, ...rest) => {
        commits += 1
        if (commits === 3) throw Object.assign(new Error('database or disk is full'), { errcode: 13 })
        return await engine.apply(batch, ...rest)
      },
    }
    await expect(replay(left, full)).rejects.toThrow('database or disk is full')
    expect(await posted()).toEqual({})
    await replay(left)
    expect(await posted()).toEqual({ a: ['consume 10'] })
  })

  it('a start that ends in the middle is repeated, and charges the rest', async () => {
    const names = Array.from({ length: 300 }, (_, i) => `r${i}`)
    const left = recordsOf(...names.map((name) => settlement(name, 0)))
    await expect(replay(left, failing(13, 2))).rejects.toThrow('SQLite says no')
    expect(Object.keys(await charged()).length).toBe(256)
    await replay(left)
    expect([Object.keys(await charged()).length, uncharged]).toEqual([300, []])
  })

  it('a record that a later one of its request replaces is charged by the later one, wherever a start ends', async () => {
    const names = Array.from({ length: 256 }, (_, i) => `r${i}`)
    const left = recordsOf(settlement('a', 1), ...names.map((name) => settlement(name, 0)), settlement('a', 2))
    await expect(replay(left, failing(13, 2))).rejects.toThrow('SQLite says no')
    await replay(left)
    expect((await posted())['a']).toEqual(['consume 20'])
  })
})
