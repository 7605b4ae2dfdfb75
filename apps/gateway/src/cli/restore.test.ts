// @module-tag slow
import { randomBytes } from 'node:crypto'
import { copyFile, cp, mkdir, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { openDatabase } from '@sluice/store/database'
import { migrate } from '@sluice/store/migrate'
import { MIGRATIONS } from '@sluice/store/migrations/list'
import type { Schema } from '@sluice/store/schema/schema'
import { recordFiles } from '@sluice/store/sqlite/record-log'
import { replacingFile } from '@sluice/store/sqlite/replace-database'
import { createVault } from '@sluice/store/vault'
import { runSluice, startGateway } from '@sluice/testkit/gateway-process'
import { addUser } from '@sluice/testkit/rows'
import { startS3Server } from '@sluice/testkit/servers/s3-server'
import { type Kysely, sql } from 'kysely'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'

let dataDir = ''
let away = ''
let backup = ''
const key = randomBytes(32)
const env = { SLUICE_MASTER_KEY: key.toString('base64'), SLUICE_TAKEOVER_TIMEOUT: '0' }

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sluice-restore-'))
  away = await mkdtemp(join(tmpdir(), 'sluice-backups-'))
  backup = join(away, 'copy.db')
})
afterEach(async () => {
  await rm(dataDir, { recursive: true, force: true })
  await rm(away, { recursive: true, force: true })
})

const file = () => join(dataDir, 'sluice.db')
const run = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
  runSluice(args, { dataDir, env: { ...env, ...more } })
const restore = (...flags: readonly string[]) => run(['restore', backup, ...flags])

async function change(sqliteFile: string, work: (db: Kysely<Schema>) => Promise<unknown>): Promise<void> {
  const database = await openDatabase({ sqliteFile })
  try {
    await work(database.kysely)
  } finally {
    await database.close()
  }
}

/** A folder with a database and its backup, shared by all tests: running both commands for each would take minutes. */
let begun: Promise<string> | undefined
afterAll(async () => {
  if (begun !== undefined) await rm(await begun, { recursive: true, force: true })
})

async function begin(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-begun-'))
  const data = { dataDir: join(folder, 'data'), env }
  expect(await runSluice(['migrate'], data)).toMatchObject({ code: 0 })
  await change(join(folder, 'data', 'sluice.db'), (db) => addUser(db, { username: 'ann' }))
  await mkdir(join(folder, 'away'))
  expect(await runSluice(['backup', join(folder, 'away', 'copy.db')], data)).toMatchObject({ code: 0 })
  return folder
}

async function prepare(): Promise<void> {
  await cp(join(await (begun ??= begin()), 'data'), dataDir, { recursive: true })
}

async function backUp(): Promise<void> {
  await cp(join(await (begun ??= begin()), 'away'), away, { recursive: true })
}

async function users(): Promise<readonly string[]> {
  let names: readonly string[] = []
  await change(file(), async (db) => {
    names = (await db.selectFrom('user').select('username').orderBy('id').execute()).map(({ username }) => username)
  })
  return names
}

const manifest = async () => JSON.parse(await readFile(`${backup}.json`, 'utf8'))

async function expectRefused(sentence: string | RegExp, ...flags: readonly string[]): Promise<void> {
  const before = await readdir(dataDir)
  const { code, output } = await restore(...flags)
  expect(output).toMatch(sentence)
  expect(code).toBe(1)
  expect(await readdir(dataDir)).toEqual(before)
}

