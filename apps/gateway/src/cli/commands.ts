import cluster from 'node:cluster'
import { constants, setPriority } from 'node:os'
import { adoptAuditCalls } from '@sluice/store/queries/audit/audit'
import { verifyAudit } from '@sluice/store/verify-audit'
import { Command, InvalidArgumentError, Option } from 'commander'
import * as v from 'valibot'
import type { Variable } from '../config-variable.ts'
import { VARIABLES } from '../config-variables.ts'
import { type Config, explainConfig, loadConfig } from '../config.ts'
import { openExisting, openGivenVault } from '../configured.ts'
import { EXPORTED_TABLES, type ExportedName } from '../export/exported-table.ts'
import { openSnapshotReads } from '../snapshot-reads.ts'
import { VERSION } from '../version.ts'
import { backUp } from './back-up.ts'
import type { RestoreFlags } from './bring-checked.ts'
import { addConfigCommands } from './config/config-commands.ts'
import { doctor, type DoctorFlags } from './doctor.ts'
import { exportGateway } from './export-gateway.ts'
import { type ImportFlags, importGateway } from './import-gateway.ts'
import { listStoredBackups } from './list-backups.ts'
import { migrateDatabase, tryMigration } from './migrate-database.ts'
import { moveDatabase, type MoveFlags } from './move-database.ts'
import { printPriceBook } from './price-book.ts'
import { recompute, type RecomputeFiles } from './recompute/recompute.ts'
import { restore } from './restore.ts'
import { rotateKeys } from './rotate-keys.ts'
import { serveProcesses } from './serve-processes.ts'
import { serve, type ServeFlags } from './serve.ts'
import { startSentence } from './start-sentence.ts'
import { verify } from './verify.ts'

const WATCH_SECONDS = 60

const program = new Command('sluice')
  .description('AI API gateway with a console')
  .version(VERSION)
  .addOption(variableOption('--data <folder>', 'where the data is', VARIABLES.dataDir))

program
  .command('serve', { isDefault: true })
  .description('run the gateway, its management API and its console')
  .addOption(variableOption('--port <port>', 'port of the API and the console; 0 takes a free one', VARIABLES.port))
  .addOption(variableOption('--host <address>', 'address to listen on', VARIABLES.host))
  .addOption(variableOption('--processes <count>', 'gateways on this port, on PostgreSQL', VARIABLES.processes))
  .option('--open', 'open the console in the browser')
  .action((flags: ServeFlags) =>
    run((config) =>
      config.processes > 1 && cluster.isPrimary ? serveProcesses(config, flags.open === true) : serve(config, flags),
    ),
  )

program
  .command('migrate')
  .description('migrate the database to the newest step and exit')
  .option('--dry-run', 'only say which steps are pending; on SQLite also how long they take, measured on a copy')
  .action(async ({ dryRun }: { dryRun?: true }) => {
    await run(dryRun ? tryMigration : migrateDatabase)
  })

program
  .command('backup')
  .description('write a checked copy of the database as a SQLite file, and its manifest, even while gateways run')
  .argument('[file]', 'the copy, which must not exist yet; without it one is made where SLUICE_BACKUP_TO says')
  .action((file?: string) => run((config) => backUp(config, file)))

program
  .command('backups')
  .description('list the backups that are where SLUICE_BACKUP_TO says; exit code 1 if one of them is not whole')
  .option('--verify', 'also read all of them and compare their SHA-256')
  .action(({ verify: isFull }: { verify?: true }) => run((config) => listStoredBackups(config, isFull === true)))

program
  .command('restore')
  .description(
    'check a backup, and put it in the place of the SQLite database, which is kept beside it, or into an empty PostgreSQL',
  )
  .argument('<file>', 'a file that "sluice backup" wrote, or s3://bucket/prefix/name')
  .option('--check', 'only say what would happen, also while a gateway runs')
  .option('--without-keys <ids>', 'go on although these master keys are lost', keyIdsOf, [])
  .action((file: string, flags: RestoreFlags) => run((config) => restore(config, file, flags)))

