import cluster from 'node:cluster'
import { constants, setPriority } from 'node:os'
import { adoptAuditCalls } from '@sluice/store/queries/audit/audit'
import { openSnapshotReads } from '@sluice/store/snapshot-reads'
import { verifyAudit } from '@sluice/store/verify-audit'
import { Command, InvalidArgumentError, Option } from 'commander'
import * as v from 'valibot'
import { openExisting, openGivenVault } from '../environment/configured.ts'
import { type Config, explainConfig, loadConfig } from '../environment/environment.ts'
import type { Variable } from '../environment/variable.ts'
import { VARIABLES } from '../environment/variables.ts'
import { EXPORTED_TABLES, type ExportedName } from '../export/exported-table.ts'
import { VERSION } from '../process/identity.ts'
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
  .addOption(variableOption('--port <port>', 'port of the API and the console; 0 picks a free one', VARIABLES.port))
  .addOption(variableOption('--host <address>', 'address to listen on', VARIABLES.host))
  .addOption(
    variableOption(
      '--processes <count>',
      'number of gateway processes on this port (PostgreSQL only)',
      VARIABLES.processes,
    ),
  )
  .option('--open', 'open the console in the browser')
  .action((flags: ServeFlags) =>
    run((config) =>
      config.processes > 1 && cluster.isPrimary ? serveProcesses(config, flags.open === true) : serve(config, flags),
    ),
  )

program
  .command('migrate')
  .description('migrate the database to the newest schema and exit')
  .option('--dry-run', 'only list the pending steps; on SQLite, also measure on a copy how long they take')
  .action(async ({ dryRun }: { dryRun?: true }) => {
    await run(dryRun ? tryMigration : migrateDatabase)
  })

program
  .command('backup')
  .description('write a checked copy of the database as a SQLite file, and its manifest, even while gateways run')
  .argument('[file]', 'path of the copy, which must not exist yet; the default is a new file in SLUICE_BACKUP_TO')
  .action((file?: string) => run((config) => backUp(config, file)))

program
  .command('backups')
  .description('list the backups in SLUICE_BACKUP_TO; exit code 1 if one of them is incomplete')
  .option('--verify', 'also read them all and compare their SHA-256')
  .action(({ verify: isFull }: { verify?: true }) => run((config) => listStoredBackups(config, isFull === true)))

program
  .command('restore')
  .description(
    'check a backup and restore it: over the SQLite database, which is kept under another name, or into an empty PostgreSQL database',
  )
  .argument('<file>', 'a file that "sluice backup" wrote, or s3://bucket/prefix/name')
  .option('--check', 'only report what would happen, even while a gateway is running')
  .option('--without-keys <ids>', 'continue even though these master keys are lost', keyIdsOf, [])
  .action((file: string, flags: RestoreFlags) => run((config) => restore(config, file, flags)))

program
  .command('import')
  .description('import users, balances, tokens, channels, codes, settings and logs from One API, its forks or new-api')
  .argument('<source>', 'a SQLite file, a folder with a CSV or JSONL file per table, postgres://… or mysql://…')
  .option('--dry-run', 'only report what would be imported')
  .option(
    '--name <name>',
    'a name that identifies this source gateway in later imports; use a different one for each gateway',
    '',
  )
  .addOption(new Option('--logs <what>', 'how to import the log').choices(['none', 'sums', 'rows']).default('sums'))
  .option('--since <date>', 'skip older log rows', unixSecondsOf, 0)
  .addOption(
    new Option('--debts <what>', 'what to do with negative balances')
      .choices(['refuse', 'keep', 'forgive'])
      .default('refuse'),
  )
  .addOption(
    new Option('--prices <whose>', 'which prices to use where they differ').choices(['keep', 'book']).default('keep'),
  )
  .option('--leave-out', 'continue even if more than one row in a hundred cannot be imported')
  .addOption(
    new Option(
      '--roots <how-many>',
      'one: additional root users of the source become administrators; all: they stay root users',
    )
      .choices(['one', 'all'])
      .default('one'),
  )
  .option('--watch [seconds]', 'repeat the import while the old gateway is still running', secondsOf)
  .option('--json <file>', 'also write the report to a file')
  .action(async (source: string, flags: Omit<ImportFlags, 'watch'> & { readonly watch?: number | true }) => {
    const watch = flags.watch === true ? WATCH_SECONDS : flags.watch
    await run((config) => importGateway(config, source, { ...flags, watch }))
  })

program
  .command('export')
  .description(
    'write users, balances, tokens, channels, codes, settings and logs as CSV files, even while a gateway is running',
  )
  .argument('<folder>', 'folder for one file per table; none of the files may exist yet')
  .option('--tables <names>', `only these tables, out of ${EXPORTED_TABLES.join(',')}`, tablesOf, EXPORTED_TABLES)
  .action((folder: string, { tables }: { readonly tables: readonly ExportedName[] }) =>
    run((config) => exportGateway(config, folder, tables)),
  )

