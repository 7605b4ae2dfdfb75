// @module-tag slow
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SqliteError } from '@sluice/store/sqlite/host'
import { createVault } from '@sluice/store/vault'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startSentence } from '../cli/start-sentence.ts'
import { openConfiguredVault, openExisting, openGivenVault, openMigrated } from './configured.ts'
import { type Config, loadConfig } from './environment.ts'

let dataDir = ''
let file = ''

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sluice-start-'))
  file = join(dataDir, 'sluice.db')
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

function configOf(env: Record<string, string> = {}): Config {
  const { config, problems } = loadConfig({ SLUICE_DATA_DIR: dataDir, SLUICE_TAKEOVER_TIMEOUT: '0', ...env })
  if (config === undefined) throw new Error(problems.join(' '))
  return config
}

/** Opens database and vault as a start does, closes them, and returns the printed text; `ready` for none. */
async function start(env: Record<string, string> = {}): Promise<string> {
  return await said(async (config) => {
    const database = await openMigrated(config, () => {})
    try {
      await openConfiguredVault(config, database)
    } finally {
      await database.close()
    }
  }, env)
}

/** The sentence for the operator, or the stack without a sentence. */
async function said(work: (config: Config) => Promise<unknown>, env: Record<string, string> = {}): Promise<string> {
  const config = configOf(env)
  try {
    await work(config)
    return 'ready'
  } catch (error) {
    return startSentence(error, config) ?? String(error instanceof Error ? error.stack : error)
  }
}

const seal = async (key: Buffer): Promise<void> => {
  const database = await openMigrated(configOf(), () => {})
  const sealed = createVault([key]).seal('option', 'a secret')
  await sql`insert into option (key, value) values ('SMTPToken', ${sealed})`.execute(database.kysely)
  await database.close()
}

describe('a start', () => {
  test('has the database to itself until it ends, but lets commands read it', { tags: 'S38' }, async () => {
    const first = await openMigrated(configOf(), () => {})
    expect(await start()).toMatch(
      new RegExp(
        `^Sluice is already running on this data: process ${process.pid} on .*, started 20.*Z, is using ${file}\\.`,
      ),
    )
    const reader = await openExisting(configOf())
    await reader.close()
    expect(await start()).toContain('Sluice is already running')
    await first.close()
    expect(await start()).toBe('ready')
  })

  test('creates a master key for a new installation only', { tags: 'S46' }, async () => {
    expect(await said(openGivenVault)).toBe(`There is no master key at ${join(dataDir, 'master.key')}.`)
    expect(await start()).toBe('ready')
    const made = Buffer.from(await readFile(join(dataDir, 'master.key'), 'utf8'), 'base64')
    await seal(made)
    await rename(join(dataDir, 'master.key'), join(dataDir, 'kept.key'))
    expect(await start()).toMatch(
      /encrypted with master key [0-9a-f]{8}, which \S+master\.key does not contain\. Add that key/,
    )
    expect(existsSync(join(dataDir, 'master.key'))).toBe(false)
  })

  test(
    'refuses a master key other than that of the stored secrets, unless that one is declared lost',
    { tags: 'S46' },
    async () => {
      const [old, other] = [randomBytes(32), randomBytes(32).toString('hex')]
      await seal(old)
      const { keyId } = createVault([old])
      expect(await start({ SLUICE_MASTER_KEY: other })).toContain(
        `encrypted with master key ${keyId}, which SLUICE_MASTER_KEY does not contain`,
      )
      expect(await start({ SLUICE_MASTER_KEY: `${other},${old.toString('hex')}` })).toBe('ready')
      expect(await start({ SLUICE_MASTER_KEY: other, SLUICE_LOST_KEYS: keyId })).toBe('ready')
    },
  )

  test('does not mistake an emptied database for a new installation', { tags: 'S46' }, async () => {
    expect(await start()).toBe('ready')
    await writeFile(file, '')
    await rm(`${file}-wal`, { force: true })
    expect(await start()).toMatch(/sluice\.db is empty, although there is a master key: restore/)
    await rm(file)
    expect(await start()).toBe('ready')
  })

  test('fails with one sentence on a file that is damaged, foreign or out of reach', async () => {
    await writeFile(file, 'This is a letter to somebody, and no database at all. '.repeat(200))
    expect(await start()).toMatch(/sluice\.db is not a SQLite database/)
    await rm(file)
    expect(await start()).toBe('ready')
    const whole = await readFile(file)
    await writeFile(file, Buffer.concat([whole.subarray(0, 200), Buffer.alloc(whole.length - 200, 7)]))
    expect(await start()).toMatch(/sluice\.db is damaged/)
    await rm(file)
    await mkdir(file)
    expect(await start()).toMatch(/sluice\.db cannot be written/)
    expect(await start({ SLUICE_DATA_DIR: join(dataDir, 'master.key') })).toMatch(/A file is where a folder should be/)
  })

  test('fails with one sentence on a database of a newer version, and leaves it alone', async () => {
    const database = await openMigrated(configOf(), () => {})
    await sql`insert into applied_migration (name) values ('9999-later')`.execute(database.kysely)
    await database.close()
    expect(await start()).toBe('The database is newer than this version; it has 9999-later.')
    expect(await said(openExisting)).toBe('The database is newer than this version; it has 9999-later.')
  })
})

