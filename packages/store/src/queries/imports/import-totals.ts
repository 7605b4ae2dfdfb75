import { type Kysely, sql } from 'kysely'
import { asBigInt, asNumber } from '../../aggregates.ts'
import type { Schema } from '../../schema/schema.ts'
import { GONE, LEFT_OUT } from './imported.ts'

type Aggregate = number | bigint | string | null

/** An import's totals according to the ledger and the tables, independent of its own records. Amounts in mq. */
export interface ImportTotals {
  readonly tokens: number
  readonly limits: bigint
  readonly channels: number
  readonly unusedCodes: number
  readonly codes: bigint
  readonly balancesNow: bigint
}

/** The id range of an import's transfers of one kind: no id of another import is within it. */
function transfers(source: string, kind: 'user' | 'token') {
  return sql`transfer.request_id >= ${`import-${source}-${kind}-0`} and transfer.request_id < ${`import-${source}-${kind}-:`}`
}

/** Imported users who are still at the source, in the order of their ids there, each with their account here, if any. */
export async function listImportedAccounts(
  db: Kysely<Schema>,
  source: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly { readonly sourceId: number; readonly account: number | null }[]> {
  return await db
    .selectFrom('imported')
    .leftJoin('account', (join) =>
      join.on('account.kind', '=', 'user').onRef('account.owner_id', '=', 'imported.target_id'),
    )
    .select(['imported.source_id as sourceId', 'account.id as account'])
    .where('imported.source', '=', source)
    .where('imported.kind', '=', 'user')
    .where('imported.digest', 'not in', [GONE, LEFT_OUT])
    .where('imported.source_id', '>', after)
    .orderBy('imported.source_id')
    .limit(limit)
    .execute()
}

export async function sumTransfersByAccount(db: Kysely<Schema>, source: string): Promise<ReadonlyMap<number, bigint>> {
  const { rows } = await sql<{ account: number; amount: Aggregate }>`
    select account, sum(amount) as amount from (
      select credit as account, amount from transfer
        join account on account.id = transfer.credit and account.kind = 'user'
        where transfer.kind = 'import' and ${transfers(source, 'user')}
      union all select debit, -amount from transfer
        join account on account.id = transfer.debit and account.kind = 'user'
        where transfer.kind = 'import' and ${transfers(source, 'user')}
    ) as moved group by account`.execute(db)
  return new Map(rows.map(({ account, amount }) => [account, asBigInt(amount)]))
}

export async function readImportTotals(db: Kysely<Schema>, source: string): Promise<ImportTotals> {
  const here = sql`imported.source = ${source} and imported.digest not in (${GONE}, ${LEFT_OUT})`
  const [limits] = (
    await sql<{ limits: Aggregate }>`
      select sum(transfer.amount) as limits from transfer
      join account on account.id = transfer.limit_account
      join imported on imported.kind = 'token' and imported.target_id = account.owner_id
      where transfer.kind = 'limit-set' and ${transfers(source, 'token')} and ${here}`.execute(db)
  ).rows
  const [codes] = (
    await sql<{ unused: Aggregate; amount: Aggregate }>`
      select count(*) as unused, sum(redemption.amount) as amount from imported
      join redemption on redemption.id = imported.target_id
      where imported.kind = 'redemption' and redemption.used_before = 0 and redemption.status <> 2 and ${here}`.execute(
      db,
    )
  ).rows
  const [balances] = (
    await sql<{ posted: Aggregate }>`
      select sum(account.posted) as posted from imported
      join account on account.kind = 'user' and account.owner_id = imported.target_id
      where imported.kind = 'user' and ${here}`.execute(db)
  ).rows
  const counted = await sql<{ kind: string; rows: Aggregate }>`
    select kind, count(*) as rows from imported where ${here} group by kind`.execute(db)
  const countOf = (kind: string): number => asNumber(counted.rows.find((row) => row.kind === kind)?.rows ?? 0)
  return {
    tokens: countOf('token'),
    limits: asBigInt(limits?.limits ?? 0),
    channels: countOf('channel'),
    unusedCodes: asNumber(codes?.unused ?? 0),
    codes: asBigInt(codes?.amount ?? 0),
    balancesNow: asBigInt(balances?.posted ?? 0),
  }
}
