import { createHash } from 'node:crypto'
import type { ImportTotals } from '@sluice/contract/import'
import {
  listImportedAccounts,
  readImportTotals,
  sumTransfersByAccount,
} from '@sluice/store/queries/imports/import-totals'
import { findImportPosition } from '@sluice/store/queries/imports/imported-usage'
import { REDEMPTION_STATUS } from '@sluice/store/statuses'
import type { UsageTotals } from './bring/usage.ts'
import type { ImportContext } from './import-context.ts'
import type { SourceCode } from './take/take-code.ts'
import type { SourceToken } from './take/take-token.ts'

const MQ_PER_POINT = 1_000n
const PAGE = 5_000

export interface ChangedCodes {
  readonly unused: number
  readonly amount: bigint
}

/** Sums the imported rows of the source in the order of their ids. */
export class SourceTotals {
  readonly #digest = createHash('sha256')
  #users = 0
  #balances = 0n
  #tokens = 0
  #limits = 0n
  #channels = 0
  #codesUnused = 0
  #codes = 0n
  /** By how much codes changed here exceed the source: the number of unused codes, and their sum in mq. */
  #changedCodes: ChangedCodes = { unused: 0, amount: 0n }
  usage: UsageTotals = { requests: 0, used: 0n }

  user(id: number, quota: number): void {
    this.#users += 1
    this.#balances += BigInt(quota)
    this.#digest.update(line(id, BigInt(quota)))
  }

  token({ remain }: SourceToken): void {
    this.#tokens += 1
    this.#limits += BigInt(remain)
  }

  channel(): void {
    this.#channels += 1
  }

  code({ status, quota }: SourceCode): void {
    if (status !== REDEMPTION_STATUS.unused) return
    this.#codesUnused += 1
    this.#codes += BigInt(quota)
  }

  changedCode(unused: number, amount: bigint): void {
    const sum = this.#changedCodes
    this.#changedCodes = { unused: sum.unused + unused, amount: sum.amount + amount }
  }

  get changedCodes(): ChangedCodes {
    return this.#changedCodes
  }

  totals(): ImportTotals {
    return {
      users: this.#users,
      balances: String(this.#balances),
      digest: this.#digest.copy().digest('hex'),
      tokens: this.#tokens,
      limits: String(this.#limits),
      channels: this.#channels,
      codes_unused: this.#codesUnused,
      codes: String(this.#codes),
      requests: this.usage.requests,
      used: String(this.usage.used),
    }
  }
}

/** The same totals from the ledger's transfers and the tables here, regardless of the records of rows. */
export async function totalsHere({
  database,
  name,
}: Pick<ImportContext, 'database' | 'name'>): Promise<{ readonly totals: ImportTotals; readonly balancesNow: string }> {
  const db = database.kysely
  const brought = await sumTransfersByAccount(db, name)
  const digest = createHash('sha256')
  let users = 0
  let balances = 0n
  let after = 0
  for (;;) {
    const rows = await listImportedAccounts(db, name, { after, limit: PAGE })
    for (const { sourceId, account } of rows) {
      const points = (account === null ? 0n : (brought.get(account) ?? 0n)) / MQ_PER_POINT
      users += 1
      balances += points
      digest.update(line(sourceId, points))
      after = sourceId
    }
    if (rows.length < PAGE) break
  }
  const { tokens, limits, channels, unusedCodes, codes, balancesNow } = await readImportTotals(db, name)
  const { requests, amount } = await findImportPosition(db, name)
  const totals = {
    users,
    balances: String(balances),
    digest: digest.digest('hex'),
    tokens,
    limits: String(limits / MQ_PER_POINT),
    channels,
    codes_unused: unusedCodes,
    codes: String(codes / MQ_PER_POINT),
    requests,
    used: String(amount / MQ_PER_POINT),
  }
  return { totals, balancesNow: String(balancesNow / MQ_PER_POINT) }
}

function line(id: number, points: bigint): string {
  return `${id}:${points}\n`
}
