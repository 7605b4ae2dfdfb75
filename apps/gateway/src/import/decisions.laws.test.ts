// @module-tag slow
import { mqFromQuota } from '@sluice/ledger/units'
import type { TestSource } from '@sluice/testkit/import/foreign-sources'
import { type GeneratedGateway, writeGateway } from '@sluice/testkit/import/generated-gateway'
import { type ImportBench, openImportBench } from '@sluice/testkit/import/import-bench'
import { testSettlement } from '@sluice/testkit/ledger-operations'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

/** Users per example, each with a token, a code and a channel and an independent history; all share the imports. */
const HISTORIES = 20
const IMPORTS = 3
const EXAMPLES = Number(process.env['SLUICE_LAW_RUNS'] ?? 5)
const PATIENT = { timeout: 60_000 + EXAMPLES * 30_000 }

type Value = string | number | null
type Table = 'users' | 'tokens' | 'redemptions' | 'channels'

interface WatchedField {
  readonly table: Table
  /** Column at the source, and here if it differs. */
  readonly source: string
  readonly here: string
  readonly first: Value
  readonly changes: (n: number) => Value
  /** The local change that protects it; undefined where it is protected already. */
  readonly protects: (n: number, now: Value) => Value | undefined
  /** The part of the source's change that an import applies; all of it by default. */
  readonly follows?: (wanted: Value, now: Value) => Value
  /** Whether the source's value takes precedence over a decision here. */
  readonly goesFirst?: (wanted: Value) => boolean
  readonly endsSessions?: true
}

const secret = (n: number): string => `JBSWY3DPEHPK3P${'ABCDEFGHIJKLMNOP'[n % 16]}${'ABCDEFGHIJKLMNOP'[(n >> 4) % 16]}`
const off = (_: number, now: Value) => (now === 1 ? 2 : undefined)
const hash = (n: number): string => `$2a$04$${String(n).padStart(3, '0')}${'a'.repeat(50)}`
const field = (
  table: Table,
  source: string,
  first: Value,
  rest: Pick<WatchedField, 'changes' | 'protects'> & Partial<WatchedField>,
): WatchedField => ({ table, source, here: source, first, ...rest })

const FIELDS: readonly WatchedField[] = [
  field('users', 'display_name', 'name', { changes: (n) => `there ${n}`, protects: (n) => `here ${n}` }),
  field('users', 'email', '', { changes: (n) => `t${n}@there.example`, protects: (n) => `h${n}@here.example` }),
  field('users', 'password', hash(0), {
    here: 'password_hash',
    changes: hash,
    protects: (n) => `own ${n}`,
    endsSessions: true,
  }),
  field('users', 'role', 10, {
    changes: (n) => (n % 2 === 0 ? 1 : 10),
    protects: (_, now) => (now === 10 ? 1 : undefined),
    endsSessions: true,
  }),
  field('users', 'status', 1, { changes: (n) => 1 + (n % 2), protects: off, endsSessions: true }),
  field('users', 'totp_secret', null, {
    here: 'totp_sealed',
    changes: (n) => (n % 3 === 0 ? null : secret(n)),
    protects: (n, now) => (now === null ? secret(n + 5) : undefined),
    // A second step is never switched off.
    follows: (wanted, now) => wanted ?? now,
    endsSessions: true,
  }),
  field('tokens', 'status', 1, { changes: (n) => 1 + (n % 2), protects: off }),
  field('tokens', 'expired_time', -1, { changes: (n) => 2_000_000_000 + n, protects: (n) => 1_900_000_000 + n }),
  field('tokens', 'subnet', null, {
    changes: (n) => (n % 3 === 0 ? null : `10.0.${n % 256}.0/24`),
    protects: (n) => `10.1.${n % 256}.1/32`,
  }),
  field('tokens', 'models', null, {
    changes: (n) => (n % 3 === 0 ? null : `gpt-${n}`),
    protects: (n) => `only-${n}`,
  }),
  field('redemptions', 'status', 1, {
    changes: (n) => 1 + (n % 3),
    protects: off,
    // It has paid: no import makes it pay again.
    follows: (wanted, now) => (now === 3 ? 3 : wanted),
    goesFirst: (wanted) => wanted === 3,
  }),
  field('channels', 'status', 1, { changes: (n) => 1 + (n % 2), protects: off }),
  field('channels', 'models', 'gpt-4o', { changes: (n) => `gpt-4o,m${n}`, protects: (n) => `own-${n}` }),
]

const HERE: Readonly<Record<Table, string>> = {
  users: 'user',
  tokens: 'token',
  redemptions: 'redemption',
  channels: 'channel',
}

