import { openLedgerOnSqlite, type LedgerOnSqlite } from '@sluice/testkit/ledger-sqlite'
import { type ManualTimers, openManualTimers } from '@sluice/testkit/manual-timers'
import { openTestLedger } from '@sluice/testkit/test-ledger'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { LedgerEngine } from '../engine.ts'
import type { Ledger } from '../ledger.ts'

describe('a replica next to another', () => {
  let books: LedgerOnSqlite
  let engine: LedgerEngine
  let timers: ManualTimers
  beforeAll(() => {
    books = openLedgerOnSqlite()
  })
  beforeEach(() => {
    books.empty()
    engine = books.openEngine()
    timers = openManualTimers()
  })
  afterAll(() => books.close())

  const open = (): Promise<Ledger> => openTestLedger({ engine, timers, alone: false })
  /** Lets time pass by the database's clock. */
  const pass = (column: 'heartbeat_ms' | 'started_ms', replica: string) =>
    books.read(`update replica set ${column} = ${column} - 70000 where id = '${replica}' returning id`)
  const isDead = async (replica: string) =>
    (await books.read(`select dead from replica where id = '${replica}'`))[0]?.['dead']

  it('considers it dead after its silence, if it was itself heard throughout', { tags: 'S45' }, async () => {
    await engine.heartbeat('other')
    const ledger = await open()
    await pass('heartbeat_ms', 'other')
    await timers.advance(30_000)
    expect(await isDead('other')).toBe(0)
    await pass('started_ms', 'r1')
    await timers.advance(30_000)
    expect(await isDead('other')).toBe(1)
    await ledger.close()
  })

  it('gives it time to speak when the database was away for both', { tags: 'S45' }, async () => {
    await engine.heartbeat('other')
    const ledger = await open()
    await pass('started_ms', 'r1')
    await pass('heartbeat_ms', 'r1')
    await pass('heartbeat_ms', 'other')
    await timers.advance(30_000)
    expect(await isDead('other')).toBe(0)
    await ledger.close()
  })

  it('declares no replica dead at its start', { tags: 'S45' }, async () => {
    await engine.heartbeat('other')
    await pass('heartbeat_ms', 'other')
    const ledger = await open()
    expect(await isDead('other')).toBe(0)
    await ledger.close()
  })
})
