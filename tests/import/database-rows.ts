import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { openSqliteConnection } from '@sluice/store/sqlite/connection'

/** Tables that every run or running process writes about itself. */
const OF_RUNS = ['import_run', 'lease', 'replica', 'rest_clock']

/** Row count and digest of each table of a stopped gateway. */
export function tableDigests(dataDir: string): Readonly<Record<string, string>> {
  const connection = openSqliteConnection(join(dataDir, 'sluice.db'))
  try {
    const tables = connection
      .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name")
      .values()
      .map(([name]) => String(name))
      .filter((name) => !OF_RUNS.includes(name))
    return Object.fromEntries(
      tables.map((name) => {
        const rows = connection.prepare(`select * from "${name}"`).values()
        const text = rows.map((row) => row.map((value) => `${typeof value}:${String(value)}`).join('\t')).toSorted()
        return [name, `${rows.length} rows, ${createHash('sha256').update(text.join('\n')).digest('hex')}`]
      }),
    )
  } finally {
    connection.close()
  }
}