describe('a command that reads', () => {
  test('neither creates nor migrates a database', async () => {
    expect(await said(openExisting)).toBe(`There is no database at ${file}.`)
    await writeFile(file, '')
    expect(await said(openExisting)).toMatch(/^The database schema is older than this version\. Start the gateway/)
    expect(await said(openExisting)).toMatch(/^The database schema is older than this version\. Start the gateway/)
  })
})

describe('the sentence for what fails at the start', () => {
  const places = configOf.bind(undefined, { SLUICE_HOST: '192.0.2.1', PORT: '4000' })
  const systemError = (code: string) => Object.assign(new Error(`${code}: what the system said`), { code })

  test.each([
    ['EADDRINUSE', /^Port 4000 is in use/],
    ['EADDRNOTAVAIL', /^SLUICE_HOST=192\.0\.2\.1 is not an address of this machine/],
    ['EROFS', /^No permission/],
    ['ENOSPC', /^The disk is full/],
    ['EMFILE', /^Too many files are open/],
    ['ECONNREFUSED', /^The database in DATABASE_URL does not accept connections/],
    ['ENOTFOUND', /^The server in DATABASE_URL cannot be reached/],
    ['25006', /^PostgreSQL refused/],
    ['28P01', /^PostgreSQL refused/],
  ])('names %s', (code, sentence) => {
    expect(startSentence(systemError(code), places())).toMatch(sentence)
  })

  test.each([
    [8, /cannot be written/],
    [1032, /cannot be written/],
    [5, /is locked by another program/],
    [266, /The disk cannot read or write/],
    [13, /is full/],
    [4874, /is full/],
  ])('names SQLite’s code %d', (errcode, sentence) => {
    expect(startSentence(new SqliteError('what SQLite said', errcode), places())).toMatch(sentence)
  })

  test('names the folder of the data when a write does not say where the disk is full', () => {
    const { dataDir } = places()
    expect(startSentence(systemError('ENOSPC'), places())).toContain(dataDir)
    const named = Object.assign(systemError('ENOSPC'), { path: '/elsewhere/copy.db' })
    expect(startSentence(named, places())).not.toContain(dataDir)
  })

  test('is absent for a bug, which needs its stack', () => {
    expect(startSentence(new TypeError('undefined is not a function'), places())).toBeUndefined()
    expect(startSentence(new SqliteError('no such column: x', 1), places())).toBeUndefined()
  })
})