program
  .command('import')
  .description('bring users, balances, tokens, channels, codes, settings and logs of One API, its forks or new-api')
  .argument('<source>', 'a SQLite file, a folder with a CSV or JSONL file per table, postgres://… or mysql://…')
  .option('--dry-run', 'only say what would become of it')
  .option(
    '--name <name>',
    'the name by which the same gateway is known again; another one for each further gateway',
    '',
  )
  .addOption(new Option('--logs <what>', 'what becomes of the log').choices(['none', 'sums', 'rows']).default('sums'))
  .option('--since <date>', 'leave out older log rows', unixSecondsOf, 0)
  .addOption(
    new Option('--debts <what>', 'what becomes of negative balances')
      .choices(['refuse', 'keep', 'forgive'])
      .default('refuse'),
  )
  .addOption(
    new Option('--prices <whose>', 'whose prices count where they differ').choices(['keep', 'book']).default('keep'),
  )
  .option('--leave-out', 'take the rest even if more than one row in a hundred cannot be taken')
  .addOption(
    new Option('--roots <how-many>', 'one: further roots of the source become administrators; all: they are roots here')
      .choices(['one', 'all'])
      .default('one'),
  )
  .option('--watch [seconds]', 'repeat it while the old gateway still runs', secondsOf)
  .option('--json <file>', 'also write the report to a file')
  .action(async (source: string, flags: Omit<ImportFlags, 'watch'> & { readonly watch?: number | true }) => {
    const watch = flags.watch === true ? WATCH_SECONDS : flags.watch
    await run((config) => importGateway(config, source, { ...flags, watch }))
  })

program
  .command('export')
  .description(
    'write users, balances, tokens, channels, codes, settings and logs as CSV files, even while a gateway runs',
  )
  .argument('<folder>', 'where a file per table is written; none of them may exist yet')
  .option('--tables <names>', `only these, of ${EXPORTED_TABLES.join(',')}`, tablesOf, EXPORTED_TABLES)
  .action((folder: string, { tables }: { readonly tables: readonly ExportedName[] }) =>
    run((config) => exportGateway(config, folder, tables)),
  )

program
  .command('doctor')
  .description('say what is wrong with this installation and what to do; exit code 1 for warnings, 2 for problems')
  .option('--json', 'print the findings as JSON')
  .option('--call-providers', 'also send a short request through every enabled channel, which its provider charges for')
  .action((flags: DoctorFlags) => run((config) => doctor(config, flags)))

program
  .command('move')
  .description('move the data to PostgreSQL or to a SQLite file; while a gateway runs, only copy it ahead')
  .option('--to <address>', 'the database that the data goes to: postgres://… or sqlite:FILE, empty or partly moved')
  .option('--to-env <name>', 'the variable that has this address, so that its password is not on the command line')
  .option('--undo', 'let gateways start again on a database whose data was moved away')
  .option('--json <file>', 'also write the report to a file')
  .action(async (flags: MoveFlags) => {
    // It takes a core for as long as it lasts; a running gateway needs it more.
    setPriority(constants.priority.PRIORITY_LOW)
    await run((config) => moveDatabase(config, flags))
  })

const ledger = program.command('ledger').description('the ledger')

ledger
  .command('verify')
  .description('prove every balance, sum and price from the rows; exit code 1 and the first wrong row if that fails')
  .option('--full', 'count every row again, instead of those since the last verification of the gateway')
  .option('--reprice', 'compute the price of every charge again, however old')
  .action(async ({ full, reprice }: { full?: true; reprice?: true }) => {
    const mode = full ? 'full' : reprice ? 'reprice' : 'incremental'
    await run((config) => verify(config, mode))
  })

ledger
  .command('recompute')
  .description('add up an export of charges again, offline; exit code 1 and the first wrong row if it does not add up')
  .requiredOption('--csv <file>', 'the exported charges')
  .requiredOption('--book <file...>', 'the exported prices, in one or several files')
  .action(async (files: RecomputeFiles) => {
    process.exitCode = await recompute(files, (line) => console.log(line))
  })

program
  .command('prices')
  .description('print a price book as JSON')
  .argument('[version]', 'its date, as receipts show it; without it the current one')
  .action(async (version?: string) => {
    process.exitCode = await printPriceBook(version, (text) => console.log(text))
  })

program
  .command('audit')
  .description('the audit log: what administrators did')
  .command('verify')
  .description('prove that no entry was changed, removed or added; exit code 1 and the first wrong one if that fails')
  .action(() => run(verifyAuditLog))

