// @module-tag slow
import { databaseEngines, openTestDatabase, type TestDatabase, type TestEngine } from '@sluice/testkit/databases'
import { nullableColumns, randomTables, type TableRows } from '@sluice/testkit/generated-tables'
import { assert, asyncProperty, integer } from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ROLL_UP_TABLES } from '../rollup-triggers.ts'
import { COPIED_TABLES, UNCOPIED_TABLES } from './copied-tables.ts'
import { compareTables, copyTables, differentIds, firstFilledTable } from './copy-tables.ts'
import { fillTables } from './copy-tables.ts'
import { lastId, setLastId } from './copy-tables.ts'
import { readRows } from './read-rows.ts'
import { readShapes } from './table-shape.ts'
import { openInsertRows } from './write-rows.ts'
import { putRows, type RowTarget } from './write-rows.ts'

const PAIRS: readonly (readonly [TestEngine, TestEngine])[] = [
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
  ['sqlite', 'sqlite'],
  ...(databaseEngines.includes('pglite') ? ([['postgres', 'pglite']] as const) : []),
]

describe.each(PAIRS)('copying from %s to %s', { tags: 'postgres' }, (from, to) => {
  let source: TestDatabase
  let target: TestDatabase
  beforeAll(async () => {
    source = await openTestDatabase(from)
    target = await openTestDatabase(to)
  })
  afterAll(async () => {
    await source.close()
    await target.close()
  })
  beforeEach(async () => {
    await source.reset()
    await target.reset()
  })

  const inBoth = async <T>(work: (source: RowTarget, target: RowTarget) => Promise<T>): Promise<T> =>
    await onConnection(source, (ours) => onConnection(target, (theirs) => work(ours, theirs)))

  it('makes every table equal, whatever both hold, and then finds nothing more to do', async () => {
    const nullable = await nullableColumns()
    await assert(
      asyncProperty(integer(), integer(), async (seed, other) => {
        await source.reset()
        await target.reset()
        await inBoth(async (ours, theirs) => {
          const shapes = await shapesOfPostgres(ours, theirs)
          await fill(theirs, randomTables(shapes, nullable, other))
          const tables = randomTables(shapes, nullable, seed)
          await fill(ours, tables)
          expect(await contentOf(ours)).toEqual(Object.fromEntries(tables))

          expect(await copyTables(ours, theirs)).toMatchObject({ outcome: 'copied' })
          expect(await contentOf(theirs)).toEqual(Object.fromEntries(tables))
          expect(await differentIds(ours, theirs)).toEqual([])
          const again = await copyTables(ours, theirs)
          const writing = again.outcome === 'copied' && again.tables.filter((each) => each.written + each.removed > 0)
          expect(writing).toEqual([])
          const different = (await compareTables(ours, theirs)).filter(
            (each) => each.source.digest !== each.target.digest,
          )
          expect(different).toEqual([])
        })
      }),
      { numRuns: 5 },
    )
  }, 240_000)

  it('keeps the triggers of the target working, and does not let them count what is copied', async () => {
    const log = (
      id: number,
    ) => sql`insert into log (id, created_at, type, user_id, username, token_id, token_name, model_name,
      origin_model_name, channel_id, channel_name, amount, prompt_tokens, completion_tokens, cached_prompt_tokens,
      cache_write_5m_tokens, cache_write_1h_tokens, reasoning_tokens, elapsed_ms, is_stream, estimated, ended, content)
      values (${id}, 86400, 2, 1, 'u', 1, 't', 'm', 'm', 1, 'c', 7, 1, 1, 0, 0, 0, 0, 1, 0, 0, '', '')`
    await log(1).execute(source.kysely)
    await log(2).execute(source.kysely)
    await inBoth((ours, theirs) => copyTables(ours, theirs))
    await log(3).execute(target.kysely)
    const sums = await target.kysely.selectFrom('log_daily').select(['entries', 'amount']).execute()
    expect(sums).toEqual([{ entries: 3, amount: 21n }])
  })

  it('lets ids go on where the source would, also beyond rows that are gone', async () => {
    const add = (db: TestDatabase) =>
      sql<{
        id: number
      }>`insert into price (content, input, cached_input, cache_write_5m, cache_write_1h, output, group_ratio, source)
        values (${`price ${Math.random()}`}, 1, 1, 1, 1, 1, 1, '') returning id`.execute(db.kysely)
    for (let at = 0; at < 3; at += 1) await add(source)
    await sql`delete from price where id > 1`.execute(source.kysely)
    await inBoth((ours, theirs) => copyTables(ours, theirs))
    expect((await add(target)).rows).toEqual([{ id: 4 }])
    expect(await inBoth((ours, theirs) => differentIds(ours, theirs))).toEqual(['price'])
  })

  it('names what is different, and tells a filled database from an empty one', async () => {
    expect(await firstFilledTable({ db: target.kysely })).toBeUndefined()
    await sql`insert into "option" ("key", value) values ('A', 'é'), ('B', '1')`.execute(source.kysely)
    await sql`insert into "option" ("key", value) values ('A', 'é'), ('B', '2')`.execute(target.kysely)
    const [compared] = await inBoth((ours, theirs) => compareTables(ours, theirs, ['option']))
    expect(compared).toMatchObject({ source: { rows: 2 }, target: { rows: 2 }, firstDifferent: 'B' })
    expect(compared?.source.digest).not.toBe(compared?.target.digest)
    expect(await firstFilledTable({ db: target.kysely })).toBe('option')
  })

  it('decides about every table there is, and lists parents before their children', async () => {
    const shapes = await inBoth(async (_, theirs) => await readShapes(theirs.db, theirs.engine))
    const decided = [...COPIED_TABLES, ...UNCOPIED_TABLES.map(({ table }) => table)]
    const engineOnly = to === 'sqlite' ? [] : ['record_log']
    expect([...shapes.keys(), ...engineOnly].toSorted()).toEqual(decided.toSorted())
    expect(ROLL_UP_TABLES.every((table) => COPIED_TABLES.includes(table))).toBe(true)
    for (const { table, parents, key } of shapes.values()) {
      expect(key.length).toBeGreaterThan(0)
      for (const parent of parents) expect(COPIED_TABLES.indexOf(parent)).toBeLessThan(COPIED_TABLES.indexOf(table))
    }
  })
})

