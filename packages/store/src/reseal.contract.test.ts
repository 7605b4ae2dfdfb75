import { randomBytes } from 'node:crypto'
import { columnsOfSettings, PLAIN_TOKEN } from '@sluice/contract/fields/token'
import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { addChannel } from '@sluice/testkit/rows'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sealOwnKey } from './own-key-seal.ts'
import { putOwnKey } from './queries/accounts/own-keys.ts'
import { endAuditCall } from './queries/audit/audit.ts'
import { beginBackground } from './queries/background-responses.ts'
import { findDamagedSecrets, missingKeys, type ResealCount, resealAll, SEALED_COLUMNS } from './reseal.ts'
import type { Schema } from './schema/schema.ts'
import { createVault, type Vault } from './vault.ts'
import { verifyAudit } from './verify-audit.ts'

const oldKey = randomBytes(32)
const newKey = randomBytes(32)
const before = createVault([oldKey])
const during = createVault([newKey, oldKey])
const after = createVault([newKey])

describe.each(databaseEngines)('a new master key on %s', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  beforeEach(() => database.reset())
  afterAll(() => database.close())

  const rotate = async (vault: Vault): Promise<readonly ResealCount[]> => {
    const counts: ResealCount[] = []
    for await (const count of resealAll(database.kysely, vault)) counts.push(count)
    return counts
  }
  const sum = (counts: readonly ResealCount[]) => counts.reduce((total, { resealed }) => total + resealed, 0)
  const keys = async (): Promise<readonly string[]> =>
    (await database.kysely.selectFrom('token').select('key_sealed').orderBy('id').execute()).map(
      (row) => row.key_sealed,
    )

  test('takes over every kind of secret, after which the old one is no longer needed', async () => {
    await fill(database.kysely, before, 3)
    const counts = await rotate(during)
    expect(counts.map(({ column }) => column)).toEqual(
      SEALED_COLUMNS.map((column) => `${column.table}.${column.column}`),
    )
    for (const { column, resealed, unreadableCount } of counts) {
      expect(resealed, column).toBeGreaterThan(0)
      expect(unreadableCount, column).toBe(0)
    }
    for (const { table, column, purpose } of SEALED_COLUMNS) {
      const { rows } = await sql<{ sealed: string }>`
        select ${sql.ref(column)} as sealed from ${sql.table(table)}`.execute(database.kysely)
      for (const { sealed } of rows.filter((row) => row.sealed.startsWith('v1.'))) {
        expect(after.open(purpose, sealed), `${table}.${column}`).toMatchObject({ ok: true })
      }
    }
    expect(await verifyAudit(database.kysely, after)).toEqual({ rows: 1, open: 0 })
  })

  test(
    'does not count as one that opens what another key sealed, whichever column it is in',
    { tags: 'S46' },
    async () => {
      expect(await missingKeys(database.kysely, after.keyIds)).toEqual([])
      await fill(database.kysely, before, 2)
      expect(await missingKeys(database.kysely, during.keyIds)).toEqual([])
      expect(await missingKeys(database.kysely, after.keyIds)).toEqual(before.keyIds)
      expect(await missingKeys(database.kysely, [...after.keyIds, before.keyId])).toEqual([])
      expect(await missingKeys(database.kysely, [])).toEqual(before.keyIds)
      await rotate(during)
      expect(await missingKeys(database.kysely, after.keyIds)).toEqual([])
    },
  )

  test('leaves alone what is sealed under it, so that repeating changes nothing', async () => {
    await fill(database.kysely, before, 2)
    await rotate(during)
    const sealed = await keys()
    expect(sum(await rotate(during))).toBe(0)
    expect(await keys()).toEqual(sealed)
  })

  test('continues where an interruption left off, batch by batch', async () => {
    await fill(database.kysely, before, 450)
    const generator = resealAll(database.kysely, during)
    await generator.next()
    await generator.return(undefined)
    const counts = await rotate(during)
    expect(counts.find(({ column }) => column === 'token.key_sealed')?.resealed).toBe(450)
    for (const sealed of await keys()) expect(after.open('token_key', sealed)).toMatchObject({ ok: true })
  })

  test('names what no key opens, and leaves it as it is', async () => {
    await fill(database.kysely, createVault([randomBytes(32)]), 1)
    const [sealed] = await keys()
    const token = (await rotate(during)).find(({ column }) => column === 'token.key_sealed')
    expect(token).toMatchObject({ resealed: 0, unreadable: ['1'], unreadableCount: 1 })
    expect(await keys()).toEqual([sealed])
  })

  test('finds what was changed although its key is known, and passes over what another key sealed', async () => {
    await fill(database.kysely, before, 1)
    expect(await findDamagedSecrets(database.kysely, before)).toEqual([])
    expect(await findDamagedSecrets(database.kysely, after)).toEqual([])
    const [sealed = ''] = await keys()
    await database.kysely
      .updateTable('token')
      .set({ key_sealed: `${sealed.slice(0, -4)}AAAA` })
      .execute()
    await database.kysely.updateTable('channel').set({ key_sealed: 'sk-in-the-clear' }).execute()
    expect(await findDamagedSecrets(database.kysely, before)).toEqual([
      { column: 'channel.key_sealed', ids: ['1'], count: 1 },
      { column: 'token.key_sealed', ids: ['1'], count: 1 },
    ])
  })

  test('never touches what is not sealed', { tags: 'S33' }, async () => {
    await database.kysely.insertInto('option').values({ key: 'Notice', value: 'v1.looks like it' }).execute()
    await database.kysely
      .insertInto('option')
      .values({ key: 'SMTPToken', value: before.seal('option', 's') })
      .execute()
    expect(sum(await rotate(during))).toBe(1)
    const notice = database.kysely.selectFrom('option').select('value').where('key', '=', 'Notice')
    expect(await notice.executeTakeFirst()).toEqual({ value: 'v1.looks like it' })
  })

  test('knows every column whose name says that it is sealed', async () => {
    const tables = await database.kysely.introspection.getTables()
    const named = tables.flatMap(({ name, columns }) =>
      columns.filter((column) => column.name.endsWith('_sealed')).map((column) => `${name}.${column.name}`),
    )
    const known = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`)
    expect(named.filter((column) => !known.includes(column))).toEqual([])
    expect(named.length).toBeGreaterThan(4)
  })
})

/** One row per kind of secret, `tokens` tokens. */
async function fill(db: Kysely<Schema>, vault: Vault, tokens: number): Promise<void> {
  await db
    .insertInto('user')
    .values({
      username: 'ann',
      password_hash: '',
      display_name: '',
      role: 1,
      status: 1,
      email: '',
      group_name: 'default',
      aff_code: null,
      created_time: 0,
      access_token_hash: null,
      totp_sealed: vault.seal('totp', 'JBSWY3DP'),
    })
    .execute()
  const { id: userId } = await db.selectFrom('user').select('id').executeTakeFirstOrThrow()
  for (let at = 0; at < tokens; at++) {
    await db
      .insertInto('token')
      .values({
        ...columnsOfSettings({ ...PLAIN_TOKEN, name: `t${at}`, unlimited: true }),
        user_id: userId,
        key_hash: `hash ${at}`,
        key_sealed: vault.seal('token_key', `key ${at}`),
        status: 1,
        created_time: 0,
      })
      .execute()
  }
  await addChannel(db, { key_sealed: vault.seal('channel_key', 'provider key') })
  await db
    .insertInto('redemption')
    .values({
      name: 'r',
      key_hash: 'r',
      key_sealed: vault.seal('redemption', 'code'),
      status: 1,
      amount: 1n,
      created_by: userId,
      created_time: 0,
      redeemed_by: 0,
      redeemed_ms: 0,
      deleted_time: 0,
    })
    .execute()
  await db
    .insertInto('option')
    .values({ key: 'SMTPToken', value: vault.seal('option', 'mail') })
    .execute()
  await db
    .insertInto('email_code')
    .values({ email: 'a@b.c', code_sealed: vault.seal('email_code', '123456'), attempts_left: 3, expires_time: 1 })
    .execute()
  const own = { userId, vendor: 'OpenAI', label: '', fallsBack: false }
  const sealed = sealOwnKey(vault, own, 'sk-proj-own')
  await putOwnKey(db, own, { sealed, fingerprint: 'f', createdTime: 0 })
  await beginBackground(db, { id: 'resp_1', userId: 1, sealed: vault.seal('background_response', '{}') }, 0)
  await db
    .insertInto('outbox')
    .values({
      kind: 'code',
      recipient: 'a@b.c',
      content_sealed: vault.seal('message', '{}'),
      state: 'waiting',
      attempts: 0,
      due_ms: 0,
      expires_ms: 0,
      lease: '',
      problem: '',
      created_ms: 0,
      done_ms: 0,
    })
    .execute()
  const entry = { call_id: 'a', begun_ms: 1, actor_id: 1, actor_name: 'root', actor_role: 100, address: '' }
  const change = {
    action: 'PUT /',
    outcome: 'done',
    target_kind: '',
    target_id: '',
    before_values: '',
    after_values: '',
  }
  await endAuditCall(db, vault, { ...entry, ...change }, 1)
}
