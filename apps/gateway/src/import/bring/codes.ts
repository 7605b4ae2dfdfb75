import { disableCodes } from '@sluice/store/queries/imports/gone-rows'
import { findTargets } from '@sluice/store/queries/imports/imported'
import {
  findSpentCodes,
  findTaken,
  freeIds,
  insertRows,
  updateImportedCode,
} from '@sluice/store/queries/imports/imported-rows'
import type { Schema } from '@sluice/store/schema/schema'
import { REDEMPTION_STATUS } from '@sluice/store/statuses'
import type { Transaction } from 'kysely'
import type { ImportContext } from '../import-context.ts'
import { CODE_COLUMNS, markOfCode, type SourceCode, takeCode } from '../take/take-code.ts'
import type { Against, BroughtTable, TakenRow } from './walk.ts'

const MQ_PER_POINT = 1_000n

/** `redemptions` of the family. A used code is brought as one that was used before: it never pays here. */
export function codesTable(
  context: ImportContext,
  seen: (id: number, code: SourceCode) => void,
): BroughtTable<SourceCode> {
  const { database } = context
  return {
    kind: 'redemption',
    table: 'redemptions',
    columns: CODE_COLUMNS,
    take: takeCode,
    mark: markOfCode,
    replaces: true,
    distinct: ({ code }) => [['key', code]],
    isAnnounced: false,
    amounts: () => ({ quota: 0, used: 0, requests: 0 }),
    profile: (code) => code,
    refer: async (rows) => {
      const taken = await findTaken(
        database.kysely,
        'redemption',
        rows.map(({ row }) => markOfCode(row)),
      )
      // What has paid here is no longer part of what was brought, whatever the source says of it.
      const spent = await findSpentCodes(
        database.kysely,
        rows.flatMap(({ target }) => (target === undefined ? [] : [target])),
      )
      const against = new Map<number, Against>()
      for (const { id, row, target } of rows) {
        const here = taken.get(markOfCode(row))
        if (target !== undefined && spent.has(target)) against.set(id, 'skip')
        if (here === undefined || here === target) continue
        against.set(id, { field: 'key', problem: `is that of code ${here} here, which was not imported from this row` })
      }
      return against
    },
    write: async (trx, rows) => await writeCodes(context, trx, rows),
    gone: disableCodes,
    seen,
  }
}

async function writeCodes(
  { database, name, vault, now }: ImportContext,
  trx: Transaction<Schema>,
  rows: readonly TakenRow<SourceCode>[],
): Promise<ReadonlyMap<number, number>> {
  const added = rows.filter(({ target }) => target === undefined)
  const free = await freeIds(
    trx,
    database.engine,
    'redemption',
    added.map(({ id }) => id),
  )
  const users = await findTargets(
    trx,
    name,
    'user',
    rows.flatMap(({ row }) => [row.createdBy, row.usedBy]),
  )
  const seconds = Math.floor(now() / 1_000)
  const columns = (row: SourceCode) => {
    const isUsed = row.status === REDEMPTION_STATUS.used
    return {
      name: row.name,
      status: row.status,
      amount: BigInt(row.quota) * MQ_PER_POINT,
      created_by: users.get(row.createdBy) ?? 0,
      redeemed_by: isUsed ? (users.get(row.usedBy) ?? 0) : 0,
      redeemed_ms: isUsed ? row.usedTime * 1_000 : 0,
      used_before: isUsed ? 1 : 0,
      expired_time: row.expiredTime,
    }
  }
  const ids = await insertRows(
    trx,
    'redemption',
    added.map(({ id, row }) => ({
      ...(free.has(id) ? { id } : {}),
      ...columns(row),
      key_hash: markOfCode(row),
      key_sealed: vault.seal('redemption', row.code),
      created_time: row.createdTime === 0 ? seconds : row.createdTime,
      deleted_time: 0,
    })),
  )
  for (const { row, target } of rows) {
    if (target !== undefined) await updateImportedCode(trx, target, columns(row))
  }
  return new Map(added.map(({ id }, at) => [id, ids[at] ?? 0]))
}
