import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabase } from '@sluice/store/database'
import { migrate } from '@sluice/store/migrate'
import { seededRandom } from '../tools/demo/random.ts'
import { writeHistory } from './history/write-database.ts'

/** `node bench/write-history.ts --rows 10000000 --data data/large`: a year of use in SQLite, the same for a seed and an end. */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000000' },
    data: { type: 'string' },
    seed: { type: 'string', default: '51' },
    /** Unix seconds at which the year ends; by default now. */
    until: { type: 'string', default: String(Math.floor(Date.now() / 1_000)) },
  },
})
if (values.data === undefined) throw new Error('--data names the folder that the database is written to')
const sqliteFile = join(resolve(values.data), 'sluice.db')
if (existsSync(sqliteFile)) throw new Error(`${sqliteFile} exists already`)

const started = performance.now()
const database = await openDatabase({ sqliteFile })
await migrate(database)
await database.close()
const rows = writeHistory(sqliteFile, Number(values.rows), Number(values.until), seededRandom(Number(values.seed)))
const seconds = Math.round((performance.now() - started) / 1_000)
console.log(`${rows} log rows, ${(statSync(sqliteFile).size / 1e9).toFixed(2)} GB, in ${seconds} s: ${sqliteFile}`)