describe('a backup', () => {
  it('has a manifest with what a reader can hold against it, and no secret', { tags: 'S19' }, async () => {
    await prepare()
    const sealed = createVault([key]).seal('token_key', 'secret-of-a-token')
    await change(file(), (db) =>
      sql`insert into option (key, value) values ('SMTPToken', ${createVault([key]).seal('option', 'secret')})`.execute(
        db,
      ),
    )
    expect(await run(['backup', backup])).toMatchObject({ code: 0 })
    const text = await readFile(`${backup}.json`, 'utf8')
    expect(JSON.parse(text)).toEqual({
      format: 1,
      engine: 'sqlite',
      made: expect.stringMatching(/^20\d\d-\d\d-\d\dT[\d:.]+Z$/),
      program: '0.1.0',
      file: 'copy.db',
      bytes: (await stat(backup)).size,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      database: expect.stringMatching(/^[0-9a-f]{32}$/),
      migration: MIGRATIONS.at(-1)?.name,
      keys: [createVault([key]).keyId],
      sums: { users: 1, tokens: 0, channels: 0, charges: 0, balance: '0' },
    })
    for (const secret of [key.toString('base64'), key.toString('hex'), sealed]) expect(text).not.toContain(secret)
    expect((await stat(`${backup}.json`)).mode & 0o777).toBe(0o600)
    await rm(backup)
    expect(await run(['backup', backup])).toMatchObject({ code: 1, output: expect.stringContaining('already exists') })
  })

  it('takes the place of the present database, which is kept as a set', async () => {
    await prepare()
    await backUp()
    await change(file(), (db) => addUser(db, { username: 'bob' }))
    for (const name of recordFiles(file())) await writeFile(name, Buffer.alloc(64))
    expect(await users()).toEqual(['ann', 'bob'])
    const checked = await restore('--check')
    expect(checked).toMatchObject({ code: 0, output: expect.stringContaining('Nothing was changed.') })
    expect(await users()).toEqual(['ann', 'bob'])
    const { code, output } = await restore()
    expect(code, output).toBe(0)
    expect(await users()).toEqual(['ann'])
    const kept = /kept as (\S+) and/.exec(output)?.[1] ?? ''
    const { code: proved } = await run(['ledger', 'verify', '--full'], { DATABASE_URL: `sqlite:${kept}` })
    expect(proved).toBe(0)
    const names = await readdir(dataDir)
    const replaced = names.filter((name) => name.startsWith('sluice.db.replaced-'))
    expect(replaced.map((name) => name.replace(/^sluice\.db\.replaced-\d{8}T\d{6}Z/, '')).toSorted()).toEqual(
      expect.arrayContaining(['', '.records-0', '.records-1']),
    )
    expect(names.filter((name) => /records-\d$/.test(name) && !name.includes('replaced'))).toEqual([])
    expect(names.filter((name) => name.includes('restoring'))).toEqual([])
  })

  it('is restored into an empty folder, and a gateway starts with it', async () => {
    await prepare()
    await backUp()
    await rm(dataDir, { recursive: true })
    expect(await restore()).toMatchObject({ code: 0 })
    const gateway = await startGateway({ dataDir, env })
    expect(await gateway.stop()).toBe(0)
    expect(await users()).toEqual(['ann'])
    expect(await readdir(dataDir)).not.toContain('master.key')
  })

  it('is not restored under a running gateway, and can be checked beside it', async () => {
    await prepare()
    await backUp()
    const gateway = await startGateway({ dataDir, env })
    const refused = await restore()
    expect(refused).toMatchObject({
      code: 1,
      output: expect.stringContaining('Sluice is already running on this data'),
    })
    const { code, output } = await restore('--check')
    expect([code, output]).toEqual([0, expect.stringContaining('stop it before the restore')])
    expect(await gateway.stop()).toBe(0)
  })

  it('without a manifest is checked by SQLite in full, and says that it could not be compared', async () => {
    await prepare()
    await backUp()
    await rm(`${backup}.json`)
    const { code, output } = await restore()
    expect([code, output]).toEqual([0, expect.stringContaining('has no manifest, so it cannot be checked')])
  })

  it('of an older version is checked as it will be, restored as it is, and brought up to date by the next start', async () => {
    const older = await openDatabase({ sqliteFile: backup })
    await migrate(older, MIGRATIONS.slice(0, -1))
    await older.close()
    const { code, output } = await restore()
    expect(code, output).toBe(0)
    expect(output).toContain('It is older than this version by 1 step.')
    expect(output).toContain('The next start brings it up to date (1 step), then continues')
    expect(await run(['ledger', 'verify'])).toMatchObject({ code: 1, output: expect.stringContaining('is older') })
    expect(await run(['migrate'])).toMatchObject({ code: 0 })
    expect(await run(['ledger', 'verify', '--full'])).toMatchObject({ code: 0 })
  })
})

