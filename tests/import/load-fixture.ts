import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createEmptySource, type SourceEngine, type TestSource } from '@sluice/testkit/import/foreign-sources'
import { type Fixture, type FixtureColumn, fixtureFile, type FixtureTable, type FixtureValue } from './fixture.ts'

/** Writes a fixture's rows as the program would have with another driver, or as an export would. */
export async function loadFixture(engine: SourceEngine, fixture: Fixture): Promise<TestSource> {
  const source = await createEmptySource(engine)
  if (engine === 'sqlite') await copyFile(fixtureFile(fixture.name), source.source)
  else if (engine === 'csv') {
    for (const table of fixture.tables) await writeFile(join(source.source, `${table.name}.csv`), csvOf(table))
  } else {
    await source.run(fixture.tables.map((table) => statementsOf(engine, table)).join(';\n'))
  }
  return source
}

type Server = 'postgres' | 'mysql'
type Words = Readonly<Record<string, string>>

/** Types of GORM's other drivers for those of its SQLite driver; types with a length are the same everywhere. */
const TYPES: Readonly<Record<Server, Words>> = {
  postgres: { integer: 'bigint', numeric: 'boolean', real: 'decimal', datetime: 'timestamptz', blob: 'bytea' },
  mysql: { integer: 'bigint', numeric: 'boolean', real: 'double', datetime: 'datetime(3)', blob: 'longblob' },
}

function typeOf(engine: Server, { type, isKey, isIndexedOrHasDefault }: FixtureColumn): string {
  if (engine === 'mysql' && type === 'text') return isKey || isIndexedOrHasDefault ? 'varchar(191)' : 'longtext'
  return TYPES[engine][type] ?? type
}

const quoted = (name: string): string => `"${name}"`

function statementsOf(engine: Server, { name, columns, rows }: FixtureTable): string {
  const declared = columns.map((column) => `${quoted(column.name)} ${typeOf(engine, column)}`)
  const key = columns.filter(({ isKey }) => isKey).map((column) => quoted(column.name))
  const create = `create table ${quoted(name)} (${[...declared, `primary key (${key.join(', ')})`].join(', ')})`
  if (rows.length === 0) return create
  const values = rows.map(
    (row) => `(${columns.map(({ type }, at) => literal(engine, type, row[at] ?? null)).join(', ')})`,
  )
  return `${create};\ninsert into ${quoted(name)} values ${values.join(',\n')}`
}

function literal(engine: Server, type: string, value: FixtureValue): string {
  if (value === null) return 'null'
  if (type === 'numeric') return Number(value) === 0 ? 'false' : 'true'
  if (value instanceof Uint8Array) {
    const bytes = Buffer.from(value)
    if (type === 'json') return text(bytes.toString())
    return engine === 'mysql' ? `x'${bytes.toString('hex')}'` : `'\\x${bytes.toString('hex')}'`
  }
  // MariaDB's dates have milliseconds here, and no zone; the programs write in UTC.
  if (engine === 'mysql' && type === 'datetime') return text(String(value).slice(0, 23).replace(/\+.*$/, ''))
  return typeof value === 'string' ? text(value) : String(value)
}

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`

/** As SQLite's command line writes it. */
function csvOf({ columns, rows }: FixtureTable): string {
  const field = (value: FixtureValue): string => {
    if (value === null) return ''
    const written = value instanceof Uint8Array ? Buffer.from(value).toString() : String(value)
    return /[",\r\n]/.test(written) ? `"${written.replaceAll('"', '""')}"` : written
  }
  return [columns.map(({ name }) => name), ...rows].map((row) => `${row.map(field).join(',')}\r\n`).join('')
}
