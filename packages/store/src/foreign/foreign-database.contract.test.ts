import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestSource, type SourceRows, type TestSource } from '@sluice/testkit/import/foreign-sources'
import { hasMysql } from '@sluice/testkit/mysql-databases'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ForeignDatabase, ForeignRow, LogSum } from './foreign-database.ts'
import { openForeignDatabase } from './open-foreign-database.ts'

const isQuick = process.env['SLUICE_TEST_QUICK'] !== undefined
const engines = [
  { engine: 'sqlite', isThere: true },
  { engine: 'csv', isThere: true },
  { engine: 'postgres', isThere: !isQuick },
  // Without a server the set-up has printed why.
  { engine: 'mysql', isThere: !isQuick && hasMysql() },
] as const

const LONG = 'x'.repeat(1_000_000)
const DAY = 86_400

const users: SourceRows = {
  table: 'users',
  columns: { id: 'integer', username: 'text', quota: 'integer', note: 'text' },
  rows: [
    [1, 'root', 500_000n, null],
    [2, 'Root', -5n, ''],
    [3, 'root ', 9_007_199_254_740_993n, 'a,"b"\r\nc\\N'],
    [5, '李雷 😀', 0n, '�'],
    [8, 'root', 1n, 'O\'Neil \\ "x"'],
    [13, 'Ärger', 1n, LONG],
    [21, '', 1n, null],
    [34, '', 1n, null],
  ],
}
const options: SourceRows = {
  table: 'options',
  columns: { key: 'text', value: 'text' },
  rows: [
    ['GroupRatio', '{"default":1}'],
    ['SystemName', 'Ünï'],
  ],
}
const logColumns = {
  id: 'integer',
  user_id: 'integer',
  created_at: 'integer',
  type: 'integer',
  token_name: 'text',
  model_name: 'text',
  quota: 'integer',
  prompt_tokens: 'integer',
  completion_tokens: 'integer',
  channel_id: 'integer',
} as const
const logs: SourceRows = {
  table: 'logs',
  columns: logColumns,
  rows: [
    [1, 7, 20_000 * DAY, 2, 'a', 'gpt-4', 10, 1, 2, 3],
    [2, 7, 20_000 * DAY + DAY - 1, 2, 'a', 'gpt-4', 20, 3, 4, 3],
    [3, 7, 20_001 * DAY, 2, 'a', 'gpt-4', 30, 5, 6, 3],
    [4, 7, 20_000 * DAY, 2, 'a', 'GPT-4', 40, 7, 8, 3],
    [5, 7, 20_000 * DAY, 2, 'a ', 'gpt-4', 50, 7, 8, 3],
    [6, null, 20_000 * DAY, 2, null, null, null, null, null, null],
    [7, 7, 20_000 * DAY, 1, 'a', 'gpt-4', 60, 9, 9, 3],
    [8, 7, -1, 2, 'a', 'gpt-4', 70, 9, 9, 3],
    [9, 7, 20_000 * DAY, 2, 'a', 'm'.repeat(1_001), 70, 9, 9, 3],
    [10, 7, 20_000 * DAY, 2, 'a', 'gpt-4', 900_000_000_000_000n, 9, 9, 3],
    [11, 7, 20_000 * DAY, 2, 'a', 'gpt-4', 1000, 1, 1, 3],
  ],
}

let temporaryDirectory = ''
beforeAll(async () => {
  temporaryDirectory = await mkdtemp(join(tmpdir(), 'sluice-foreign-test-'))
})
afterAll(() => rm(temporaryDirectory, { recursive: true, force: true }))

async function opened(source: string): Promise<ForeignDatabase> {
  const result = await openForeignDatabase(source, { signal: new AbortController().signal, temporaryDirectory })
  if ('problem' in result) throw new Error(result.problem)
  return result.database
}

async function allRows(database: ForeignDatabase, table: string, limit: number): Promise<readonly ForeignRow[]> {
  const columns = database.tables.find(({ name }) => name === table)?.columns ?? []
  const rows: ForeignRow[] = []
  for (let after: number | undefined; ;) {
    const page = await database.page({ table, columns, key: 'id', after, limit })
    if (page.length === 0) return rows
    rows.push(...page)
    after = Number(page.at(-1)?.['id'])
  }
}

