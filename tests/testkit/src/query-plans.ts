import type { Database } from '@sluice/store/database'
import type { Schema } from '@sluice/store/schema/schema'
import { CompiledQuery, type Kysely } from 'kysely'
import { sql } from 'kysely'

export interface TableRead {
  readonly table: string
  /** An index name, `primary key`, or `none`. */
  readonly index: string
  /** True when a condition selects the rows; false when all rows or all index entries are read. */
  readonly searched: boolean
}

/** Runs queries, then asks the database for each one's plan. On PostgreSQL, sequential scans are disabled. */
export async function recordPlans(
  database: Database,
  run: (db: Kysely<Schema>) => Promise<unknown>,
): Promise<readonly TableRead[]> {
  const queries: CompiledQuery[] = []
  const executor = database.kysely.getExecutor()
  const recording = database.kysely.withPlugin({
    transformQuery: ({ node, queryId }) => {
      queries.push(executor.compileQuery(node, queryId))
      return node
    },
    transformResult: async ({ result }) => result,
  })
  await run(recording)
  const reads: TableRead[] = []
  for (const query of queries) {
    reads.push(...(await (database.engine === 'sqlite' ? planOfSqlite : planOfPostgres)(database.kysely, query)))
  }
  return reads
}

async function planOfSqlite(db: Kysely<Schema>, { sql: text, parameters }: CompiledQuery): Promise<TableRead[]> {
  const explain = CompiledQuery.raw(`explain query plan ${text}`, [...parameters])
  const { rows } = await db.executeQuery<{ detail: string }>(explain)
  return rows.flatMap(({ detail }) => {
    const read = /^(SCAN|SEARCH) (\w+)(?: USING (.*))?$/.exec(detail)
    if (read === null) return []
    const [, how, table = '', using = ''] = read
    const named = /INDEX (\w+)/.exec(using)?.[1]
    const index = /PRIMARY KEY/.test(using) ? 'primary key' : /AUTOMATIC/.test(using) ? 'none' : (named ?? 'none')
    return [{ table, index, searched: how === 'SEARCH' && index !== 'none' }]
  })
}

async function planOfPostgres(db: Kysely<Schema>, { sql: text, parameters }: CompiledQuery): Promise<TableRead[]> {
  const explain = CompiledQuery.raw(`explain (costs off) ${text}`, [...parameters])
  const lines = await db.transaction().execute(async (trx) => {
    // A test's few rows are cheapest to read sequentially, but the plan for many rows matters.
    await sql`set local enable_seqscan = off`.execute(trx)
    const { rows } = await trx.executeQuery<{ 'QUERY PLAN': string }>(explain)
    return rows.map((row) => row['QUERY PLAN'])
  })
  return lines.flatMap((line, at) => {
    const sequential = /Seq Scan on (\w+)/.exec(line)
    if (sequential !== null) return [{ table: sequential[1] ?? '', index: 'none', searched: false }]
    const scan = /Index (?:Only )?Scan(?: Backward)? using (\w+) on (\w+)/.exec(line) ?? bitmapScan(lines, at)
    if (scan === null) return []
    const [, index = '', table = ''] = scan
    const searched = lines.slice(at + 1, at + 3).some((next) => next.includes('Index Cond:'))
    return [{ table, index: index.endsWith('_pkey') ? 'primary key' : index, searched }]
  })
}

/** A bitmap's heap scan is some lines above it. */
function bitmapScan(lines: readonly string[], at: number): readonly string[] | null {
  const index = /Bitmap Index Scan on (\w+)/.exec(lines[at] ?? '')?.[1]
  if (index === undefined) return null
  const heap = lines.slice(0, at).findLast((line) => line.includes('Bitmap Heap Scan on'))
  return ['', index, /Bitmap Heap Scan on (\w+)/.exec(heap ?? '')?.[1] ?? '']
}
