import type { LedgerEngine } from '@sluice/ledger/engine'
import { listLedgerChecks } from '@sluice/store/queries/ledger/ledger-checks'
import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { openTestLedgerEngine } from '@sluice/testkit/ledger-engine'
import {
  openTestPayer,
  type TestPayer,
  testHold,
  testSettlement,
  TEST_SECONDS,
} from '@sluice/testkit/ledger-operations'
import { type ManualTimers, openManualTimers } from '@sluice/testkit/manual-timers'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Notice } from '../messages/mail.ts'
import { type LedgerChecks, openLedgerChecks } from './ledger-checks.ts'

const DAY_MS = 86_400_000
const START = TEST_SECONDS * 1_000

describe.each(databaseEngines)('verifications of the ledger on %s', (name) => {
  let database: TestDatabase
  let engine: LedgerEngine
  let payer: TestPayer
  let timers: ManualTimers
  let checks: LedgerChecks
  let notices: Notice[]
  let failures: object[]

  beforeAll(async () => {
    database = await openTestDatabase(name)
  })
  beforeEach(async () => {
    await database.reset()
    engine = await openTestLedgerEngine(database)
    await engine.heartbeat('r1')
    payer = await openTestPayer(engine, 'r1', { userId: 1, tokenId: 1, quota: 1_000, limit: 500 })
    timers = openManualTimers(START + 10 * DAY_MS)
    notices = []
    failures = []
    checks = open('r1')
  })
  afterEach(async () => {
    await checks.close()
    await engine.close()
    expect(failures).toEqual([])
  })
  afterAll(() => database.close())

  const open = (replica: string, hour?: number): LedgerChecks =>
    openLedgerChecks({
      database,
      replica,
      hour,
      now: () => timers.now(),
      timers,
      notify: async (notice) => void notices.push(notice),
      log: { info: () => {}, error: (fields) => void failures.push(fields) },
    })
  const list = async () => (await listLedgerChecks(database.kysely, { limit: 20, offset: 0 }, timers.now())).rows
  const latest = async () => (await list())[0]
  const ended = async () => {
    await expect.poll(async () => (await latest())?.outcome, { timeout: 10_000 }).not.toBe('running')
    return await latest()
  }
  const run = async (mode: 'incremental' | 'full' | 'reprice' = 'incremental') => {
    await expect.poll(() => checks.start({ mode, startedBy: 1 }), { timeout: 10_000 }).toBeTypeOf('number')
    return await ended()
  }
  /** `notify` is called just after the outcome can be read. */
  const expectNotified = () => expect.poll(() => failures.splice(0)).toHaveLength(1)
  /** One charged request, `day` days after the start. */
  const charge = async (day: number, serial = 0): Promise<void> => {
    const at = START + day * DAY_MS
    const id = `${at.toString(16).padStart(12, '0')}7000${String(serial).padStart(16, '0')}`
    const settlement = testSettlement(payer, id, 1)
    await engine.apply([testHold(payer, id, 20, at)], 'r1')
    await engine.apply(
      [{ op: 'settle', settlement: { ...settlement, log: { ...settlement.log, createdAt: at / 1_000 } } }],
      'r1',
    )
  }
  const change = (text: string) => sql.raw(text).execute(database.kysely)
  const wrongOf = (row: Awaited<ReturnType<typeof latest>>) =>
    row?.results.filter(({ firstWrong }) => firstWrong !== null).map(({ invariant }) => invariant)
  const checkedOf = (row: Awaited<ReturnType<typeof latest>>, invariant: string) =>
    row?.results.find((result) => result.invariant === invariant)?.checked

  it('store what they found, and next time count only what is new', async () => {
    for (const day of [0, 1, 2, 9]) await charge(day)
    const first = await run()
    expect(first).toMatchObject({ outcome: 'sound', since: '', startedBy: 1 })
    expect(checkedOf(first, 'I8')).toBe(4)
    await charge(10)
    const second = await run()
    expect(second?.outcome).toBe('sound')
    // Each verification counts the last day before the previous one again.
    expect(checkedOf(second, 'I8')).toBe(2)
    expect(second?.results.some(({ recounted }) => recounted)).toBe(false)
  })

  it('count everything when asked to, or compute every price', async () => {
    for (const day of [0, 1, 2]) await charge(day)
    await run()
    const full = await run('full')
    expect([full?.since, checkedOf(full, 'I5'), checkedOf(full, 'I8')]).toEqual(['', 3, 3])
    const priced = await run('reprice')
    expect([checkedOf(priced, 'I5'), checkedOf(priced, 'I8')]).toEqual([0, 3])
  })

  it('say which row is wrong, and notify the operators', async () => {
    await charge(9)
    await change(`update account set posted = posted + 1 where kind = 'user'`)
    const check = await run()
    expect([check?.outcome, wrongOf(check)]).toEqual(['wrong', ['I1', 'I10']])
    expect(JSON.parse(check?.results.find(({ invariant }) => invariant === 'I1')?.firstWrong ?? '')).toMatchObject({
      kind: 'user',
      owner_id: '1',
    })
    await expect.poll(() => notices).toEqual([{ kind: 'books_wrong', invariants: ['I1', 'I10'] }])
    await expectNotified()
  })

  it('leave no checkpoint when the ledger is wrong', async () => {
    await charge(1)
    await change(`update account set spent = spent + 1 where kind = 'user'`)
    await run()
    expect(await database.kysely.selectFrom('account_checkpoint').selectAll().execute()).toEqual([])
    await expectNotified()
  })

  it('count everything again when a charge came late, before reporting it as wrong', async () => {
    await charge(1)
    await charge(9)
    await run()
    await charge(1, 1)
    const check = await run()
    expect([check?.outcome, check?.results.find(({ invariant }) => invariant === 'I1')?.recounted]).toEqual([
      'sound',
      true,
    ])
    expect((await run())?.results.some(({ recounted }) => recounted)).toBe(false)
  })

  it('give the same answers without checkpoints', async () => {
    for (const day of [0, 1, 9]) await charge(day)
    await run()
    await change('delete from account_checkpoint')
    expect(await run()).toMatchObject({ outcome: 'sound' })
    await change('delete from account_checkpoint')
    await change(`update account set spent = spent - 1 where kind = 'token'`)
    expect(wrongOf(await run())).toEqual(['I3'])
    await expectNotified()
  })

  it('count everything when a wrong clock has left a checkpoint in the future', async () => {
    await charge(1)
    await change(`insert into ledger_check (mode, started_by, epoch, begun_ms, ended_ms, outcome, since_id, bound)
      values ('full', 1, 0, 1, 2, 'sound', '', '${(START + 99 * DAY_MS).toString(16).padStart(12, '0')}')`)
    const check = await run()
    expect([check?.outcome, check?.since, checkedOf(check, 'I8')]).toEqual(['sound', '', 1])
    expect((await run())?.since).not.toBe('')
  })

  it('keep one checkpoint, the newest', async () => {
    await charge(1)
    await run()
    await timers.advance(DAY_MS)
    const second = await run()
    await expect
      .poll(async () => await database.kysely.selectFrom('account_checkpoint').select('check_id').distinct().execute())
      .toEqual([{ check_id: second?.id }])
  })

  it('run one at a time', async () => {
    const other = open('r2')
    const started = await Promise.all([
      checks.start({ mode: 'full', startedBy: 1 }),
      other.start({ mode: 'full', startedBy: 2 }),
      other.start({ mode: 'full', startedBy: 2 }),
    ])
    expect(started.filter((id) => id === 'busy')).toHaveLength(2)
    await ended()
    await other.close()
  })

  it('run at night, by one replica', async () => {
    const replicas = [open('r2', 3), open('r3', 3)]
    await timers.advance(600_000)
    await expect.poll(async () => (await list()).length, { timeout: 10_000 }).toBeGreaterThan(0)
    await ended()
    await timers.advance(3_600_000)
    expect(await list()).toMatchObject([{ mode: 'full', startedBy: 0, outcome: 'sound' }])
    await timers.sleep(DAY_MS)
    await expect.poll(async () => (await list()).length, { timeout: 10_000 }).toBeGreaterThan(1)
    await ended()
    expect((await list()).map(({ mode, outcome }) => [mode, outcome])).toEqual([
      ['incremental', 'sound'],
      ['full', 'sound'],
    ])
    await Promise.all(replicas.map((each) => each.close()))
  })

  it('that cannot be done say so, and the next one can run', async () => {
    await change('alter table redemption rename to hidden')
    expect(await run()).toMatchObject({ outcome: 'failed', results: { length: name === 'sqlite' ? 7 : 6 } })
    await change('alter table hidden rename to redemption')
    await expect.poll(() => failures.splice(0)).toMatchObject([{ error: expect.any(Error) }])
    expect(await run()).toMatchObject({ outcome: 'sound' })
  })

  it('that lost their lease no longer change anything', async () => {
    await charge(1)
    await change(`insert into lease (job, owner, epoch, until_ms) values ('ledger-check', 'other', 7, 0)`)
    await checks.start({ mode: 'full', startedBy: 1 })
    await change(`update lease set epoch = 99, owner = 'newer' where job = 'ledger-check'`)
    await checks.close()
    const [check] = await database.kysely.selectFrom('ledger_check').select(['outcome', 'bound']).execute()
    expect(check).toEqual({ outcome: 'running', bound: '' })
    expect(await latest()).toMatchObject({ outcome: 'stopped' })
  })
})