async function sums(
  database: ForeignDatabase,
  after: number,
  until: number,
): Promise<{ readonly sums: readonly LogSum[]; readonly unusable: number }> {
  const all: LogSum[] = []
  let unusable = 0
  for await (const page of database.logSums({ table: 'logs', type: 2, after, until })) {
    all.push(...page.sums)
    unusable += page.unusable
  }
  return { sums: all.sort((a, b) => Number(a.quota - b.quota)), unusable }
}

describe.each(engines.filter(({ isThere }) => isThere))('a source in $engine', ({ engine }) => {
  let source: TestSource
  let database: ForeignDatabase

  beforeAll(async () => {
    source = await createTestSource(engine, [users, options, logs])
    database = await opened(source.source)
  })
  afterAll(async () => {
    await database.close()
    await source.remove()
  })

  test('lists its tables with their columns', () => {
    expect(database.engine).toBe(engine)
    expect(database.label).not.toContain('@')
    const found = database.tables.map(({ name, columns }) => [name, columns])
    expect(Object.fromEntries(found)).toEqual({
      users: Object.keys(users.columns),
      options: ['key', 'value'],
      logs: Object.keys(logColumns),
    })
  })

  test.each([1, 3, 100])('returns every row once and unchanged, in pages of %i', async (limit) => {
    // In a CSV file only the columns that an engine has to compare are integers.
    const rows = users.rows.map(([id, username, quota, note]) => {
      const exact = Number.isSafeInteger(Number(quota)) ? Number(quota) : quota
      return { id, username, quota: exact, note }
    })
    expect(await allRows(database, 'users', limit)).toEqual(rows)
  })

  test('reads only the columns that are named', async () => {
    const request = { table: 'users', columns: ['username'], key: 'id', after: 4, limit: 1 }
    expect(await database.page(request)).toEqual([{ username: '李雷 😀' }])
  })

  test('counts rows and knows the largest key', async () => {
    expect([await database.count('users'), await database.maxKey('users', 'id')]).toEqual([8, 34])
    expect(await database.oddKeys('users', 'id')).toBe(0)
  })

  test('returns a small table as a whole, and refuses one that is not small', async () => {
    const rows = await database.small({ table: 'options', columns: ['key', 'value'], limit: 2 })
    expect(rows).toEqual(expect.arrayContaining(options.rows.map(([key, value]) => ({ key, value }))))
    const tooMany = database.small({ table: 'options', columns: ['key'], limit: 1 })
    await expect(tooMany).rejects.toThrow('table options has more than 1 rows')
  })

  test('adds up log rows by day, user, token, model and channel, and counts those that it cannot add', async () => {
    const group = { day: 20_000, userId: 7, tokenName: 'a', model: 'gpt-4', channelId: 3 }
    expect(await sums(database, 0, 100)).toEqual({
      unusable: 3,
      sums: [
        {
          day: 20_000,
          userId: 0,
          tokenName: '',
          model: '',
          channelId: 0,
          requests: 1,
          promptTokens: 0,
          completionTokens: 0,
          quota: 0n,
        },
        { ...group, day: 20_001, requests: 1, promptTokens: 5, completionTokens: 6, quota: 30n },
        { ...group, model: 'GPT-4', requests: 1, promptTokens: 7, completionTokens: 8, quota: 40n },
        { ...group, tokenName: 'a ', requests: 1, promptTokens: 7, completionTokens: 8, quota: 50n },
        { ...group, requests: 3, promptTokens: 5, completionTokens: 7, quota: 1030n },
      ],
    })
    const part = await sums(database, 1, 2)
    expect(part.sums.map(({ quota }) => quota)).toEqual([20n])
  })

  test('shows what changed only after a new moment begins', async () => {
    if (engine === 'csv') return
    await source.run(`insert into "users" values (55, 'new', 1, null)`)
    expect(await database.count('users')).toBe(8)
    await database.refresh()
    expect(await database.count('users')).toBe(9)
    await source.run(`delete from "users" where "id" = 55`)
    await database.refresh()
  })

  test('leaves nothing behind', async () => {
    const again = await opened(source.source)
    await again.close()
    // The one that is open for all tests.
    expect(await readdir(temporaryDirectory)).toHaveLength(engine === 'sqlite' || engine === 'csv' ? 1 : 0)
  })
})