describe('filling a new SQLite file from PostgreSQL', { tags: 'postgres' }, () => {
  it('brings every row and the ids that come next, from one moment', async () => {
    const nullable = await nullableColumns()
    const source = await openTestDatabase('postgres')
    const target = await openTestDatabase('sqlite')
    try {
      await onConnection(source, async (ours) => {
        const tables = randomTables(await readShapes(ours.db, 'postgres'), nullable, 7)
        await fill(ours, tables)
        await sql`begin isolation level repeatable read read only`.execute(ours.db)
        await readShapes(ours.db, 'postgres')
        await sql`insert into "option" ("key", value) values ('added later', '')`.execute(source.kysely)
        await onConnection(target, async (theirs) => {
          expect(await fillTables(ours, theirs)).toBeUndefined()
          expect(await contentOf(theirs)).toEqual(Object.fromEntries(tables))
          expect(await differentIds(ours, theirs)).toEqual([])
        })
        await sql`rollback`.execute(ours.db)
      })
    } finally {
      await source.close()
      await target.close()
    }
  })
})

describe('copying to PostgreSQL', { tags: 'postgres' }, () => {
  let source: TestDatabase
  let target: TestDatabase
  beforeAll(async () => {
    source = await openTestDatabase('sqlite')
    target = await openTestDatabase('postgres')
  })
  afterAll(async () => {
    await source.close()
    await target.close()
  })

  it.each([
    ['a text with the character U+0000', 'a\0b', 0, { column: 'name', problem: expect.stringMatching(/U\+0000/) }],
    ['a number beyond 32 bits', 'a', 2 ** 31, { column: 'type', problem: expect.stringMatching(/32-bit/) }],
    ['a text where a number belongs', 'a', 'x', { column: 'type', problem: expect.stringMatching(/32-bit/) }],
  ])('refuses %s, and names its table, row and column', async (_, name, type, refused) => {
    await source.reset()
    await target.reset()
    for (const id of [1, 2]) {
      await sql`insert into channel (id, name, type, key_sealed, base_url, other, models, group_names, priority, weight, ratelimit,
          status, response_time, test_time, created_time, config)
        values (${id}, ${id === 2 ? name : 'good'}, ${id === 2 ? type : 1}, '', '', '', '', '', 0, 0, 0, 1, 0, 0, 0, '')`.execute(
        source.kysely,
      )
    }
    const result = await onConnection(source, (ours) => onConnection(target, (theirs) => copyTables(ours, theirs)))
    expect(result).toEqual({ outcome: 'refused', row: { table: 'channel', key: '2', ...refused } })
  })
})

