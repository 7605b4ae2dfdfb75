// @module-tag postgres
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Ledger } from '@sluice/ledger/ledger'
import { mq } from '@sluice/ledger/units'
import { type Database, openDatabase } from '@sluice/store/database'
import { databaseTarget } from '@sluice/store/database-target'
import { readDatabaseMove } from '@sluice/store/queries/moves/database-move'
import { createPostgresDatabase } from '@sluice/testkit/postgres-databases'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openConfiguredLedger, openMigrated } from '../environment/configured.ts'
import { type Config, loadConfig } from '../environment/environment.ts'
import { MOVE_STEPS, type MoveStep } from '../move/move-data.ts'
import type { MoveReport } from '../move/move-report.ts'
import { createLog } from '../process/logger.ts'
import { moveDatabase } from './move-database.ts'

let dataDir: string
let server: { readonly url: string; readonly drop: () => Promise<void> }
const said: string[] = []
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sluice-move-'))
  server = await createPostgresDatabase('migrated')
  said.length = 0
  for (const stream of ['log', 'error'] as const) {
    vi.spyOn(console, stream).mockImplementation((line) => void said.push(String(line)))
  }
})
afterEach(async () => {
  vi.restoreAllMocks()
  await server.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const addressOf = (side: 'sqlite' | 'postgres'): string =>
  side === 'sqlite' ? `sqlite:${join(dataDir, 'sluice.db')}` : server.url

function configOf(side: 'sqlite' | 'postgres'): Config {
  const { config, problems } = loadConfig({
    SLUICE_DATA_DIR: dataDir,
    SLUICE_TAKEOVER_TIMEOUT: '0',
    SLUICE_LOG_LEVEL: 'fatal',
    DATABASE_URL: addressOf(side),
  })
  if (config === undefined) throw new Error(problems.join(' '))
  return config
}

/** Opens the database as another process that knows nothing of the move. */
async function inDatabase<T>(side: 'sqlite' | 'postgres', work: (database: Database) => Promise<T>): Promise<T> {
  const target = databaseTarget(addressOf(side), dataDir)
  if ('problem' in target) throw new Error(target.problem)
  const database = await openDatabase(target)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

const ledgerOn = (side: 'sqlite' | 'postgres', database: Database, replica: string): Promise<Ledger> =>
  openConfiguredLedger(configOf(side), database, {
    replica,
    now: Date.now,
    remindBelow: () => mq(0n),
    log: createLog('fatal'),
    onDead: () => {},
    onCharged: () => {},
  })

/** Does the work of a start on the database, and moves money once. */
async function serve(side: 'sqlite' | 'postgres', requestId: string): Promise<unknown> {
  const database = await openMigrated(configOf(side), () => {})
  try {
    const ledger = await ledgerOn(side, database, `replica ${requestId}`)
    try {
      return await grant(ledger, requestId)
    } finally {
      await ledger.close()
    }
  } finally {
    await database.close()
  }
}

async function grant(ledger: Ledger, requestId: string): Promise<unknown> {
  const account = await ledger.openAccount('user', 1, false)
  if (account === 'unavailable') return account
  const movement = { kind: 'admin-adjust', mode: 'add', amount: mq(5_000n), actor: 0, reason: 'test' } as const
  return await ledger.move({ ...movement, account, requestId })
}

async function prepare(side: 'sqlite' | 'postgres'): Promise<void> {
  expect(await serve(side, 'first')).toBe('moved')
  await inDatabase(side, async ({ kysely }) => {
    await sql`insert into "option" ("key", value) values ('Notice', 'a'), ('SystemName', 'b')`.execute(kysely)
    await sql`insert into import_position (source) values ('a'), ('b')`.execute(kysely)
  })
}

async function move(
  from: 'sqlite' | 'postgres',
  at: Readonly<Partial<Record<MoveStep, () => Promise<unknown>>>> = {},
): Promise<{ readonly code: number; readonly report: MoveReport }> {
  const json = join(dataDir, 'report.json')
  const to = addressOf(from === 'sqlite' ? 'postgres' : 'sqlite')
  const code = await moveDatabase(configOf(from), { to, json }, async (step) => void (await at[step]?.()))
  return { code, report: JSON.parse(await readFile(json, 'utf8')) as MoveReport }
}

describe.each([
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
] as const)('a move from %s to %s', (from, to) => {
  beforeEach(() => prepare(from))

  it('names each table and row in which the target differs after the last pass, and leaves the source in charge', async () => {
    const change = ({ kysely }: Database) =>
      kysely.transaction().execute(async (trx) => {
        await sql`update "option" set value = 'c' where "key" = 'Notice'`.execute(trx)
        await sql`insert into gift_receiver (digest) values ('another')`.execute(trx)
        await sql`delete from import_position where source = 'b'`.execute(trx)
        await sql`update transfer set reason = 'gift'`.execute(trx)
        await sql`update account set posted = posted + 1 where kind = 'user'`.execute(trx)
      })
    const { code, report } = await move(from, { copied: () => inDatabase(to, change) })
    expect({ code, outcome: report.outcome }).toEqual({ code: 1, outcome: 'unequal' })
    const account = report.tables.find(({ table }) => table === 'account')?.firstDifferent ?? 'none'
    const rows = {
      account,
      gift_receiver: 'another',
      import_position: 'b',
      option: 'Notice',
      transfer: 'first admin-adjust',
    }
    const sentences = Object.entries(rows).map(([table, row]) => `The table ${table} differs, first in the row ${row}.`)
    expect(report.problems.filter((problem) => problem.startsWith('The table')).toSorted()).toEqual(sentences)
    expect(report.problems).toEqual(
      expect.arrayContaining([
        '"balances of user accounts" is 5000 in the source and 5001 in the target.',
        expect.stringMatching(/^The ledger of the target violates /),
      ]),
    )
    expect(said.join('\n')).toContain(sentences[0])

    expect(await inDatabase(from, ({ kysely }) => readDatabaseMove(kysely))).toMatchObject({ left_ms: 0, to_id: '' })
    await expect(serve(to, 'second')).rejects.toThrow('is not complete')
    expect(await serve(from, 'second')).toBe('moved')
    // The next run copies later changes and repairs the rows.
    expect(await move(from)).toMatchObject({ code: 0, report: { outcome: 'moved' } })
  })

  it('lets no gateway start on either database until it is complete, also when it ends between the two marks', async () => {
    const taken: MoveStep[] = []
    const refused = async (ofSource: RegExp) => {
      await expect(serve(from, 'beside')).rejects.toThrow(ofSource)
      await expect(serve(to, 'beside')).rejects.toThrow(/is not complete|already running/)
    }
    const onStep = async (step: MoveStep) => {
      taken.push(step)
      if (step === 'copied') await refused(/is being moved|already running/)
      if (step !== 'source marked') return
      await refused(/was moved to|already running/)
      throw new Error('it ends here')
    }
    await expect(moveDatabase(configOf(from), { to: addressOf(to) }, onStep)).rejects.toThrow('it ends here')
    expect(taken.filter((step) => !step.startsWith('table '))).toEqual(MOVE_STEPS.slice(0, -1))
    expect(taken).toContain('table account')
    await refused(/was moved to/)
    expect(await move(from)).toMatchObject({ code: 0, report: { outcome: 'moved' } })
    await expect(serve(from, 'second')).rejects.toThrow('was moved to')
    expect(await serve(to, 'second')).toBe('moved')
  })
})

describe('a replica of PostgreSQL', () => {
  it('that has passed the first look before the lock is taken is refused before it serves', async () => {
    await prepare('postgres')
    const opened = await openMigrated(configOf('postgres'), () => {})
    const late = { copied: () => expect(ledgerOn('postgres', opened, 'late')).rejects.toThrow('is being moved') }
    expect((await move('postgres', late)).report.outcome).toBe('moved')
    await expect(ledgerOn('postgres', opened, 'late')).rejects.toThrow('was moved to')
    await opened.close()
  })

  it('that has started on the still empty target is seen by the move, which refuses', async () => {
    await prepare('sqlite')
    const opened = await openMigrated(configOf('postgres'), () => {})
    const ledger = await ledgerOn('postgres', opened, 'early')
    expect(await moveDatabase(configOf('sqlite'), { to: server.url })).toBe(1)
    expect(said.at(-1)).toMatch(/^The gateway early is using postgres:/)
    await ledger.close()
    await opened.close()
  })

  it('that slept and was taken for dead cannot write to the old database, neither during the move nor after it', async () => {
    await prepare('postgres')
    const opened = await openMigrated(configOf('postgres'), () => {})
    const asleep = await ledgerOn('postgres', opened, 'asleep')
    await sql`update replica set heartbeat_ms = heartbeat_ms - 61000`.execute(opened.kysely)
    const setting = sql`update "option" set value = 'late' where "key" = 'Notice'`
    let changing: Promise<unknown> | undefined
    const { report } = await move('postgres', {
      copied: () => {
        // Both wait for the lock of the move, and are refused as soon as it is complete.
        void grant(asleep, 'during')
        changing = setting.execute(opened.kysely).catch((error: unknown) => error)
        return Promise.resolve()
      },
    })
    expect(report.outcome).toBe('moved')
    expect(await changing).toMatchObject({ code: '25006', message: expect.stringMatching(/was moved to .*sluice\.db/) })
    await expect(setting.execute(opened.kysely)).rejects.toThrow('was moved to')
    const transfers = await inDatabase('postgres', ({ kysely }) =>
      kysely.selectFrom('transfer').select('request_id').execute(),
    )
    expect(transfers).toEqual([{ request_id: 'first' }])
    void asleep.close()
    await opened.close()
  })
})
