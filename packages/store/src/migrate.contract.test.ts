import { access, stat } from 'node:fs/promises'
import { databaseEngines, openEmptyDatabase, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { describeSchema } from '@sluice/testkit/live-schema'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findPending, migrate } from './migrate.ts'
import type { Migration } from './migration.ts'

const first: Migration = {
  name: '0001-fruit',
  breaking: false,
  statements: (t) => [
    `create table fruit (id ${t.id}, name ${t.text} not null)`,
    `insert into fruit (name) values ('pear')`,
  ],
}
const second: Migration = {
  name: '0002-colour',
  breaking: true,
  statements: (t) => [`alter table fruit add column colour ${t.text}`],
}
const broken: Migration = {
  name: '0002-broken',
  breaking: false,
  statements: (t) => [`create table half (id ${t.id})`, 'insert into nowhere (id) values (1)'],
}

describe.each(databaseEngines)('migrations on %s', (engine) => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await openEmptyDatabase(engine)
  })
  afterEach(() => database.close())

  const fruits = async (): Promise<number> => (await sql`select * from fruit`.execute(database.kysely)).rows.length

  test('apply each pending step once, in order', async () => {
    expect(await migrate(database, [first])).toEqual({ outcome: 'migrated', applied: ['0001-fruit'], copy: null })
    expect(await migrate(database, [first])).toEqual({ outcome: 'migrated', applied: [], copy: null })
    expect(await migrate(database, [first, second])).toMatchObject({ applied: ['0002-colour'] })
    expect(await fruits()).toBe(1)
  })

  test('leave the database untouched when a step fails', async () => {
    await migrate(database, [first])
    await expect(migrate(database, [first, broken])).rejects.toThrow('nowhere')
    await expect(sql`select * from half`.execute(database.kysely)).rejects.toThrow('half')
    expect(await migrate(database, [first, second])).toMatchObject({ applied: ['0002-colour'] })
  })

  test('refuse a database that is newer than the code', async () => {
    await migrate(database, [first, second])
    const problem = 'is newer than this version; it has 0002-colour.'
    expect(await migrate(database, [first])).toEqual({ outcome: 'refused', problem })
    expect(await findPending(database, [first])).toEqual({ pending: [], problem })
  })

  test('that others replace need not be made where all of them were', async () => {
    await migrate(database, [first, second])
    const baseline: Migration = { ...first, name: '0002-baseline', replaces: [first.name, second.name] }
    expect(await migrate(database, [baseline])).toEqual({ outcome: 'migrated', applied: [], copy: null })
    const third: Migration = { ...second, name: '0003-taste', statements: (t) => [`create table taste (id ${t.id})`] }
    expect(await migrate(database, [baseline, third])).toMatchObject({ applied: ['0003-taste'] })
    expect(await fruits()).toBe(1)
  })

  test('that others replace make a database too old where only some of them were made', async () => {
    await migrate(database, [first])
    const baseline: Migration = { ...first, name: '0002-baseline', replaces: [first.name, second.name] }
    expect(await migrate(database, [baseline])).toEqual({
      outcome: 'refused',
      problem: expect.stringMatching(/^is too old for this version; it lacks 0002-colour\./),
    })
    expect(await fruits()).toBe(1)
  })

  test('run once when several processes start together', async () => {
    const others = await Promise.all([database.reopen(), database.reopen()])
    const results = await Promise.all([database, ...others].map((each) => migrate(each, [first, second])))
    const applied = results.flatMap((result) => (result.outcome === 'migrated' ? result.applied : ['refused']))
    expect(applied.toSorted()).toEqual(['0001-fruit', '0002-colour'])
    expect(await fruits()).toBe(1)
    await Promise.all(others.map((other) => other.close()))
  })
})

describe('a breaking step on sqlite', () => {
  test('copies a file that holds data first, readable by its owner only', async () => {
    const database = await openEmptyDatabase('sqlite')
    await migrate(database, [first])
    const result = await migrate(database, [first, second])
    const copy = result.outcome === 'migrated' ? result.copy : null
    expect(copy).toMatch(/sluice\.db\.before-0002-colour$/)
    expect((await stat(copy ?? '')).mode & 0o777).toBe(0o600)
    await database.close()
  })

  test('copies nothing when the file is new', async () => {
    const database = await openEmptyDatabase('sqlite')
    expect(await migrate(database, [first, second])).toMatchObject({ copy: null })
    if (database.engine === 'sqlite')
      await expect(access(`${database.file}.before-0002-colour`)).rejects.toThrow('ENOENT')
    await database.close()
  })
})

/** After a change of the migrations regenerate the texts: `npx vitest run --project contract migrate -u`. */
describe.each(databaseEngines)('the committed schema text', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  afterAll(() => database.close())

  test(`is what ${engine} holds`, async () => {
    await expect(await describeSchema(database)).toMatchFileSnapshot(`../schema.${database.engine}.sql`)
  })

  test('counts a version for every cached group', async () => {
    const rows = await database.kysely.selectFrom('snapshot_version').selectAll().orderBy('name').execute()
    expect(rows).toEqual(['channels', 'options', 'tokens', 'users'].map((name) => ({ name, version: 1 })))
  })
})