describe('a backup is refused, and nothing is changed, when', () => {
  beforeEach(async () => {
    await prepare()
    await change(file(), (db) =>
      sql`insert into option (key, value) values ('SMTPToken', ${createVault([key]).seal('option', 'secret')})`.execute(
        db,
      ),
    )
    await run(['backup', backup])
  })

  const edit = async (more: object) => writeFile(`${backup}.json`, JSON.stringify({ ...(await manifest()), ...more }))

  it('there is none', async () => {
    backup = join(away, 'other.db')
    await expectRefused('There is no file')
    await expectRefused('There is no file', '--check')
  })

  it('it is not a SQLite database, or only the beginning of one', async () => {
    await rm(`${backup}.json`)
    const whole = await readFile(backup)
    await writeFile(backup, 'not a database at all')
    await expectRefused('is not a SQLite database')
    await writeFile(backup, whole.subarray(0, 20_000))
    await expectRefused(/damaged/)
  })

  it('a byte of it differs, wherever it is', async () => {
    const handle = await open(backup, 'r+')
    await handle.write(Buffer.from([0x5a]), 0, 1, (await stat(backup)).size - 10)
    await handle.close()
    await expectRefused('its SHA-256 differs')
  })

  it('its manifest is damaged, of a later format, or of another file', async () => {
    await edit({ bytes: 5 })
    await expectRefused('but its manifest says 5')
    await edit({ format: 2 })
    await expectRefused('has format 2, but this version of Sluice reads format 1')
    await writeFile(`${backup}.json`, '{')
    await expectRefused('is not JSON')
    await writeFile(`${backup}.json`, '{"format":1}')
    await expectRefused('is not the manifest of a backup')
  })

  it('its sums are not those of its manifest', async () => {
    const { sums } = await manifest()
    await edit({ sums: { ...sums, balance: '12' } })
    await expectRefused('Its manifest says balance: 12, and it has 0.')
    await expectRefused('Its manifest says balance: 12, and it has 0.', '--check')
  })

  it('it is of another program, or newer than this one', async () => {
    await rm(`${backup}.json`)
    await change(backup, (db) => sql`insert into applied_migration (name) values ('9999-later')`.execute(db))
    await expectRefused('It is newer than this version; it has 9999-later.')
    backup = join(away, 'foreign.db')
    await change(backup, (db) => sql`create table users (id integer)`.execute(db))
    await expectRefused('not a Sluice database')
  })

  it('its ledger is wrong', async () => {
    await rm(`${backup}.json`)
    await change(backup, (db) =>
      sql`insert into account (kind, owner_id, posted, held, spent, requests, credit_floor, unlimited, last_ms)
        values ('user', 77, 5, 0, 0, 0, 0, 0, 0)`.execute(db),
    )
    await expectRefused(/Its ledger is wrong: I1 .*owner_id = 77/)
  })

  it('no given master key opens its secrets, unless that key is declared lost', { tags: 'S19' }, async () => {
    const other = { SLUICE_MASTER_KEY: randomBytes(32).toString('base64') }
    const { keyId } = createVault([key])
    const refused = await run(['restore', backup], other)
    expect([refused.code, refused.output]).toEqual([
      1,
      expect.stringContaining(`encrypted with master key ${keyId}, which SLUICE_MASTER_KEY does not contain`),
    ])
    const none = await run(['restore', backup], { SLUICE_MASTER_KEY: '' })
    expect([none.code, none.output]).toEqual([1, expect.stringContaining(`master key ${keyId}, which ${dataDir}`)])
    expect(await readdir(dataDir)).not.toContain('master.key')
    const without = await run(['restore', backup, '--without-keys', keyId], other)
    expect([without.code, without.output]).toEqual([0, expect.stringContaining(`SLUICE_LOST_KEYS=${keyId}`)])
  })

  it('it is a copy of a gateway’s files that lacks what is in the write-ahead log', async () => {
    await writeFile(`${backup}-wal`, 'commits')
    await expectRefused('contains commits that are missing from copy.db')
  })
})

