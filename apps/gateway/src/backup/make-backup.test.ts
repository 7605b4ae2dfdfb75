// @module-tag slow
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@sluice/store/database'
import { migrate } from '@sluice/store/migrate'
import { readContents } from '@sluice/store/queries/database-contents'
import { type S3Server, startS3Server } from '@sluice/testkit/servers/s3-server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sqliteData } from './backed-up-data.ts'
import { namePrefix } from './backup-names.ts'
import { type BackupPlace, readText } from './backup-place.ts'
import { openFolderPlace } from './folder-place.ts'
import { type BackupOrder, makeBackup } from './make-backup.ts'
import { MANIFEST_BYTES, manifestText, readManifest } from './manifest.ts'
import type { Retention } from './retention.ts'
import { openS3Place } from './s3/s3-place.ts'

const KEYS = { bucket: 'backups', region: 'us-east-1', accessKey: 'AKIDTEST', secretKey: 'secret' }
const DAY_MS = 86_400_000
const START = Date.UTC(2026, 10, 1, 3)
const KEEP_ALL = 'all'

/** A limit on file sizes simulates a full disk: it needs no rights and no mount, and can be lifted. */
const limitFiles = (limit: string) => execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${limit}`])
const hasPrlimit = spawnSync('prlimit', ['--version']).status === 0
if (!hasPrlimit) console.log('a backup on a full disk is not tested: there is no prlimit (Debian: util-linux)')

let dataDir = ''
let folder = ''
let database = ''
let server: S3Server
let time = START

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sluice-make-'))
  folder = join(dataDir, 'backups')
  const opened = await openDatabase({ sqliteFile: join(dataDir, 'sluice.db') })
  await migrate(opened)
  database = (await readContents(opened.kysely)).database
  await opened.close()
  server = await startS3Server(KEYS)
  time = START
})
afterEach(async () => {
  await server.close()
  await rm(dataDir, { recursive: true, force: true })
})

const openBucket = () =>
  openS3Place({ endpoint: server.url, ...KEYS }, 'p/', {
    now: Date.now,
    pause: async () => {},
    stop: new AbortController().signal,
  })
const order = (place: BackupPlace, retention: Retention = KEEP_ALL): BackupOrder => ({
  data: sqliteData(join(dataDir, 'sluice.db'), database),
  place,
  retention,
  program: '1.2.3',
  now: () => time,
})

const namesAt = async (place: BackupPlace) => (await place.list('')).map(({ name }) => name).toSorted()
const isPartial = (name: string): boolean => name.includes('partial')

describe.each(['folder', 'bucket'] as const)('a backup in a %s', (kind) => {
  let place: BackupPlace
  beforeEach(async () => {
    place = kind === 'folder' ? await openFolderPlace(folder) : openBucket()
  })
  afterEach(() => place.close())

  it('is complete, named after its database and its time, and described by its manifest', async () => {
    const { name, manifest, removed } = await makeBackup(order(place))
    expect(name).toBe(`sluice-${database.slice(0, 8)}-20261101T030000Z.db`)
    expect(removed).toEqual([])
    expect(await namesAt(place)).toEqual([name, `${name}.json`])
    expect(manifest).toMatchObject({ file: name, program: '1.2.3', database, made: '2026-11-01T03:00:00.000Z' })
    const stored = await readText(place, `${name}.json`, MANIFEST_BYTES)
    expect(readManifest(stored ?? '')).toEqual(manifest)
    expect((await readdir(dataDir)).filter(isPartial)).toEqual([])
  })

  it('lets older ones go that its manifests name, and never a file of another database, program or person', async () => {
    const strange = `${namePrefix(database)}20250101T000000Z.db`
    await place.storeText(strange, 'no manifest names this')
    await place.storeText('holiday.jpg', 'a picture')
    const { manifest } = await makeBackup(order(place))
    const other = { ...manifest, database: 'f'.repeat(32), file: `${namePrefix(database)}20250102T000000Z.db` }
    await place.storeText(other.file, 'of another database whose id begins alike')
    await place.storeText(`${other.file}.json`, manifestText(other))
    const kept = await namesAt(place)
    for (let day = 1; day <= 3; day += 1) {
      time = START + day * DAY_MS
      await makeBackup(order(place, { days: 2, weeks: 0, months: 0 }))
    }
    const names = await namesAt(place)
    const backups = names.filter((name) => name.includes('-2026') && name.endsWith('.db'))
    expect(backups.map((name) => name.slice(-'20261103T030000Z.db'.length))).toEqual([
      '20261103T030000Z.db',
      '20261104T030000Z.db',
    ])
    const foreign = kept.filter((name) => !name.includes('-20261101'))
    expect(names).toEqual(expect.arrayContaining(foreign))
  })
})

it.each(['folder', 'bucket'] as const)(
  'takes away what a killed process has stored in a %s and not described',
  async (kind) => {
    const place = kind === 'folder' ? await openFolderPlace(folder) : openBucket()
    const { name } = await makeBackup(order(place))
    const unfinished = `${namePrefix(database)}20261102T030000Z.db`
    await place.storeText(unfinished, 'stored, and not read back')
    await place.storeText(`${namePrefix(database)}storing`, unfinished)
    time += 2 * DAY_MS
    const next = await makeBackup(order(place))
    expect(await namesAt(place)).toEqual([name, `${name}.json`, next.name, `${next.name}.json`])

    // Files with a manifest, and other people's files, stay, whatever the marker says.
    for (const named of [
      next.name,
      '../sluice.db',
      `${namePrefix('f'.repeat(32))}20261102T030000Z.db`,
      'holiday.jpg',
    ]) {
      await place.storeText(`${namePrefix(database)}storing`, named)
      if (named === 'holiday.jpg') await place.storeText(named, 'a picture')
      time += DAY_MS
      await makeBackup(order(place))
    }
    expect(await namesAt(place)).toEqual(expect.arrayContaining([next.name, `${next.name}.json`, 'holiday.jpg']))
    expect((await readdir(dataDir)).filter((each) => each === 'sluice.db')).toHaveLength(1)
    await place.close()
  },
)

describe('a backup that fails', () => {
  it.each([
    ['sends back a wrong byte', 'flip', 'was stored incorrectly: its SHA-256 differs'],
    ['cannot be read back', { status: 403, code: 'AccessDenied' }, 'does not grant this access key'],
  ] as const)('because the store %s leaves nothing, and deletes no older one', async (_, fault, sentence) => {
    const place = openBucket()
    const { name } = await makeBackup(order(place))
    time += 40 * DAY_MS
    server.fail(({ method, key }) => (method === 'GET' && key.endsWith('.db') ? fault : undefined))
    await expect(makeBackup(order(place, { days: 1, weeks: 0, months: 0 }))).rejects.toThrow(sentence)
    expect(await namesAt(place)).toEqual([name, `${name}.json`])
    expect((await readdir(dataDir)).filter(isPartial)).toEqual([])
    await place.close()
  })

  it('because the store takes no manifest leaves no file without one', async () => {
    const place = openBucket()
    server.fail(({ method, key }) =>
      method === 'PUT' && key.endsWith('.json') ? { status: 507, code: 'Full' } : undefined,
    )
    await expect(makeBackup(order(place))).rejects.toThrow('failed 5 times: it answered 507 Full')
    expect([...server.objects.keys()]).toEqual([])
    await place.close()
  })

  it.skipIf(!hasPrlimit)('because the disk is full leaves nothing, and the next one is whole', async () => {
    const place = await openFolderPlace(folder)
    limitFiles('100000:unlimited')
    await expect(makeBackup(order(place)).finally(() => limitFiles('unlimited:unlimited'))).rejects.toThrow(
      /^The copy \S+partial cannot be written: /,
    )
    expect(await readdir(folder)).toEqual([])
    const { name } = await makeBackup(order(place))
    expect(await readdir(folder)).toEqual([name, `${name}.json`])
    await place.close()
  })

  it('because a folder cannot be written says which', async () => {
    await writeFile(folder, 'a file')
    await expect(openFolderPlace(folder)).rejects.toThrow(`Backups in ${folder}:`)
  })

  it('is complete nevertheless when older ones cannot be deleted, and says why', async () => {
    const place = openBucket()
    await makeBackup(order(place))
    time += DAY_MS
    server.fail(({ method }) => (method === 'DELETE' ? { status: 403, code: 'AccessDenied' } : undefined))
    const { name, problem } = await makeBackup(order(place, { days: 1, weeks: 0, months: 0 }))
    expect(problem).toContain('does not grant')
    expect(await namesAt(place)).toContain(`${name}.json`)
    await place.close()
  })
})

it('takes away what a killed process has left of a copy, and one process makes one at a time', async () => {
  const place = await openFolderPlace(folder)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, `${namePrefix(database)}partial`), 'half a copy')
  const first = makeBackup(order(place))
  await expect(makeBackup(order(place))).rejects.toThrow('Another process is making a backup of')
  const { name } = await first
  expect(await readdir(folder)).toEqual([name, `${name}.json`])
  expect((await readFile(join(folder, name))).subarray(0, 15).toString()).toBe('SQLite format 3')
})