describe('copying text that is not UTF-8', { tags: 'postgres' }, () => {
  const DAMAGED = sql`cast(x'61ff' as text)`
  /** The text that a reader takes the damaged one for, and a text after it in byte order. */
  const [LOOKALIKE, LATER] = ['a\uFFFD', 'b']
  let source: TestDatabase
  beforeAll(async () => {
    source = await openTestDatabase('sqlite')
  })
  afterAll(() => source.close())
  beforeEach(() => source.reset())

  const put = (db: TestDatabase, key: unknown, value: unknown) =>
    sql`insert into "option" ("key", value) values (${key}, ${value})`.execute(db.kysely)

  it.each(['sqlite', 'postgres'] as const)('to %s is refused with its table, row and column', async (to) => {
    const target = await openTestDatabase(to)
    try {
      for (const key of ['A', 'B', 'C']) await put(source, key, key === 'B' ? DAMAGED : LOOKALIKE)
      const copy = () => onConnection(source, (ours) => onConnection(target, (theirs) => copyTables(ours, theirs)))
      const row = { table: 'option', key: 'B', column: 'value', problem: 'is not UTF-8' }
      expect(await copy()).toEqual({ outcome: 'refused', row })
      await sql`update "option" set "key" = ${DAMAGED}, value = '' where "key" = 'B'`.execute(source.kysely)
      await put(source, LATER, '')
      expect(await copy()).toMatchObject({ outcome: 'refused', row: { key: `x'61FF'`, column: 'key' } })
      await sql`delete from "option" where "key" = ${DAMAGED}`.execute(source.kysely)
      expect(await copy()).toMatchObject({ outcome: 'copied' })
      const rows = await target.kysely.selectFrom('option').selectAll().execute()
      const values = Object.fromEntries(rows.map(({ key, value }) => [key, value]))
      expect(values).toEqual({ A: LOOKALIKE, C: LOOKALIKE, [LATER]: '' })
    } finally {
      await target.close()
    }
  })

  it('is not equal to what it would be read as, and a key of it does not end the reading', async () => {
    const target = await openTestDatabase('sqlite')
    try {
      await put(source, 'A', LOOKALIKE)
      await put(target, 'A', DAMAGED)
      const compare = () =>
        onConnection(source, (ours) => onConnection(target, (theirs) => compareTables(ours, theirs, ['option'])))
      expect(await compare()).toMatchObject([{ firstDifferent: 'A' }])
      await sql`delete from "option"`.execute(source.kysely)
      await sql`insert into "option" ("key", value) with recursive n(at) as (select 1 union all select at + 1 from n where at < 999)
        select printf('A%04d', at), '' from n`.execute(source.kysely)
      await put(source, DAMAGED, '')
      await put(source, LATER, '')
      const rows = await onConnection(source, async (ours) => (await contentOf(ours))['option'] ?? [])
      expect(rows.slice(-2)).toEqual(['[{"bytes":"61FF"},""]', '["b",""]'])
      expect(rows).toHaveLength(1_001)
    } finally {
      await target.close()
    }
  })
})

async function onConnection<T>(database: TestDatabase, work: (rows: RowTarget) => Promise<T>): Promise<T> {
  const queries = await database.openQueries(60_000)
  const inserts = database.engine === 'sqlite' ? await openInsertRows(database) : undefined
  try {
    return await queries.kysely.connection().execute((db) => work({ engine: database.engine, db, inserts }))
  } finally {
    await inserts?.close()
    await queries.close()
  }
}

/** The stricter of two descriptions: only PostgreSQL says how many bits an integer has. */
async function shapesOfPostgres(ours: RowTarget, theirs: RowTarget) {
  const { db, engine } = ours.engine === 'postgres' ? ours : theirs
  return await readShapes(db, engine)
}

async function fill(target: RowTarget, tables: TableRows): Promise<void> {
  const shapes = await readShapes(target.db, target.engine)
  for (const [table, rows] of tables) {
    const shape = shapes.get(table)
    if (shape === undefined) throw new Error(`no table ${table}`)
    await sql`delete from ${sql.table(table)}`.execute(target.db)
    expect(await putRows(target, shape, rows)).toBeUndefined()
    if (shape.isNumbered) await setLastId(target, shape, (await lastId(target, shape)) + rows.length)
  }
}

async function contentOf(source: RowTarget): Promise<Readonly<Record<string, readonly string[]>>> {
  const shapes = await readShapes(source.db, source.engine)
  const content: Record<string, readonly string[]> = {}
  for (const table of COPIED_TABLES) {
    const shape = shapes.get(table)
    if (shape === undefined) throw new Error(`no table ${table}`)
    const rows: string[] = []
    for await (const page of readRows(source, shape)) rows.push(...page)
    content[table] = rows
  }
  return content
}
