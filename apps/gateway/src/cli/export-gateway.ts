import { constants, setPriority } from 'node:os'
import { resolve } from 'node:path'
import { openSnapshotReads } from '@sluice/store/snapshot-reads'
import type { Purpose } from '@sluice/store/vault'
import { openExisting, openGivenVault, StartProblem } from '../environment/configured.ts'
import type { Config } from '../environment/environment.ts'
import type { ExportedName } from '../export/exported-table.ts'
import { type WrittenExport, writeExport } from '../export/write-export.ts'

/** Kinds of secrets in words, for those that cannot be decrypted. */
const SECRETS: Readonly<Partial<Record<Purpose, string>>> = {
  token_key: 'token keys',
  channel_key: 'channel keys',
  redemption: 'redemption codes',
  totp: 'TOTP secrets',
  option: 'secret settings',
}

/** Writes tables as CSV files, even while the gateway is running. Returns the exit code. */
export async function exportGateway(config: Config, folder: string, tables: readonly ExportedName[]): Promise<number> {
  // The export keeps one core busy, and a running gateway needs it more.
  setPriority(constants.priority.PRIORITY_LOW)
  await using opened = new AsyncDisposableStack()
  const database = await openExisting(config)
  opened.defer(() => database.close())
  const vault = await openGivenVault(config)
  const reads = await openSnapshotReads(database)
  opened.defer(() => reads.close())
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  const path = resolve(folder)
  try {
    report(path, await writeExport(reads, vault, { folder: path, tables, signal: stop.signal }))
    return 0
  } catch (error) {
    if (!stop.signal.aborted) throw error
    console.error('Stopped; no file was written.')
    return 1
  }
}

function report(folder: string, written: WrittenExport): void {
  if ('exists' in written)
    throw new StartProblem(`${written.exists} already exists; an export never overwrites a file.`)
  for (const [name, rows] of written.rows) console.log(`${name}.csv`.padEnd(24), `${rows} rows`)
  for (const [purpose, count] of written.unopened) {
    console.log(
      `\n${count} ${SECRETS[purpose] ?? purpose} could not be decrypted with the available master keys; their fields are empty.`,
    )
  }
  console.log(
    `\nThe files in ${folder} contain secrets in plain text: all keys, codes, password hashes and second factors of these tables. Only this user can read the files; delete them when they are no longer needed.`,
  )
}