program
  .command('doctor')
  .description(
    'report what is wrong with this installation and how to fix it; exit code 1 for warnings, 2 for problems',
  )
  .option('--json', 'print the findings as JSON')
  .option(
    '--call-providers',
    'also send a short request, which the provider charges for, through every enabled channel',
  )
  .action((flags: DoctorFlags) => run((config) => doctor(config, flags)))

program
  .command('move')
  .description('move the data to PostgreSQL or to a SQLite file; while a gateway is running, only copy it in advance')
  .option('--to <address>', 'the target database: postgres://… or sqlite:FILE, empty or partly moved')
  .option(
    '--to-env <name>',
    'the environment variable that contains the target address, to keep its password off the command line',
  )
  .option('--undo', 'allow gateways to start again on a database whose data was moved away')
  .option('--json <file>', 'also write the report to a file')
  .action(async (flags: MoveFlags) => {
    // The command keeps one core busy, and a running gateway needs it more.
    setPriority(constants.priority.PRIORITY_LOW)
    await run((config) => moveDatabase(config, flags))
  })

const ledger = program.command('ledger').description('the ledger')

ledger
  .command('verify')
  .description('verify every balance, sum and price against the rows; on failure, exit code 1 and the first wrong row')
  .option('--full', 'count every row, instead of only those since the gateway’s last verification')
  .option('--reprice', 'recompute the price of every charge, however old')
  .action(async ({ full, reprice }: { full?: true; reprice?: true }) => {
    const mode = full ? 'full' : reprice ? 'reprice' : 'incremental'
    await run((config) => verify(config, mode))
  })

ledger
  .command('recompute')
  .description('recompute an export of charges, offline; if it does not add up, exit code 1 and the first wrong row')
  .requiredOption('--csv <file>', 'the exported charges')
  .requiredOption('--book <file...>', 'the exported prices, in one or several files')
  .action(async (files: RecomputeFiles) => {
    process.exitCode = await recompute(files, (line) => console.log(line))
  })

program
  .command('prices')
  .description('print a price book as JSON')
  .argument('[version]', 'its date, as shown on receipts; default: the current one')
  .action(async (version?: string) => {
    process.exitCode = await printPriceBook(version, (text) => console.log(text))
  })

program
  .command('audit')
  .description('the audit log: what administrators did')
  .command('verify')
  .description('verify that no entry was changed, removed or added; on failure, exit code 1 and the first wrong entry')
  .action(() => run(verifyAuditLog))

program
  .command('keys')
  .description('the keys that encrypt stored secrets')
  .command('rotate')
  .description(
    're-encrypt every stored secret with the first master key; safe to interrupt, to repeat and to run beside a gateway',
  )
  .action(() => run(rotateKeys))

const config = program
  .command('config')
  .description('check the configuration of this process; keep options and channels in a file')
  .option('--explain', 'print every variable with its current value, its purpose and an example')
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
// Otherwise this process would wait for the one that started it.
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
    throw new InvalidArgumentError(`There is no table "${unknown}". The tables are ${EXPORTED_TABLES.join(', ')}.`)
  }
  return EXPORTED_TABLES.filter((table) => names.includes(table))
}

function keyIdsOf(text: string): readonly string[] {
  const ids = text.split(',').map((id) => id.trim())
  if (ids.every((id) => /^[0-9a-f]{8}$/.test(id))) return ids
  throw new InvalidArgumentError('It must be a comma-separated list of ids, each of 8 hex digits.')
}

function secondsOf(text: string): number {
  const seconds = Number(text)
  if (!Number.isInteger(seconds) || seconds < 5 || seconds > 86_400) {
    throw new InvalidArgumentError('It must be a number of seconds from 5 to 86400.')
  }
  return seconds
}

/** An option that sets an environment variable of this process. */
function variableOption(flags: string, description: string, { name, schema }: Variable): Option {
  return new Option(flags, `${description} (${name})`).argParser((text: string) => {
    const parsed = v.safeParse(schema, text)
    if (!parsed.success) throw new InvalidArgumentError(`It ${parsed.issues[0].message}.`)
    process.env[name] = text
    return text
  })
}

/** Works even while the gateway is running. Returns 0 when the audit log is intact, otherwise 1. */
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
  if (problem !== undefined) console.log(`      the first wrong entry: ${problem}`)
  if (open > 0)
    console.log(
      `      ${open} calls have started but not finished; those of dead processes are entered at the next start`,
    )
  if (isWhole) await adoptAuditCalls(database.kysely, vault, Date.now())
  console.log(
    isWhole ? '\nThe audit log is intact.' : '\nThe audit log was tampered with, or its master key is missing.',
  )
  return isWhole ? 0 : 1
}
