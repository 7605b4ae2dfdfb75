import { decimalText, MQ_PLACES, parseDecimalText } from '@sluice/ledger/decimal-text'
import type { Row } from '@sluice/ledger/proof/verify'
import type { StoredMovement, StoredPrice } from '@sluice/store/queries/ledger/movements'
import { ledgerHistories } from '@sluice/testkit/ledger-histories'
import { runHistory } from '@sluice/testkit/ledger-history'
import { openLedgerOnSqlite, type LedgerOnSqlite } from '@sluice/testkit/ledger-sqlite'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { receiptOf } from './receipt.ts'

const KINDS = `('consume', 'adjust', 'refund', 'admin-refund')`
const ORDER = `case kind when 'consume' then 0 when 'admin-refund' then 2 else 1 end`

describe('receipts after any history', () => {
  let books: LedgerOnSqlite
  beforeAll(() => {
    books = openLedgerOnSqlite()
  })
  afterAll(() => books.close())

  it('add up, request by request, and together state what all were charged', { timeout: 120_000 }, async () => {
    const replicas = {
      engines: { r1: books.openEngine(), r2: books.openEngine() },
      read: books.read,
      addCode: async (row: Parameters<typeof books.add>[1]) => books.add('redemption', row),
      write: async (text: string) => books.connection.exec(text),
    }
    await fc.assert(
      fc.asyncProperty(ledgerHistories(60), async (history) => {
        books.empty()
        await runHistory(replicas, history)
        const prices = new Map(
          (await books.read('select * from price')).map((row) => [Number(row['id']), priceOf(row)]),
        )
        const rows = await books.read(`select * from transfer where kind in ${KINDS} order by ${ORDER}, at_ms`)
        let paid = 0n
        for (const [requestId, movements] of Map.groupBy(rows.map(movementOf), (movement) => movement.requestId)) {
          const stored = { requestId, movements, prices, log: undefined, trace: undefined }
          const receipt = receiptOf(stored, { showChannel: true })
          expect(receipt).toMatchObject({ fault: '', missing: ['log', 'trace'] })
          const moved = receipt?.movements.map(({ amount }) => parseDecimalText(amount, MQ_PLACES) ?? 0n) ?? []
          const sum = moved.reduce((total, amount) => total + amount, 0n)
          expect(receipt?.net).toBe(decimalText(sum, MQ_PLACES))
          paid += sum
        }
        const [revenue] = await books.read(`select posted from account where kind = 'system' and owner_id = 2`)
        expect(paid).toBe(revenue === undefined ? 0n : integer(revenue, 'posted'))
      }),
      { numRuns: 40 },
    )
  })
})

const integer = (row: Row, column: string): bigint => BigInt(String(row[column]))
const text = (row: Row, column: string): string | null => row[column] as string | null

function movementOf(row: Row): StoredMovement {
  return {
    requestId: text(row, 'refers_to') ?? String(row['request_id']),
    userId: undefined,
    actorName: '',
    kind: String(row['kind']),
    amount: integer(row, 'amount'),
    price_id: row['price_id'] === null ? null : Number(row['price_id']),
    input_tokens: Number(row['input_tokens']),
    cached_tokens: Number(row['cached_tokens']),
    cache_write_5m_tokens: Number(row['cache_write_5m_tokens']),
    cache_write_1h_tokens: Number(row['cache_write_1h_tokens']),
    output_tokens: Number(row['output_tokens']),
    units: text(row, 'units'),
    channel_id: Number(row['channel_id']),
    model: String(row['model']),
    actor: Number(row['actor']),
    reason: String(row['reason']),
    at_ms: Number(row['at_ms']),
  }
}

function priceOf(row: Row): StoredPrice {
  return {
    id: Number(row['id']),
    input: integer(row, 'input'),
    cached_input: integer(row, 'cached_input'),
    cache_write_5m: integer(row, 'cache_write_5m'),
    cache_write_1h: integer(row, 'cache_write_1h'),
    output: integer(row, 'output'),
    units: text(row, 'units'),
    group_ratio: integer(row, 'group_ratio'),
    source: String(row['source']),
  }
}
