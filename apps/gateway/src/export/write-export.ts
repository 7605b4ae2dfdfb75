import { existsSync } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sumChargedByChannel } from '@sluice/store/queries/exported-rows'
import type { Schema } from '@sluice/store/schema/schema'
import type { SnapshotReads } from '@sluice/store/snapshot-reads'
import { loadOptions } from '@sluice/store/snapshots/options'
import type { Purpose, Vault } from '@sluice/store/vault'
import type { Kysely } from 'kysely'
import { oidcIssuer } from '../sign-in-providers/oidc-issuer.ts'
import { PASSKEYS, tokensTable, USAGE_BEFORE, usersTable } from './account-tables.ts'
import { csvText, type ExportedName, type ExportedTable } from './exported-table.ts'
import { channelsTable, codesTable, logsTable, optionsTable } from './gateway-tables.ts'
import { createStoredSecrets, type StoredSecrets } from './stored-secrets.ts'

/** Unwritten data must not pile up in the system's cache: charges of a running gateway would wait for it. */
const FLUSH_BYTES = 8_388_608

export interface ExportOrder {
  /** Created if it does not exist. */
  readonly folder: string
  readonly tables: readonly ExportedName[]
  readonly signal: AbortSignal
}

/** `exists`: this file already exists, and nothing was written. */
export type WrittenExport =
  | { readonly exists: string }
  | {
      readonly rows: ReadonlyMap<ExportedName, number>
      /** Number of secrets that no available master key decrypts; their fields are empty. */
      readonly unopened: ReadonlyMap<Purpose, number>
    }

/**
 * Writes tables as CSV files that only their owner can read, all as of the same moment. Files get their names together once
 * complete; on failure or a stop, it rejects and leaves no files.
 */
export async function writeExport(
  reads: Pick<SnapshotReads, 'read'>,
  vault: Pick<Vault, 'open'>,
  { folder, tables, signal }: ExportOrder,
): Promise<WrittenExport> {
  const files = tables.map((name) => {
    const file = join(folder, `${name}.csv`)
    return { name, file, partial: `${file}.${process.pid}.partial` }
  })
  const existing = files.find(({ file }) => existsSync(file))
  if (existing !== undefined) return { exists: existing.file }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const secrets = createStoredSecrets(vault)
  const rows = new Map<ExportedName, number>()
  try {
    await reads.read(async (db) => {
      const table = await tablesIn(db, secrets)
      for (const { name, partial } of files) rows.set(name, await writeTable(db, table(name), partial, signal))
    })
    for (const { partial, file } of files) await rename(partial, file)
  } finally {
    await Promise.all(files.map(({ partial }) => rm(partial, { force: true })))
  }
  return { rows, unopened: secrets.unopened }
}

async function tablesIn(db: Kysely<Schema>, secrets: StoredSecrets) {
  const stored = await loadOptions(db)
  const charged = await sumChargedByChannel(db)
  const makers: Readonly<Record<ExportedName, () => ExportedTable>> = {
    users: () => usersTable(secrets, { oidcIssuer: oidcIssuer(stored.get('OidcWellKnown') ?? '') }),
    tokens: () => tokensTable(secrets),
    channels: () => channelsTable(secrets, { charged }),
    redemptions: () => codesTable(secrets),
    options: () => optionsTable(secrets),
    logs: () => logsTable({ clearedBefore: Number(stored.get('LogClearedBefore') ?? 0) }),
    passkey_credentials: () => PASSKEYS,
    usage_before: () => USAGE_BEFORE,
  }
  return (name: ExportedName) => makers[name]()
}

/** Returns the number of rows in the table. */
async function writeTable(
  db: Kysely<Schema>,
  { columns, pages }: ExportedTable,
  path: string,
  signal: AbortSignal,
): Promise<number> {
  const file = await open(path, 'wx', 0o600)
  try {
    let rows = 0
    await file.appendFile(csvText([columns]))
    const append = flushing(file)
    for await (const page of pages(db)) {
      signal.throwIfAborted()
      await append(csvText(page))
      rows += page.length
    }
    await file.datasync()
    return rows
  } finally {
    await file.close()
  }
}

function flushing(file: FileHandle): (text: string) => Promise<void> {
  let unflushed = 0
  return async (text) => {
    await file.appendFile(text)
    unflushed += text.length
    if (unflushed < FLUSH_BYTES) return
    await file.datasync()
    unflushed = 0
  }
}
