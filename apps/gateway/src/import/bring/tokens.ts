import { columnsOfSettings, PLAIN_TOKEN } from '@sluice/contract/fields/token'
import { disableTokens } from '@sluice/store/queries/imports/gone-rows'
import { findTargets } from '@sluice/store/queries/imports/imported'
import { findTaken, freeIds, insertRows, updateImportedToken } from '@sluice/store/queries/imports/imported-rows'
import { readTokensHere } from '@sluice/store/queries/imports/rows-here'
import type { Schema } from '@sluice/store/schema/schema'
import { bumpVersion } from '@sluice/store/snapshots/versions'
import { TOKEN_STATUS } from '@sluice/store/statuses'
import type { Kysely, Transaction } from 'kysely'
import type { ImportContext } from '../import-context.ts'
import { markOfToken, type SourceToken, takeToken, TOKEN_COLUMNS } from '../take/take-token.ts'
import {
  type Against,
  type BroughtTable,
  type MergedRow,
  onlyWritten,
  STATUS,
  SWITCHED_OFF,
  type TakenRow,
} from './table.ts'

export interface TokenSetting {
  readonly isUserTaken: (id: number) => boolean
  /** Whether a user exists at the source but cannot be imported. Such a user's earlier imported rows stay unchanged. */
  readonly isUserLeft: (id: number) => boolean
  readonly seen: (id: number, token: SourceToken) => void
}

export function tokensTable(
  context: ImportContext,
  { isUserTaken, isUserLeft, seen }: TokenSetting,
): BroughtTable<SourceToken, WantedToken> {
  const { database } = context
  return {
    kind: 'token',
    table: 'tokens',
    columns: TOKEN_COLUMNS,
    take: takeToken,
    mark: markOfToken,
    replaces: true,
    distinct: ({ key }) => [['key', key]],
    // The ledger must know whether the limit binds.
    isAnnounced: true,
    amounts: ({ remain, usedQuota }) => ({ quota: remain, used: usedQuota, requests: 0 }),
    profile: ({ remain: _remain, usedQuota: _used, limits, ...profile }) => ({ ...profile, ...limits }),
    refer: async (rows) => {
      const taken = await findTaken(
        database.kysely,
        'token',
        rows.map(({ row }) => markOfToken(row)),
      )
      const against = new Map<number, Against>()
      for (const { id, row, target } of rows) {
        const mark = markOfToken(row)
        const here = taken.get(mark)
        if (isUserLeft(row.userId)) against.set(id, 'stay')
        else if (!isUserTaken(row.userId)) against.set(id, 'skip')
        else if (here !== undefined && here !== target) {
          against.set(id, {
            field: 'key',
            problem: `belongs to token ${here} here, which was not imported from this row`,
          })
        }
      }
      return against
    },
    wanted: async (db, rows) => await wantedTokens(context, db, rows),
    here: async (db, engine, ids) => {
      const rows = await readTokensHere(db, engine, ids)
      return new Map(rows.map(({ id, ...values }) => [id, values]))
    },
    rules: { isSafer: ({ field, wanted }) => field === STATUS && wanted === SWITCHED_OFF },
    write: async (trx, rows) => {
      const ids = await writeTokens(context, trx, rows)
      await bumpVersion(trx, 'tokens')
      return ids
    },
    gone: async (trx, targets) => {
      await disableTokens(trx, targets)
      await bumpVersion(trx, 'tokens')
    },
    seen,
  }
}

type WantedToken = Awaited<ReturnType<typeof wantedTokens>> extends ReadonlyMap<number, infer Wanted> ? Wanted : never

async function wantedTokens({ name }: ImportContext, db: Kysely<Schema>, rows: readonly TakenRow<SourceToken>[]) {
  const users = await findTargets(
    db,
    name,
    'user',
    rows.map(({ row }) => row.userId),
  )
  const columns = (row: SourceToken) => ({
    user_id: users.get(row.userId) ?? 0,
    name: row.name,
    status: row.isEnabled ? TOKEN_STATUS.enabled : TOKEN_STATUS.disabled,
    expired_time: row.expiredTime,
    unlimited: row.unlimited ? 1 : 0,
    models: row.models,
    subnet: row.subnet,
    groups: row.groups.length === 0 ? null : row.groups.join(','),
    ...row.limits,
  })
  return new Map(rows.map(({ id, row }) => [id, columns(row)]))
}

async function writeTokens(
  { database, vault, now }: ImportContext,
  trx: Transaction<Schema>,
  rows: readonly MergedRow<SourceToken, WantedToken>[],
): Promise<ReadonlyMap<number, number>> {
  const added = rows.filter(({ target }) => target === undefined)
  const free = await freeIds(
    trx,
    database.engine,
    'token',
    added.map(({ id }) => id),
  )
  const seconds = Math.floor(now() / 1_000)
  const ids = await insertRows(
    trx,
    'token',
    added.map(({ id, row, wanted }) => ({
      ...(free.has(id) ? { id } : {}),
      ...columnsOfSettings(PLAIN_TOKEN),
      ...wanted,
      key_hash: markOfToken(row),
      key_sealed: vault.seal('token_key', row.key),
      created_time: row.createdTime === 0 ? seconds : row.createdTime,
    })),
  )
  for (const { target, wanted, writes } of rows) {
    if (target === undefined || writes.size === 0) continue
    await updateImportedToken(trx, target, onlyWritten(wanted, writes))
  }
  return new Map(added.map(({ id }, at) => [id, ids[at] ?? 0]))
}
