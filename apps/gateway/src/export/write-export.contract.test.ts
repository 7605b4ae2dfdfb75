import { hash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keyFingerprint } from '@sluice/routing/key-fingerprint'
import { createCsvReader, type CsvField } from '@sluice/store/foreign/files/csv-records'
import { openSnapshotReads } from '@sluice/store/snapshot-reads'
import { createVault, type Purpose } from '@sluice/store/vault'
import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { addChannel, addLog, addToken, addUser } from '@sluice/testkit/rows'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { EXPORTED_TABLES, type ExportedName } from './exported-table.ts'
import { writeExport } from './write-export.ts'

type Row = Readonly<Record<string, CsvField>>

function rowsIn(text: string): readonly Row[] {
  const records: (readonly CsvField[])[] = []
  const reader = createCsvReader((record) => records.push(record))
  reader.push(text)
  reader.end()
  const [columns = [], ...rows] = records
  return rows.map((row) => Object.fromEntries(row.map((field, at) => [columns[at] ?? '', field])))
}

describe.each(databaseEngines)('an export on %s', (engine) => {
  const vault = createVault([randomBytes(32)])
  let database: TestDatabase
  let parent = ''
  let folder = ''

  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  afterAll(() => database.close())
  beforeEach(async () => {
    await database.reset()
    parent = await mkdtemp(join(tmpdir(), 'sluice-export-'))
    folder = join(parent, 'copy')
  })
  afterEach(() => rm(parent, { recursive: true, force: true }))

  const write = async (tables: readonly ExportedName[] = EXPORTED_TABLES, signal = new AbortController().signal) => {
    const reads = await openSnapshotReads(database)
    try {
      return await writeExport(reads, vault, { folder, tables, signal })
    } finally {
      await reads.close()
    }
  }
  const read = async (table: ExportedName) => rowsIn(await readFile(join(folder, `${table}.csv`), 'utf8'))
  const option = async (key: string, value: string) => {
    await database.kysely.insertInto('option').values({ key, value }).execute()
  }

  it('has every table with the names of its columns, also where there are no rows', async () => {
    expect(await write()).toMatchObject({ rows: new Map(EXPORTED_TABLES.map((name) => [name, 0])) })
    expect((await readdir(folder)).toSorted()).toEqual(EXPORTED_TABLES.map((name) => `${name}.csv`).toSorted())
    expect(await readFile(join(folder, 'users.csv'), 'utf8')).toMatch(/^id,username,password,.*\r\n$/)
  })

  it('states amounts in whole points as the API does, with the exact amount beside them, and includes what was used before', async () => {
    const db = database.kysely
    const ann = await addUser(db, { username: 'ann' }, { posted: -1_500n, spent: 1_001n, requests: 2 })
    const token = await addToken(db, { user_id: ann, name: 'key' }, { posted: 2_999n, spent: 1_001n, last_ms: 5_999 })
    const channel = await addChannel(db)
    const brought = { source: 'one-api', source_id: 7, mark: '', digest: '', requests: 3 }
    await db
      .insertInto('imported')
      .values([
        { ...brought, kind: 'user', target_id: ann, used: 4_000n },
        { ...brought, kind: 'token', target_id: token, used: 3_000n },
        { ...brought, kind: 'channel', target_id: channel, used: 2_000n },
      ])
      .execute()
    const day = 20_000
    const used = { user_id: ann, day, token_id: token, channel_id: channel, model: 'm', requests: 3 }
    await db
      .insertInto('imported_usage')
      .values([1, 2].map((at) => ({ ...used, day: day + at, prompt_tokens: 5, completion_tokens: 6, amount: 1_000n })))
      .execute()
    await write()
    expect(await read('users')).toMatchObject([
      { quota: '-2', quota_exact: '-1.5', used_quota: '6', used_quota_exact: '5.001', request_count: '5' },
    ])
    expect(await read('tokens')).toMatchObject([
      { remain_quota: '2', remain_quota_exact: '2.999', used_quota: '5', accessed_time: '5', unlimited_quota: '0' },
    ])
    expect(await read('channels')).toMatchObject([{ used_quota: '2', used_quota_exact: '2' }])
    expect(await read('usage_before')).toMatchObject([
      { day: '2024-10-05', model_name: 'm', quota: '1', request_count: '3' },
      { day: '2024-10-06', model_name: 'm', quota: '1', prompt_tokens: '5' },
    ])
  })

  it('has every secret in clear, those of channels with several keys line by line', async () => {
    const db = database.kysely
    const ann = await addUser(db, {
      username: 'ann',
      password_hash: '$2a$10$hash',
      totp_sealed: vault.seal('totp', 'BASE32'),
      access_token_hash: 'ab12',
    })
    await addToken(db, { user_id: ann, name: 'key', key_sealed: vault.seal('token_key', 'clear key') })
    const list = vault.seal('channel_key', JSON.stringify(['one', 'two']))
    const several = await addChannel(db, { key_sealed: list, key_count: 2 })
    await addChannel(db, { key_sealed: vault.seal('channel_key', 'a|b|c') })
    const off = keyFingerprint('two', (text) => hash('sha256', text))
    await db
      .insertInto('channel_key')
      .values({ channel_id: several, fingerprint: off, status: 3, reason: '', since_ms: 1 })
      .execute()
    await option('SMTPToken', vault.seal('option', 'mail password'))
    await option('SystemName', 'v1.not sealed')
    expect(await write()).toMatchObject({ unopened: new Map() })
    expect(await read('users')).toMatchObject([
      { password: '$2a$10$hash', totp_secret: 'BASE32', access_token_hash: 'ab12' },
    ])
    expect(await read('tokens')).toMatchObject([{ key: 'clear key' }])
    expect(await read('channels')).toMatchObject([
      { key: 'one\ntwo', channel_info: expect.stringContaining('"multi_key_status_list":{"1":3}') },
      { key: 'a|b|c', channel_info: null },
    ])
    expect(await read('options')).toEqual(
      expect.arrayContaining([
        { key: 'SMTPToken', value: 'mail password' },
        { key: 'SystemName', value: 'v1.not sealed' },
      ]),
    )
  })

  it('leaves empty what no present master key opens, and counts it', { tags: 'S19' }, async () => {
    const lost = createVault([randomBytes(32)])
    const sealed = (purpose: Purpose) => lost.seal(purpose, 'canary')
    const db = database.kysely
    const ann = await addUser(db, { username: 'ann', totp_sealed: sealed('totp') })
    await addToken(db, { user_id: ann, name: 'a', key_sealed: sealed('token_key') })
    await addToken(db, { user_id: ann, name: 'b', key_sealed: sealed('token_key') })
    await addChannel(db, { key_sealed: sealed('channel_key'), key_count: 3 })
    await option('SMTPToken', sealed('option'))
    expect(await write()).toMatchObject({
      unopened: new Map([
        ['totp', 1],
        ['token_key', 2],
        ['channel_key', 1],
        ['option', 1],
      ]),
    })
    expect(await read('tokens')).toMatchObject([{ key: '' }, { key: '' }])
    expect(await read('channels')).toMatchObject([{ key: '' }])
  })

  it('binds nobody at a provider other than the one that the settings name', { tags: 'S11' }, async () => {
    for (const [name, issuer] of [
      ['ann', 'https://old.example'],
      ['bob', 'https://new.example'],
    ] as const) {
      const user = await addUser(database.kysely, { username: name })
      const bound = { user_id: user, label: '', created_time: 1 }
      await database.kysely
        .insertInto('identity')
        .values([
          { ...bound, provider: 'oidc', issuer, subject: `${name} at oidc` },
          { ...bound, provider: 'wechat', issuer: '', subject: `${name} at wechat` },
        ])
        .execute()
    }
    await option('OidcWellKnown', 'https://new.example/.well-known/openid-configuration')
    await write()
    expect(await read('users')).toMatchObject([
      { oidc_id: '', wechat_id: 'ann at wechat', lark_id: '' },
      { oidc_id: 'bob at oidc', wechat_id: 'bob at wechat', lark_id: '' },
    ])
  })

  it('leaves out who and what was deleted, and logs that were cleared', async () => {
    const db = database.kysely
    await addUser(db, { username: 'gone', status: 3 })
    const code = { key_hash: 'x', key_sealed: '', status: 1, amount: 5_000n, created_by: 1, created_time: 1 }
    await db
      .insertInto('redemption')
      .values(
        [1, 0].map((deleted) => ({
          ...code,
          name: '',
          key_hash: `${deleted}`,
          deleted_time: deleted,
          redeemed_by: 0,
          redeemed_ms: 0,
        })),
      )
      .execute()
    await option('LogClearedBefore', '2000')
    for (const seconds of [1_999, 2_000]) await addLog(db, { created_at: seconds })
    await write()
    expect(await read('users')).toEqual([])
    expect(await read('redemptions')).toMatchObject([{ quota: '5', key: '' }])
    expect(await read('logs')).toMatchObject([{ created_at: '2000' }])
  })

  it('reads tables of many pages to their end', async () => {
    const { id: _id, ...row } = await database.kysely.transaction().execute(async (trx) => {
      await addLog(trx, { created_at: 1, content: 'first' })
      return await trx.selectFrom('log').selectAll().executeTakeFirstOrThrow()
    })
    for (let page = 0; page < 5; page += 1) {
      const rows = Array.from({ length: 500 }, (_, at) => ({ ...row, content: `${page * 500 + at}` }))
      await database.kysely.insertInto('log').values(rows).execute()
    }
    expect(await write(['logs'])).toMatchObject({ rows: new Map([['logs', 2_501]]) })
    const contents = (await read('logs')).map(({ content }) => content)
    expect(contents).toEqual(['first', ...Array.from({ length: 2_500 }, (_, at) => `${at}`)])
  })

  it('can be read by its owner only, and never overwrites a file', { tags: 'S19' }, async () => {
    await write(['users'])
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect((await stat(join(folder, 'users.csv'))).mode & 0o777).toBe(0o600)
    await rm(join(folder, 'users.csv'))
    await writeFile(join(folder, 'tokens.csv'), 'mine')
    expect(await write(['users', 'tokens'])).toEqual({ exists: join(folder, 'tokens.csv') })
    expect(await readdir(folder)).toEqual(['tokens.csv'])
    expect(await readFile(join(folder, 'tokens.csv'), 'utf8')).toBe('mine')
  })

  it('leaves no file when it has to stop', async () => {
    await addUser(database.kysely, { username: 'ann' })
    await expect(write(EXPORTED_TABLES, AbortSignal.abort())).rejects.toThrow('aborted')
    expect(await readdir(folder)).toEqual([])
  })
})
