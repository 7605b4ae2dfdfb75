import { asBigInt } from '@sluice/store/aggregates'
import type { Schema } from '@sluice/store/schema/schema'
import { type Kysely, sql } from 'kysely'
import type { ComparedSum } from './move-report.ts'

interface SumRow {
  readonly name: string
  readonly total: number | bigint | string | null
}

/** The database itself computes each sum, independently of the comparison of rows. */
const SUMS = sql<SumRow>`
  select 'balances of ' || kind || ' accounts' as name, sum(posted) as total from account group by kind
  union all select 'held by ' || kind || ' accounts', sum(held) from account group by kind
  union all select 'spent by ' || kind || ' accounts', sum(spent) from account group by kind
  union all select 'transfers: ' || kind, sum(amount) from transfer group by kind
  union all select 'number of transfers: ' || kind, count(*) from transfer group by kind
  union all select 'charges in the log', sum(amount) from log where type = 2
  union all select 'charges in the daily sums', sum(amount) from usage_daily
  order by 1`

/** The sums of money of two databases, by their names. */
export async function compareSums(source: Kysely<Schema>, target: Kysely<Schema>): Promise<readonly ComparedSum[]> {
  const [ours, theirs] = [await readSums(source), await readSums(target)]
  const names = [...new Set([...ours.keys(), ...theirs.keys()])].toSorted()
  return names.map((name) => ({ name, source: ours.get(name) ?? '0', target: theirs.get(name) ?? '0' }))
}

async function readSums(db: Kysely<Schema>): Promise<ReadonlyMap<string, string>> {
  const { rows } = await SUMS.execute(db)
  return new Map(rows.map(({ name, total }) => [name, String(asBigInt(total))]))
}