program
  .command('keys')
  .description('the keys that seal stored secrets')
  .command('rotate')
  .description(
    'seal every stored secret under the first master key; safe to interrupt, to repeat and to run beside a gateway',
  )
  .action(() => run(rotateKeys))

const config = program
  .command('config')
  .description('check the configuration of this process; keep options and channels in a file')
  .option('--explain', 'print every variable with its present value, its purpose and an example')
  .action(async (options: { explain?: true }) => {
    if (options.explain) console.log(explainConfig(process.env))
    await run(() => Promise.resolve(0))
  })

addConfigCommands(config, run)

const [name] = program.parseOptions(process.argv.slice(2)).operands
if (name !== undefined && name !== 'help' && !program.commands.some((command) => command.name() === name)) {
  program.error(`There is no command "${name}"; "sluice --help" lists them all.`)
}
await program.parseAsync()
// Without it, a process would wait for the one that started it.
cluster.worker?.disconnect()

/** Loads the configuration, runs a command, and reports each problem that the operator can fix in one sentence. */
async function run(command: (config: Config) => Promise<number>): Promise<void> {
  const { config, problems } = loadConfig(process.env)
  if (config === undefined) {
    for (const problem of problems) console.error(problem)
    process.exitCode = 1
    return
  }
  try {
    process.exitCode = await command(config)
  } catch (error) {
    const sentence = startSentence(error, config)
    if (sentence === undefined) throw error
    console.error(sentence)
    process.exitCode = 1
  }
}

function unixSecondsOf(text: string): number {
  const ms = Date.parse(text)
  if (!Number.isFinite(ms) || ms < 0) throw new InvalidArgumentError('It must be a date such as 2026-01-31.')
  return Math.floor(ms / 1_000)
}

function tablesOf(text: string): readonly ExportedName[] {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !EXPORTED_TABLES.some((table) => table === name))
  if (unknown !== undefined) {
    throw new InvalidArgumentError(`There is no table "${unknown}"; there are ${EXPORTED_TABLES.join(', ')}.`)
  }
  return EXPORTED_TABLES.filter((table) => names.includes(table))
}

function keyIdsOf(text: string): readonly string[] {
  const ids = text.split(',').map((id) => id.trim())
  if (ids.every((id) => /^[0-9a-f]{8}$/.test(id))) return ids
  throw new InvalidArgumentError('It must be ids of 8 hex digits, separated by commas.')
}

function secondsOf(text: string): number {
  const seconds = Number(text)
  if (!Number.isInteger(seconds) || seconds < 5 || seconds > 86_400) {
    throw new InvalidArgumentError('It must be a number of seconds from 5 to 86400.')
  }
  return seconds
}

/** An option that stands for an environment variable and beats it: the variable gets its value in this process. */
function variableOption(flags: string, description: string, { name, schema }: Variable): Option {
  return new Option(flags, `${description} (${name})`).argParser((text: string) => {
    const parsed = v.safeParse(schema, text)
    if (!parsed.success) throw new InvalidArgumentError(`It ${parsed.issues[0].message}.`)
    process.env[name] = text
    return text
  })
}

/** Verifies the audit log, even while the gateway is running; returns 0 when it is intact, otherwise 1. */
async function verifyAuditLog(config: Config): Promise<number> {
  const vault = await openGivenVault(config)
  await using opened = new AsyncDisposableStack()
  const database = await openExisting(config)
  opened.defer(() => database.close())
  const snapshotReads = await openSnapshotReads(database)
  const { rows, open, problem } = await snapshotReads.read((db) => verifyAudit(db, vault))
  await snapshotReads.close()
  const isWhole = problem === undefined
  console.log(`${isWhole ? 'ok   ' : 'WRONG'} ${rows} entries form an unbroken chain`)
  if (problem !== undefined) console.log(`      the first wrong one: ${problem}`)
  if (open > 0) console.log(`      ${open} calls have begun and not ended; those of dead processes become entries`)
  if (isWhole) await adoptAuditCalls(database.kysely, vault, Date.now())
  console.log(
    isWhole ? '\nThe audit log is whole.' : '\nThe audit log was tampered with, or its master key is missing.',
  )
  return isWhole ? 0 : 1
}
