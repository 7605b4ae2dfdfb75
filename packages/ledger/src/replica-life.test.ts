import { openSqliteBooks, type SqliteBooks } from '@sluice/testkit/ledger-sqlite'
import { type ManualTimers, openManualTimers } from '@sluice/testkit/manual-timers'
import { openTestLedger } from '@sluice/testkit/test-ledger'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { LedgerEngine } from './engine.ts'
import type { Ledger } from './ledger.ts'

describe('a replica beside another', () => {
  let books: SqliteBooks
  let engine: LedgerEngine
  let timers: ManualTimers
  beforeAll(() => {
    books = openSqliteBooks()
  })
  beforeEach(() => {
    books.empty()
    engine = books.openEngine()
    timers = openManualTimers()
  })
  afterAll(() => books.close())

  const open = (through = engine): Promise<Ledger> => openTestLedger({ engine: through, timers, alone: false })
  /** As seen by the database's clock. */
  const silent = (replica: string) =>
    books.read(`update replica set heartbeat_ms = heartbeat_ms - 70000 where id = '${replica}' returning id`)
  const isDead = async (replica: string) =>
    (await books.read(`select dead from replica where id = '${replica}'`))[0]?.['dead']

  it('S45 takes it for dead after its silence, when it was itself heard all the while', async () => {
    await engine.heartbeat('other')
    const ledger = await open()
    await timers.advance(30_000)
    await silent('other')
    await timers.advance(25_000)
    expect(await isDead('other')).toBe(0)
    await timers.advance(60_000)
    expect(await isDead('other')).toBe(1)
    await ledger.close()
  })

  it('S45 gives it a minute to speak when the database was away for both, or the machine slept', async () => {
    await engine.heartbeat('other')
    let isAway = false
    const away = () => Promise.reject(new Error('the database is away'))
    const ledger = await open({
      ...engine,
      heartbeat: (replica) => (isAway ? away() : engine.heartbeat(replica)),
      recover: (options) => (isAway ? away() : engine.recover(options)),
    })
    await timers.advance(90_000)
    for (const goAway of [() => timers.advance(70_000), () => timers.sleep(70_000)]) {
      isAway = true
      await goAway()
      await silent('other')
      isAway = false
      await timers.advance(20_000)
      expect(await isDead('other')).toBe(0)
      await engine.heartbeat('other')
      await timers.advance(90_000)
      expect(await isDead('other')).toBe(0)
    }
    await ledger.close()
  })

  it('S45 declares nobody dead at its start', async () => {
    await engine.heartbeat('other')
    await silent('other')
    const ledger = await open()
    expect(await isDead('other')).toBe(0)
    await ledger.close()
  })
})