const event = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('source', 'here'),
      field: fc.nat(FIELDS.length - 1),
      n: fc.integer({ min: 1, max: 250 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('charge'), field: fc.constant(0), n: fc.integer({ min: 1, max: 9 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('balance'), field: fc.constant(0), n: fc.integer({ min: 1, max: 9 }) }),
  },
)
const gap = fc.array(event, { maxLength: 5 })
const example = fc.array(fc.array(gap, { minLength: IMPORTS, maxLength: IMPORTS }), {
  minLength: HISTORIES,
  maxLength: HISTORIES,
})

interface Tracked {
  source: Value
  here: Value
  isDecided: boolean
}

/** Ids count from 1, but root is the first user. */
const idOf = (table: Table, at: number): number => (table === 'users' ? at + 2 : at + 1)

const FIRST: GeneratedGateway = {
  family: 'laisky',
  users: Array.from({ length: HISTORIES + 1 }, (_, at) => ({
    id: at + 1,
    name: at === 0 ? 'root' : `user${at + 1}`,
    isRoot: at === 0,
    hasCode: true,
    isDeleted: false,
    quota: 1_000_000,
    reward: 0,
    hostile: undefined,
  })),
  tokens: Array.from({ length: HISTORIES }, (_, at) => ({
    id: at + 1,
    userId: at + 2,
    key: `key${at}${'x'.repeat(40)}`,
    isUnlimited: false,
    remain: 500_000,
    hostile: undefined,
  })),
  channels: Array.from({ length: HISTORIES }, (_, at) => ({
    id: at + 1,
    type: 1,
    createdTime: 1_700_000_000 + at,
    hostile: undefined,
  })),
  codes: Array.from({ length: HISTORIES }, (_, at) => ({
    id: at + 1,
    code: `code-${at}-0123456789`,
    status: 1,
    quota: 10 + at,
    hostile: undefined,
  })),
  logs: [],
}

class World {
  readonly #bench: ImportBench
  readonly #source: TestSource
  readonly #tracked = new Map<string, Tracked>()
  readonly #spent = new Map<number, bigint>()
  readonly #balances = new Map<number, number>()
  #charges = 0

  constructor(bench: ImportBench, source: TestSource) {
    this.#bench = bench
    this.#source = source
    for (let at = 0; at < HISTORIES; at += 1) {
      for (const { first, ...watched } of FIELDS)
        this.#tracked.set(keyOf(at, watched), { source: first, here: first, isDecided: false })
      this.#balances.set(at, 1_000_000)
    }
  }

  tracked(at: number, watched: Pick<WatchedField, 'table' | 'source'>): Tracked {
    const found = this.#tracked.get(keyOf(at, watched))
    if (found === undefined) throw new Error('every field is tracked')
    return found
  }

