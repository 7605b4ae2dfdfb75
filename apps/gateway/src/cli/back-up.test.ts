// @module-tag slow
import { watch } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@sluice/store/database'
import { runSluice, startGateway } from '@sluice/testkit/gateway-process'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'

let dataDir = ''
let away = ''

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sluice-back-up-'))
  away = await mkdtemp(join(tmpdir(), 'sluice-copies-'))
  expect(await run(['migrate'])).toMatchObject({ code: 0 })
})
afterEach(async () => {
  await rm(dataDir, { recursive: true, force: true })
  await rm(away, { recursive: true, force: true })
})

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => runSluice(args, { dataDir, env })
const file = () => join(dataDir, 'sluice.db')

/** Makes the database large enough that copying and checking take a second or more. */
async function grow(): Promise<void> {
  const database = await openDatabase({ sqliteFile: file() })
  await sql`insert into option (key, value)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 100)
    select 'filler ' || i, hex(zeroblob(500000)) from n`.execute(database.kysely)
  await database.close()
}

it('whose manifest cannot be written leaves no copy under its name', async () => {
  await mkdir(join(away, 'copy.db.json.partial'))
  const { code, output } = await run(['backup', join(away, 'copy.db')])
  expect([code, output]).toEqual([1, expect.stringContaining('A file is where a folder should be')])
  expect(await readdir(away)).toEqual(['copy.db.json.partial'])
})

it('takes away what one into the same file has left that was killed', async () => {
  await writeFile(join(away, `copy.db.partial-${hostname()}-${2 ** 30}`), 'half a copy')
  const { code, output } = await run(['backup', join(away, 'copy.db')])
  expect(code, output).toBe(0)
  expect((await readdir(away)).toSorted()).toEqual(['copy.db', 'copy.db.json'])
})

it('by schedule that a stop of the gateway interrupts leaves nothing that counts, and the next one takes away the rest', async () => {
  await grow()
  const env = { SLUICE_BACKUP_TO: away }
  const copying = new Promise<void>((resolve) => {
    const watcher = watch(away, (_, name) => {
      if (name?.endsWith('-partial') !== true) return
      watcher.close()
      resolve()
    })
  })
  const gateway = await startGateway({ dataDir, env })
  await copying
  expect(await gateway.stop()).toBe(0)
  const left = await readdir(away)
  expect(left).toContainEqual(expect.stringMatching(/-partial$/))
  expect(left.filter((name) => name.endsWith('.db'))).toEqual([])
  const none = await run(['backups'], env)
  expect(none).toMatchObject({ code: 1, output: expect.stringContaining('There are no backups in') })
  expect(none.output).toContain('No scheduled backup is recorded.')
  const made = await run(['backup'], env)
  expect(made, made.output).toMatchObject({ code: 0 })
  expect((await readdir(away)).map((name) => name.replace(/^sluice-[0-9a-f]{8}-\d{8}T\d{6}Z/, ''))).toEqual([
    '.db',
    '.db.json',
  ])
  expect(await run(['backups', '--verify'], env)).toMatchObject({ code: 0 })
})
