import { disableCodes } from '@sluice/store/queries/imports/gone-rows'
import { findTargets } from '@sluice/store/queries/imports/imported'
import {
  findSpentCodes,
  findTaken,
  freeIds,
  insertRows,
  updateImportedCode,
} from '@sluice/store/queries/imports/imported-rows'
import { readCodesHere } from '@sluice/store/queries/imports/rows-here'
import type { Schema } from '@sluice/store/schema/schema'
import { REDEMPTION_STATUS } from '@sluice/store/statuses'
import type { Kysely, Transaction } from 'kysely'
import type { ImportContext } from '../import-context.ts'
import { CODE_COLUMNS, markOfCode, type SourceCode, takeCode } from '../take/take-code.ts'
import {
  type Against,
  type BroughtTable,
  type MergedRow,
  onlyWritten,
  STATUS,
  SWITCHED_OFF,
  type TakenRow,
} from './table.ts'

const MQ_PER_POINT = 1_000n

export interface CodeSetting {
  readonly seen: (id: number, code: SourceCode) => void
  /** Called with the difference between codes changed here and the source: the number of unused codes, and their sum in mq. */
  readonly settled: (unused: number, amount: bigint) => void
}

/** The family's table `redemptions`. A used code is imported as used, so it never pays here. */
export function codesTable(
  context: ImportContext,
  { seen, settled }: CodeSetting,
): BroughtTable<SourceCode, WantedCode> {
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
      // A code that has paid here is no longer part of the import, whatever the source says about it.
      const spent = await findSpentCodes(
        database.kysely,
        rows.flatMap(({ target }) => (target === undefined ? [] : [target])),
      )
      const against = new Map<number, Against>()
      for (const { id, row, target } of rows) {
        const here = taken.get(markOfCode(row))
        if (target !== undefined && spent.has(target)) against.set(id, 'skip')
        if (here === undefined || here === target) continue
        against.set(id, { field: 'key', problem: `belongs to code ${here} here, which was not imported from this row` })
      }
      return against
    },
    wanted: async (db, rows) => await wantedCodes(context, db, rows),
    here: async (db, engine, ids) => {
      const rows = await readCodesHere(db, engine, ids)
      return new Map(rows.map(({ id, ...values }) => [id, values]))
    },
    rules: {
      // The code has paid at the source, so it must not pay again, whatever was decided here.
      goesFirst: ({ field, wanted }) => field === STATUS && wanted === REDEMPTION_STATUS.used,
      staysBecause: ({ field, found }) =>
        field === STATUS && found === REDEMPTION_STATUS.used ? 'has been used: stays used' : undefined,
      isSafer: ({ field, wanted }) => field === STATUS && wanted === SWITCHED_OFF,
    },
    // The sums of codes are compared, and people change codes here.
    isAlwaysCompared: () => true,
    merged: (row) => settled(...difference(row)),
    write: async (trx, rows) => await writeCodes(context, trx, rows),
    gone: disableCodes,
    seen,
  }
}

type WantedCode = Awaited<ReturnType<typeof wantedCodes>> extends ReadonlyMap<number, infer Wanted> ? Wanted : never

async function wantedCodes({ name }: ImportContext, db: Kysely<Schema>, rows: readonly TakenRow<SourceCode>[]) {
  const users = await findTargets(
    db,
    name,
    'user',
    rows.map(({ row }) => row.createdBy),
  )
  const columns = (row: SourceCode) => ({
    name: row.name,
    status: row.status,
    amount: BigInt(row.quota) * MQ_PER_POINT,
    created_by: users.get(row.createdBy) ?? 0,
    expired_time: row.expiredTime,
  })
  return new Map(rows.map(({ id, row }) => [id, columns(row)]))
}

/** By how much a written code exceeds its value at the source. */
function difference({ wanted, here, writes, target }: MergedRow<SourceCode, WantedCode>): readonly [number, bigint] {
  if (target === undefined) return [0, 0n]
  const after = { ...wanted, ...here, ...onlyWritten(wanted, writes) }
  const isCounted = (status: unknown): boolean => status === REDEMPTION_STATUS.unused
  const amount = isCounted(after.status) ? after.amount : 0n
  const wantedAmount = isCounted(wanted.status) ? wanted.amount : 0n
  return [Number(isCounted(after.status)) - Number(isCounted(wanted.status)), amount - wantedAmount]
}

async function writeCodes(
  { database, name, vault, now }: ImportContext,
  trx: Transaction<Schema>,
  rows: readonly MergedRow<SourceCode, WantedCode>[],
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
    rows.map(({ row }) => row.usedBy),
  )
  const seconds = Math.floor(now() / 1_000)
  const useOf = ({ status, usedBy, usedTime }: SourceCode) => {
    const isUsed = status === REDEMPTION_STATUS.used
    return {
      redeemed_by: isUsed ? (users.get(usedBy) ?? 0) : 0,
      redeemed_ms: isUsed ? usedTime * 1_000 : 0,
      used_before: isUsed ? 1 : 0,
    }
  }
  const ids = await insertRows(
    trx,
    'redemption',
    added.map(({ id, row, wanted }) => ({
      ...(free.has(id) ? { id } : {}),
      ...wanted,
      ...useOf(row),
      key_hash: markOfCode(row),
      key_sealed: vault.seal('redemption', row.code),
      created_time: row.createdTime === 0 ? seconds : row.createdTime,
      deleted_time: 0,
    })),
  )
  for (const { row, target, wanted, writes } of rows) {
    if (target === undefined || writes.size === 0) continue
    await updateImportedCode(trx, target, {
      ...onlyWritten(wanted, writes),
      ...(writes.has(STATUS) && useOf(row)),
    })
  }
  return new Map(added.map(({ id }, at) => [id, ids[at] ?? 0]))
}
