import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Database, openDatabase } from '@sluice/store/database'
import { migrate } from '@sluice/store/migrate'
import { openTestLedgerEngine } from '@sluice/testkit/ledger-engine'
import type { TestPayer } from '@sluice/testkit/ledger-operations'
import { startLocalPostgres } from '@sluice/testkit/local-postgres'
import { administer, databaseUrl } from '@sluice/testkit/postgres-databases'
import { type LoadedLedger, openGroupCommit, openPlain } from './ledger/books.ts'
import { drive, openPayers, type Throughput } from './ledger/drive.ts'
import { median } from './statistics.ts'

/**
 * `npm run bench -- ledger`: requests per second that are held and charged, each durable, by Sluice's ledger and by a plain version
 * with a transaction for each, on SQLite and on PostgreSQL, all on one hot account and spread over 1,000. They take turns, and a
 * ratio compares two figures of the same round. `--quick` does one short round.
 */
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    /** Simultaneous requests. */
    'in-flight': { type: 'string', default: '64' },
  },
})
const inFlight = Number(values['in-flight'])
const rounds = values.quick ? 1 : 3
const seconds = values.quick ? 1 : 5
const ACCOUNTS = 1_000

/** `money` and `all` are plain versions: the first writes less than Sluice, the second the same rows. */
const WAYS = ['money', 'all', 'Sluice'] as const
type LedgerVariant = (typeof WAYS)[number]

/** One implementation's own database, with its ledger. */
interface Desk {
  readonly books: LoadedLedger
  readonly payers: readonly TestPayer[]
  requests: number
  close(): Promise<void>
}

const directory = await mkdtemp(join(tmpdir(), 'sluice-bench-ledger-'))
const server = await startLocalPostgres({ durable: true })
try {
  console.log(
    `${inFlight} requests under way, ${rounds} × ${seconds} s each; a request is a hold and a charge, each on disk\n`,
  )
  console.log(
    row(
      '',
      '',
      ...WAYS.flatMap((variant) => [variant === 'Sluice' ? variant : `plain, ${variant}`, '', '']),
      'Sluice times plain',
    ),
  )
  console.log(row('', 'accounts', ...WAYS.flatMap(() => ['per s', 'p50 ms', 'p99 ms']), 'money', 'all'))
  await measure('SQLite', async (variant) => await openDatabase({ sqliteFile: join(directory, `${variant}.db`) }))
  await measure('PostgreSQL', async (variant) => {
    await administer(server.url, `create database "${variant}"`)
    return await openDatabase({ url: databaseUrl(server.url, variant) })
  })
} finally {
  await server.stop()
  await rm(directory, { recursive: true, force: true })
}

async function measure(engine: string, open: (variant: LedgerVariant) => Promise<Database>): Promise<void> {
  const desks = {
    money: await openDesk('money', open),
    all: await openDesk('all', open),
    Sluice: await openDesk('Sluice', open),
  }
  for (const accounts of [1, ACCOUNTS]) {
    const measured: Record<LedgerVariant, Throughput>[] = []
    for (let round = 0; round < rounds; round++) {
      const run = async (variant: LedgerVariant): Promise<Throughput> => {
        const desk = desks[variant]
        const throughput = await drive(desk.books, desk.payers.slice(0, accounts), { inFlight, seconds })
        desk.requests += throughput.requests
        return throughput
      }
      measured.push({ money: await run('money'), all: await run('all'), Sluice: await run('Sluice') })
    }
    report(engine, accounts, measured)
  }
  for (const variant of WAYS) await desks[variant].close()
}

async function openDesk(variant: LedgerVariant, open: (variant: LedgerVariant) => Promise<Database>): Promise<Desk> {
  const database = await open(variant)
  await migrate(database)
  const engine = await openTestLedgerEngine(database)
  const payers = await openPayers(engine, ACCOUNTS)
  await engine.close()
  const books = variant === 'Sluice' ? await openGroupCommit(database) : await openPlain(database, inFlight, variant)
  const desk: Desk = {
    books,
    payers,
    requests: 0,
    close: async () => {
      await books.close(desk.requests)
      await database.close()
    },
  }
  return desk
}

function report(engine: string, accounts: number, measured: readonly Record<LedgerVariant, Throughput>[]): void {
  const figures = WAYS.flatMap((variant) => {
    const middle = (pick: (figure: Throughput) => number): number => median(measured.map((each) => pick(each[variant])))
    return [
      middle(({ perSecond }) => perSecond).toFixed(0),
      middle(({ p50Ms }) => p50Ms).toFixed(1),
      middle(({ p99Ms }) => p99Ms).toFixed(1),
    ]
  })
  const times = (variant: LedgerVariant): string =>
    median(measured.map((each) => each.Sluice.perSecond / each[variant].perSecond)).toFixed(1)
  console.log(row(engine, String(accounts), ...figures, times('money'), times('all')))
}

function row(first: string, ...cells: readonly string[]): string {
  return first.padEnd(12) + cells.map((cell) => cell.padStart(10)).join('')
}