  async begin(): Promise<void> {
    await this.#source.run(
      FIELDS.map(
        ({ table, source, first }) =>
          `update ${table} set ${source} = ${literal(first)}${table === 'users' ? ' where id > 1' : ''}`,
      ).join(';'),
    )
    await this.#import()
  }

  async apply(
    at: number,
    { kind, field: place, n }: { readonly kind: string; readonly field: number; readonly n: number },
  ) {
    const watched = FIELDS[place]
    if (kind === 'charge') return await this.#charge(at, n)
    if (kind === 'balance') return await this.#setBalance(at, 1_000_000 + n * 1_000)
    if (watched === undefined) return
    const state = this.tracked(at, watched)
    if (kind === 'source') {
      state.source = watched.changes(n)
      await this.#source.run(
        `update ${watched.table} set ${watched.source} = ${literal(state.source)} where id = ${idOf(watched.table, at)}`,
      )
      return
    }
    const value = watched.protects(n, state.here)
    if (value === undefined || value === state.here) return
    state.here = value
    state.isDecided = true
    const stored = watched.here === 'totp_sealed' ? this.#bench.vault.seal('totp', String(value)) : value
    await sql`update ${sql.table(HERE[watched.table])} set ${sql.ref(watched.here)} = ${stored} where id = ${idOf(watched.table, at)}`.execute(
      this.#bench.database.kysely,
    )
  }

  /** Imports, and compares every field with this test's own expectation. */
  async importAndCompare(): Promise<void> {
    const db = this.#bench.database.kysely
    await sql`delete from session`.execute(db)
    for (let at = 0; at < HISTORIES; at += 1) {
      await db
        .insertInto('session')
        .values({ id_hash: `s${at}`, user_id: at + 2, created_time: 1, expires_time: 9e9 })
        .execute()
    }
    const ended = new Set<number>()
    for (let at = 0; at < HISTORIES; at += 1) {
      for (const watched of FIELDS) {
        const state = this.tracked(at, watched)
        const isFollowed = !state.isDecided || watched.goesFirst?.(state.source) === true
        const next = watched.follows?.(state.source, state.here) ?? state.source
        if (!isFollowed || next === state.here) continue
        state.here = next
        if (watched.endsSessions) ended.add(at)
      }
    }
    await this.#import()
    for (const table of ['users', 'tokens', 'redemptions', 'channels'] as const) {
      const { rows } = await sql<Record<string, Value>>`select * from ${sql.table(HERE[table])}`.execute(db)
      const byId = new Map(rows.map((row) => [row['id'], row]))
      for (let at = 0; at < HISTORIES; at += 1) {
        const row = byId.get(idOf(table, at)) ?? {}
        for (const watched of FIELDS.filter((one) => one.table === table)) {
          const found = this.#opened(watched, row[watched.here] ?? null)
          expect([at, table, watched.source, found]).toEqual([
            at,
            table,
            watched.source,
            this.tracked(at, watched).here,
          ])
        }
      }
    }
    const sessions = await db.selectFrom('session').select('user_id').execute()
    const left = sessions.map(({ user_id: user }) => user - 2).toSorted((a, b) => a - b)
    expect(left).toEqual([...Array(HISTORIES).keys()].filter((at) => !ended.has(at)))
    const accounts = await db.selectFrom('account').select(['owner_id', 'posted']).where('kind', '=', 'user').execute()
    for (const { owner_id: owner, posted } of accounts) {
      const at = owner - 2
      if (at < 0) continue
      expect([at, posted + (this.#spent.get(at) ?? 0n)]).toEqual([at, mqFromQuota(this.#balances.get(at) ?? 0)])
    }
  }

  async #import(): Promise<void> {
    const { outcome, reason, report } = await this.#bench.bring(this.#source.source)
    expect([outcome, reason]).toEqual(['done', ''])
    const { codes: _, codes_unused: __, ...sums } = report?.before ?? {}
    expect(report?.after).toMatchObject(sums)
  }

  async #setBalance(at: number, quota: number): Promise<void> {
    this.#balances.set(at, quota)
    await this.#source.run(`update users set quota = ${quota} where id = ${at + 2}`)
  }

  async #charge(at: number, n: number): Promise<void> {
    const { ledger } = this.#bench
    const account = await ledger.openAccount('user', at + 2, false)
    const limitAccount = await ledger.openAccount('token', at + 1, false)
    if (account === 'unavailable' || limitAccount === 'unavailable') throw new Error('the ledger does not answer')
    this.#charges += 1
    const requestId = `0193000000007000800000000000${String(this.#charges).padStart(4, '0')}`
    const amount = mqFromQuota(n * 10)
    expect(await ledger.hold({ requestId, account, limitAccount, amount, durable: true })).toBe('held')
    const settlement = testSettlement({ userId: at + 2, tokenId: at + 1, account, limitAccount }, requestId, n)
    expect(await ledger.settle(settlement)).toBe('charged')
    this.#spent.set(at, (this.#spent.get(at) ?? 0n) + settlement.amount)
  }

  #opened({ here }: WatchedField, value: Value): Value {
    if (here !== 'totp_sealed' || value === null) return value
    const opened = this.#bench.vault.open('totp', String(value))
    return opened.ok ? opened.text : 'sealed by another key'
  }
}

const keyOf = (at: number, { table, source }: Pick<WatchedField, 'table' | 'source'>): string =>
  `${at} ${table} ${source}`
const literal = (value: Value): string => (value === null ? 'null' : `'${value}'`)

describe('an import that is repeated while both sides change', () => {
  it('follows the source, and undoes nothing that was decided here', PATIENT, async () => {
    await fc.assert(
      fc.asyncProperty(example, async (histories) => {
        const bench = await openImportBench('sqlite')
        const source = await writeGateway(FIRST)
        try {
          const world = new World(bench, source)
          await world.begin()
          for (let pass = 0; pass < IMPORTS; pass += 1) {
            for (const [at, gaps] of histories.entries()) for (const one of gaps[pass] ?? []) await world.apply(at, one)
            await world.importAndCompare()
          }
          expect(await bench.broken()).toEqual([])
        } finally {
          await bench.close()
          await source.remove()
        }
      }),
      { numRuns: EXAMPLES },
    )
  })
})
