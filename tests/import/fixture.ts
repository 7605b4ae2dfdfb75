import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteConnection, type SqliteConnection } from '@sluice/store/sqlite/connection'

export const FIXTURES = ['one-api', 'laisky', 'new-api-2025', 'new-api'] as const
export type FixtureName = (typeof FIXTURES)[number]

export type FixtureValue = string | number | bigint | Uint8Array | null

export interface FixtureColumn {
  readonly name: string
  /** The type as the program declares it on SQLite. */
  readonly type: string
  readonly isKey: boolean
  /** Whether GORM limits its length on MySQL. */
  readonly isIndexedOrHasDefault: boolean
}

export interface FixtureTable {
  readonly name: string
  readonly columns: readonly FixtureColumn[]
  readonly rows: readonly (readonly FixtureValue[])[]
}

/** What the gateway's users know; see `sources/README.md`. */
export interface FixtureSecrets {
  readonly users: readonly FixtureUser[]
  readonly tokens: readonly FixtureToken[]
  readonly codes: readonly FixtureCode[]
  readonly totp: readonly { readonly username: string; readonly secret: string; readonly enabled: boolean }[]
  readonly access_tokens: readonly { readonly username: string; readonly access_token: string }[]
}

export interface FixtureUser {
  readonly id: number
  readonly username: string
  readonly password: string
  readonly role: number
  readonly status: number
  readonly deleted: boolean
  readonly email: string
  readonly group: string
  readonly quota: number
}

export interface FixtureToken {
  readonly id: number
  readonly name: string
  readonly username: string
  /** With its prefix. */
  readonly key: string
  readonly deleted: boolean
}

export interface FixtureCode {
  readonly code: string
  readonly status: number
  readonly quota: number
  readonly deleted: boolean
}

export interface Fixture extends FixtureSecrets {
  readonly name: FixtureName
  readonly tables: readonly FixtureTable[]
  rowsOf(table: string): readonly Readonly<Record<string, FixtureValue>>[]
}

const SOURCES = join(import.meta.dirname, 'sources')

export const fixtureFile = (name: FixtureName): string => join(SOURCES, `${name}.sqlite`)

export async function readFixture(name: FixtureName): Promise<Fixture> {
  const secrets = JSON.parse(await readFile(join(SOURCES, 'secrets.json'), 'utf8')) as Record<string, FixtureSecrets>
  const known = secrets[`${name}.sqlite`]
  if (known === undefined) throw new Error(`secrets.json does not name ${name}.sqlite`)
  const tables = await readTables(name)
  const rowsOf = (table: string): readonly Readonly<Record<string, FixtureValue>>[] => {
    const { columns, rows } = tables.find((each) => each.name === table) ?? { columns: [], rows: [] }
    return rows.map((row) => Object.fromEntries(columns.map((column, at) => [column.name, row[at] ?? null])))
  }
  return { ...known, name, tables, rowsOf }
}

/** Reads a copy, because opening one of our databases leaves files next to it. */
async function readTables(name: FixtureName): Promise<readonly FixtureTable[]> {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-fixture-'))
  try {
    const copy = join(directory, 'copy.db')
    await copyFile(fixtureFile(name), copy)
    const connection = openSqliteConnection(copy)
    try {
      return connection
        .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name")
        .values()
        .map(([table]) => readTable(connection, String(table)))
    } finally {
      connection.close()
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

function readTable(connection: SqliteConnection, name: string): FixtureTable {
  const indexed = connection
    .prepare(`select distinct c.name from pragma_index_list('${name}') as i, pragma_index_info(i.name) as c`)
    .values()
    .map(([column]) => column)
  const columns = connection
    .prepare(`select name, lower(type), pk, dflt_value from pragma_table_info('${name}') order by cid`)
    .values()
    .map(([column, type, key, byDefault]) => ({
      name: String(column),
      type: String(type),
      isKey: Number(key) > 0,
      isIndexedOrHasDefault: indexed.includes(column ?? null) || byDefault !== null,
    }))
  return { name, columns, rows: connection.prepare(`select * from "${name}"`).values() }
}
