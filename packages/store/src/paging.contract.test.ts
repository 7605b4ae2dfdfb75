import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contains, pageOf, sortingOf, startsWith } from './paging.ts'

const NAMES = ['100%', '100 euro', 'a_b', 'aXb', 'back\\slash', 'Straße', 'MIXED case', "quote'd", 'émile']
const SORTABLE = { name: 'key', value: 'value' } as const
const FALLBACK = { column: 'key', direction: 'desc' } as const

describe.each(databaseEngines)('paging on %s', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  beforeEach(async () => {
    await database.reset()
    await database.kysely
      .insertInto('option')
      .values(NAMES.map((key) => ({ key, value: 'v' })))
      .execute()
  })
  afterAll(() => database.close())

  const found = async (match: typeof contains, keyword: string): Promise<readonly string[]> => {
    const rows = await database.kysely.selectFrom('option').select('key').where(match('option.key', keyword)).execute()
    return rows.map((row) => row.key).toSorted()
  }

  test.each([
    ['%', ['100%']],
    ['_', ['a_b']],
    ['\\', ['back\\slash']],
    ["'", ["quote'd"]],
    ['%%', []],
    ['100_', []],
    ['\0', NAMES.toSorted()],
    ["' or 1=1 --", []],
  ])('a search for %j means exactly these characters', { tags: 'S7' }, async (keyword, expected) => {
    expect(await found(contains, keyword)).toEqual(expected)
  })

  test('a search ignores the case of letters', async () => {
    expect(await found(contains, 'mixed CASE')).toEqual(['MIXED case'])
    expect(await found(startsWith, 'STRA')).toEqual(['Straße'])
    expect(await found(contains, 'é')).toEqual(['émile'])
  })

  test('a prefix search does not look inside', async () => {
    expect(await found(startsWith, '100')).toEqual(['100 euro', '100%'])
    expect(await found(startsWith, 'slash')).toEqual([])
  })

  test('a search text longer than the contract allows never reaches the database', { tags: 'S7' }, () => {
    expect(() => contains('option.key', 'x'.repeat(101))).toThrow(RangeError)
  })

  test.each([
    'value; drop table option',
    'key--',
    'option.key',
    '__proto__',
    'constructor',
    'toString',
    '',
    'KEY',
    'key desc, value',
  ])('sorting by %j falls back instead of reaching the statement', { tags: 'S6' }, (sort) => {
    expect(sortingOf(SORTABLE, { sort, order: 'asc' }, FALLBACK)).toEqual(FALLBACK)
  })

  test('pages follow each other without gap or repetition', async () => {
    const { column, direction } = sortingOf(SORTABLE, { sort: 'name', order: 'asc' }, FALLBACK)
    const page = async (p: number): Promise<readonly string[]> => {
      const { limit, offset } = pageOf({ p, size: 4 })
      const query = database.kysely.selectFrom('option').select('key').orderBy(column, direction)
      return (await query.limit(limit).offset(offset).execute()).map((row) => row.key)
    }
    const pages = [...(await page(0)), ...(await page(1)), ...(await page(2))]
    expect(await page(3)).toEqual([])
    expect(pages.toSorted()).toEqual(NAMES.toSorted())
  })

  test.each([
    [
      { p: -1, size: 10 },
      { limit: 10, offset: 0 },
    ],
    [
      { p: 2, size: 1_000_000 },
      { limit: 100, offset: 200 },
    ],
    [
      { p: 0, size: 0 },
      { limit: 1, offset: 0 },
    ],
    [
      { p: 999_999_999_999_999, size: 100 },
      { limit: 100, offset: 1_000_000 },
    ],
  ])('page %j stays within bounds', async (asked, bounds) => {
    expect(pageOf(asked)).toEqual(bounds)
    const { limit, offset } = pageOf(asked)
    await database.kysely.selectFrom('option').selectAll().limit(limit).offset(offset).execute()
  })
})
