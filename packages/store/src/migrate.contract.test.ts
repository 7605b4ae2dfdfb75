import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { migrate } from './migrate.ts'

describe.each(databaseEngines)('migrations on %s', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  beforeEach(() => database.reset())
  afterAll(() => database.close())

  test('a migrated database has nothing left to do', async () => {
    expect(await migrate(database)).toEqual({ outcome: 'migrated', applied: [], copy: null })
  })

  test('every cached table has a version', async () => {
    const rows = await database.kysely.selectFrom('snapshot_version').selectAll().orderBy('name').execute()
    expect(rows.map((row) => row.name)).toEqual(['channels', 'options', 'tokens', 'users'])
    expect(rows.every((row) => row.version === 1)).toBe(true)
  })
})