it('a backup goes to a bucket, is listed, and comes back from there', { tags: 'S19' }, async () => {
  const access = { accessKey: 'AKIDTEST', secretKey: 'secret-of-the-store' }
  const server = await startS3Server({ bucket: 'backups', region: 'us-east-1', ...access })
  const store = {
    SLUICE_BACKUP_TO: 's3://backups/gateway',
    SLUICE_BACKUP_S3_ENDPOINT: server.url,
    SLUICE_BACKUP_S3_ACCESS_KEY: access.accessKey,
    SLUICE_BACKUP_S3_SECRET_KEY: access.secretKey,
  }
  await prepare()
  const { code, output } = await run(['backup'], store)
  expect(code, output).toBe(0)
  const [, name = ''] = /s3:\/\/backups\/gateway\/(\S+\.db): /.exec(output) ?? []
  expect([...server.objects.keys()]).toEqual([`gateway/${name}`, `gateway/${name}.json`])
  expect(await run(['backups', '--verify'], store)).toMatchObject({ code: 0 })
  await change(file(), (db) => addUser(db, { username: 'bob' }))
  const restored = await run(['restore', `s3://backups/gateway/${name}`], store)
  expect(restored, restored.output).toMatchObject({ code: 0 })
  expect(await users()).toEqual(['ann'])
  server.fail(({ method, key: object }) => (method === 'GET' && object === `gateway/${name}` ? 'flip' : undefined))
  const changed = await run(['restore', `s3://backups/gateway/${name}`], store)
  expect(changed).toMatchObject({ code: 1, output: expect.stringContaining('its SHA-256 differs') })
  const listed = await run(['backups', '--verify'], store)
  expect(listed).toMatchObject({ code: 1, output: expect.stringContaining(`WRONG ${name}  its SHA-256`) })
  for (const said of [output, restored.output, changed.output, listed.output]) {
    expect(said).not.toContain(access.secretKey)
  }
  await server.close()
})

it('a gateway whose backups cannot be made as configured does not start', async () => {
  const bucket = await run(['serve'], { PORT: '0', SLUICE_BACKUP_TO: 's3://backups/gateway' })
  expect(bucket).toMatchObject({ code: 1, output: expect.stringContaining('need SLUICE_BACKUP_S3_ACCESS_KEY and') })
  const address = await run(['serve'], { PORT: '0', SLUICE_BACKUP_TO: 's3://Backups' })
  expect(address).toMatchObject({ code: 1, output: expect.stringContaining('or a bucket as s3://bucket/prefix') })
  const kept = await run(['serve'], { PORT: '0', SLUICE_BACKUP_KEEP: '7 days' })
  expect(kept).toMatchObject({ code: 1, output: expect.stringContaining('such as 7d 4w 6m, or all') })
})

it('an interrupted restore is finished by the next start, and no command works on half of it', async () => {
  await prepare()
  await backUp()
  await change(file(), (db) => addUser(db, { username: 'bob' }))
  await copyFile(backup, `${file()}.restoring`)
  const kept = 'sluice.db.replaced-20261124T200000Z'
  await writeFile(replacingFile(file()), JSON.stringify({ next: 'sluice.db.restoring', kept }))
  expect(await run(['ledger', 'verify'])).toMatchObject({
    code: 1,
    output: expect.stringContaining('A restore of'),
  })
  const { code, output } = await run(['migrate'])
  expect([code, output]).toEqual([0, expect.stringContaining('An interrupted restore of')])
  expect(await users()).toEqual(['ann'])
  expect(await readdir(dataDir)).toContain(kept)
})

it('what a check that was killed has left is taken away by the next command, unless somebody still works on it', async () => {
  await prepare()
  await backUp()
  const killed = [
    `${file()}.restoring-${hostname()}-${2 ** 30}`,
    `${file()}.restoring-${hostname()}-${2 ** 30}-migrated`,
  ]
  const living = `${file()}.restoring-${hostname()}-${process.pid}`
  for (const name of [...killed, living]) await copyFile(backup, name)
  expect(await restore('--check')).toMatchObject({ code: 0 })
  const left = (await readdir(dataDir)).filter((name) => name.includes('restoring'))
  expect(left).toEqual([basename(living)])
})
