// @module-tag slow
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ImportReport } from '@sluice/contract/import'
import { mqFromQuota } from '@sluice/ledger/units'
import type { Database } from '@sluice/store/database'
import { openSnapshotReads } from '@sluice/store/snapshot-reads'
import { databaseEngines, type TestEngine } from '@sluice/testkit/databases'
import { type ManagementBench, openManagementBench } from '@sluice/testkit/management-bench'
import { addToken, addUser } from '@sluice/testkit/rows'
import { afterEach, expect, test } from 'vitest'
import { loadConfig } from '../environment/environment.ts'
import { createChannelKinds } from '../management/channel-kinds.ts'
import { DEFAULT_ROOT_PASSWORD, ensureRoot } from '../management/sessions/root-account.ts'
import { createAddressGuard } from '../outbound/address-guard.ts'
import { importRunnerOf } from '../start/import-runner.ts'
import { EXPORTED_TABLES } from './exported-table.ts'
import { writeExport } from './write-export.ts'

const SOURCES = join(import.meta.dirname, '..', '..', '..', '..', 'tests', 'import', 'sources')
const PROGRAMS = ['one-api', 'laisky', 'new-api-2025', 'new-api'] as const
const CASES = databaseEngines.flatMap((engine) =>
  // Every program on one engine, and the one with the most columns on all.
  (engine === 'sqlite' ? PROGRAMS : (['new-api'] as const)).map((program) => [program, engine] as const),
)

const opened: ManagementBench[] = []
let folder = ''
afterEach(async () => {
  for (const bench of opened.splice(0)) await bench.close()
  await rm(folder, { recursive: true, force: true })
})

interface Gateway {
  readonly database: Database
  readonly sealedKey: string
  import(source: string): Promise<ImportReport | undefined>
  export(name: string): Promise<ReadonlyMap<string, string>>
}

async function openGateway(engine: TestEngine, dataDir: string): Promise<Gateway> {
  const bench = await openManagementBench(engine)
  opened.push(bench)
  const { database, ledger, vault, clock } = bench
  const now = () => clock.now
  await ensureRoot({ database, ledger, now, randomBytes }, DEFAULT_ROOT_PASSWORD)
  const { config } = loadConfig({ SLUICE_DATA_DIR: dataDir })
  if (config === undefined) throw new Error('the configuration is not complete')
  const runner = importRunnerOf(
    { database, ledger, vault, now, replica: 'test' },
    { config, guard: createAddressGuard(config.upstreamPrivate), kinds: createChannelKinds(now, () => '') },
  )
  return {
    database,
    sealedKey: vault.seal('token_key', 'k'.repeat(48)),
    import: async (source) => {
      const begun = await runner.begin({
        source,
        mode: 'import',
        name: '',
        choices: { logs: 'rows', since: 0, debts: 'keep', prices: 'keep', leaveOut: false, roots: 'one' },
        startedBy: 0,
      })
      if (begun === 'busy') throw new Error('another import is running')
      const ended = await begun.run(new AbortController().signal)
      expect(ended).toMatchObject({ outcome: 'done', reason: '' })
      return ended.report
    },
    export: async (name) => {
      const reads = await openSnapshotReads(database)
      const to = join(folder, name)
      const { signal } = new AbortController()
      expect(await writeExport(reads, vault, { folder: to, tables: EXPORTED_TABLES, signal })).toMatchObject({
        unopened: new Map(),
      })
      await reads.close()
      const texts = EXPORTED_TABLES.map(
        async (table) => [table, await readFile(join(to, `${table}.csv`), 'utf8')] as const,
      )
      return new Map(await Promise.all(texts))
    },
  }
}

test.each(CASES)(
  'what was imported from %s comes back from an export, to the last byte (%s)',
  { tags: 'slow' },
  async (program, engine) => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-export-'))
    const [first, second] = [await openGateway(engine, folder), await openGateway(engine, folder)]
    const imported = await first.import(join(SOURCES, `${program}.sqlite`))
    const files = await first.export('first')
    const again = await second.import(join(folder, 'first'))
    expect(again?.after).toEqual(imported?.after)
    expect(again?.problems.filter(({ effect }) => effect === 'left_out')).toEqual([])
    expect(again?.settings.filter(({ effect }) => effect !== 'set')).toEqual([])
    const filesAgain = await second.export('second')
    for (const [table, text] of files) {
      expect(filesAgain.get(table), table).toBe(text)
    }
  },
)

test.each(databaseEngines)('tokens keep their limits (%s)', async (engine) => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-export-'))
  const [first, second] = [await openGateway(engine, folder), await openGateway(engine, folder)]
  const { kysely: db } = first.database
  const limits = { rpm: 60, tpm: 9_000, concurrency: 4, repeat_rpm: 5, quiet_hours: '22:00-07:00 Europe/Berlin' }
  const stored = { ...limits, session_quota: mqFromQuota(700) }
  const ann = await addUser(db, { username: 'ann' })
  await addToken(db, { user_id: ann, name: 'a', key_sealed: first.sealedKey, ...stored })
  const files = await first.export('first')
  const limitsThere = () =>
    second.database.kysely
      .selectFrom('token')
      .select(Object.keys(stored) as (keyof typeof stored)[])
      .execute()
  await second.import(join(folder, 'first'))
  expect(await limitsThere()).toEqual([stored])
  expect((await second.export('second')).get('tokens')).toBe(files.get('tokens'))

  await db.updateTable('token').set({ rpm: 61, quiet_hours: null }).execute()
  await first.export('third')
  await second.import(join(folder, 'third'))
  expect(await limitsThere()).toEqual([{ ...stored, rpm: 61, quiet_hours: null }])
})

test.each(databaseEngines)(
  'groups come back with all that is set of them, also those of tokens (%s)',
  async (engine) => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-export-'))
    const [first, second] = [await openGateway(engine, folder), await openGateway(engine, folder)]
    const { kysely: db } = first.database
    const ann = await addUser(db, { username: 'ann' })
    await addToken(db, { user_id: ann, name: 'a', key_sealed: first.sealedKey, groups: 'vip,default' })
    const details = { vip: { title: 'VIP', usable_by: ['default'], ratio_for: { default: 0.5 }, order: 1 } }
    await db
      .insertInto('option')
      .values([
        { key: 'GroupRatio', value: '{"default":1,"vip":2}' },
        { key: 'Groups', value: JSON.stringify(details) },
      ])
      .execute()
    const files = await first.export('first')
    expect(files.get('options')).toContain('GroupGroupRatio,"{""default"":{""vip"":0.5}}"')
    expect(files.get('tokens')).toContain(',vip,"vip,default",')
    await second.import(join(folder, 'first'))
    const again = await second.export('second')
    for (const table of ['tokens', 'options'] as const) expect(again.get(table), table).toBe(files.get(table))
  },
)
