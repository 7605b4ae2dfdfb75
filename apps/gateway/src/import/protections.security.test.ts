// @module-tag slow
import { replacePasswordHash } from '@sluice/store/queries/accounts/users'
import type { TestSource } from '@sluice/testkit/import/foreign-sources'
import { type GeneratedGateway, type GeneratedUser, writeGateway } from '@sluice/testkit/import/generated-gateway'
import { type BringOptions, type ImportBench, openImportBench } from '@sluice/testkit/import/import-bench'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let bench: ImportBench
const sources: TestSource[] = []
beforeEach(async () => {
  bench = await openImportBench('sqlite')
})
afterEach(async () => {
  expect(await bench.broken()).toEqual([])
  await bench.close()
  for (const source of sources.splice(0)) await source.remove()
})

const SECRET = 'JBSWY3DPEHPK3PXP'
const person: GeneratedUser = {
  id: 2,
  name: 'ann',
  isRoot: false,
  hasCode: true,
  isDeleted: false,
  quota: 100,
  reward: 0,
  hostile: undefined,
}
const root: GeneratedUser = { ...person, id: 1, name: 'root', isRoot: true }
const token = { id: 1, userId: 2, key: 'k'.repeat(48), isUnlimited: false, remain: 50, hostile: undefined }
const code = { id: 1, code: 'code-0123456789', status: 1, quota: 10, hostile: undefined }

async function gateway(more: Partial<GeneratedGateway> = {}): Promise<TestSource> {
  const source = await writeGateway({
    family: 'laisky',
    users: [root, person],
    tokens: [token],
    channels: [],
    codes: [code],
    logs: [],
    ...more,
  })
  sources.push(source)
  return source
}

async function bring({ source }: TestSource, options: BringOptions = {}) {
  const { outcome, reason, report } = await bench.bring(source, options)
  expect([outcome, reason]).toEqual(['done', ''])
  return {
    kept: report?.kept.map(({ table, id, field, reason: why }) => `${table} ${id} ${field} ${why}`) ?? [],
    problems: report?.problems.map(({ table, id, field, problem }) => `${table} ${id} ${field} ${problem}`) ?? [],
    notes: report?.notes ?? [],
    report,
  }
}

const here = (statement: string) => sql.raw(statement).execute(bench.database.kysely)
const user = async (id = 2) =>
  await bench.database.kysely.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const sessions = async () => (await bench.database.kysely.selectFrom('session').selectAll().execute()).length
const signIn = () =>
  here(`insert into session (id_hash, user_id, created_time, expires_time) values ('s', 2, 1, 9000000000)`)
const STAYS = 'was changed in this gateway: stays as it is'

describe('what was protected here', () => {
  it('stays when another field changes at the source, and is named in the report', { tags: 'S10' }, async () => {
    const source = await gateway()
    await source.run('update users set role = 10 where id = 2')
    await bring(source)
    const sealed = bench.vault.seal('totp', SECRET)
    await here(`update "user" set status = 2, role = 1, totp_sealed = '${sealed}' where id = 2`)
    await here(`update token set subnet = '10.0.0.1', expired_time = 2000000000, models = 'gpt-4o', status = 2`)
    await source.run(`update users set display_name = 'Ann' where id = 2; update tokens set name = 'renamed'`)
    const { kept } = await bring(source)
    expect(await user()).toMatchObject({ display_name: 'Ann', status: 2, role: 1, totp_sealed: sealed })
    const stored = await bench.database.kysely.selectFrom('token').selectAll().executeTakeFirstOrThrow()
    expect(stored).toMatchObject({
      name: 'renamed',
      subnet: '10.0.0.1',
      expired_time: 2_000_000_000,
      models: 'gpt-4o',
      status: 2,
    })
    expect(kept.toSorted()).toEqual(
      [
        ...['expired_time', 'models', 'status', 'subnet'].map((field) => `tokens 1 ${field} ${STAYS}`),
        ...['role', 'status', 'totp_secret'].map((field) => `users 2 ${field} ${STAYS}`),
      ].toSorted(),
    )
  })

  it('stays also where the source had the same for a while', { tags: 'S10' }, async () => {
    const source = await gateway()
    await bring(source)
    await here('update "user" set status = 2 where id = 2')
    for (const status of [2, 1]) {
      await source.run(`update users set status = ${status} where id = 2`)
      await bring(source)
      expect((await user()).status).toBe(2)
    }
  })

  it('is not given back by a row that is gone and returns, which otherwise is on again', { tags: 'S10' }, async () => {
    const source = await gateway({ tokens: [token, { ...token, id: 2, key: 'l'.repeat(48) }] })
    await bring(source)
    await here('update token set status = 2 where id = 2')
    await source.run('create table kept as select * from tokens; delete from tokens')
    await bring(source)
    const statuses = async () =>
      (await bench.database.kysely.selectFrom('token').select('status').orderBy('id').execute()).map(
        (row) => row.status,
      )
    expect(await statuses()).toEqual([2, 2])
    await source.run('insert into tokens select * from kept')
    const { kept } = await bring(source)
    expect([await statuses(), kept]).toEqual([[1, 2], [`tokens 2 status ${STAYS}`]])
  })

  it('is a second step that only the source has switched off', { tags: 'S10' }, async () => {
    const source = await gateway()
    await source.run(`update users set totp_secret = '${SECRET}' where id = 2`)
    await bring(source)
    await source.run(`update users set totp_secret = null where id = 2`)
    const { kept } = await bring(source)
    expect(kept).toEqual(['users 2 totp_secret was disabled in the source: stays enabled here'])
    expect(await user()).toMatchObject({ totp_sealed: expect.any(String) })
    await source.run(`update users set totp_secret = '${SECRET.replace('J', 'K')}' where id = 2`)
    await bring(source)
    const opened = bench.vault.open('totp', (await user()).totp_sealed ?? '')
    expect(opened).toEqual({ ok: true, text: SECRET.replace('J', 'K') })
  })

  it('is an account at a provider that was taken off here', { tags: 'S10' }, async () => {
    const source = await gateway()
    await source.run(`alter table users add column wechat_id text; update users set wechat_id = 'wx' where id = 2`)
    await bring(source)
    const bound = async () => (await bench.database.kysely.selectFrom('identity').select('subject').execute()).length
    expect(await bound()).toBe(1)
    await here('delete from identity')
    await source.run(`update users set display_name = 'Ann' where id = 2`)
    const { kept } = await bring(source)
    expect([await bound(), kept]).toEqual([0, [`users 2 wechat_id ${STAYS}`]])
  })

  it('is the second step of the root here, whose place an imported root takes', { tags: 'S10' }, async () => {
    const sealed = bench.vault.seal('totp', SECRET)
    await here(`update "user" set totp_sealed = '${sealed}', email = 'root@here.example' where id = 1`)
    const { kept } = await bring(await gateway())
    expect(await user(1)).toMatchObject({ totp_sealed: sealed, email: 'root@here.example' })
    expect(kept).toEqual([
      'users 1 totp_secret was set for root in this gateway: stays as it is',
      'users 1 email was set for root in this gateway: stays as it is',
    ])
  })

  it('is a code that was switched off here, and one that has paid at the source pays nowhere', async () => {
    const source = await gateway()
    await bring(source)
    const status = async () =>
      (await bench.database.kysely.selectFrom('redemption').select('status').executeTakeFirstOrThrow()).status
    await here('update redemption set status = 2')
    await source.run(`update redemptions set name = 'renamed'`)
    const { report } = await bring(source)
    expect([await status(), report?.before.codes_unused, report?.after?.codes_unused]).toEqual([2, 1, 0])
    await source.run('update redemptions set status = 3')
    await bring(source)
    expect(await status()).toBe(3)
    await source.run('update redemptions set status = 1')
    await bring(source)
    expect(await status()).toBe(3)
  })
})

describe('a password that was changed at the source', () => {
  it.each([false, true])(
    'ends sessions and access token, signed in here before: %s',
    { tags: 'S10' },
    async (renewed) => {
      const source = await gateway()
      await bring(source)
      const imported = (await user()).password_hash
      // A sign-in replaces an imported hash with one of ours for the same password.
      if (renewed) expect(await replacePasswordHash(bench.database.kysely, 2, imported, 'argon2id$ours')).toBe(true)
      await here(`update "user" set access_token_hash = 'token' where id = 2`)
      await signIn()
      await source.run(`update users set display_name = 'Ann' where id = 2`)
      await bring(source)
      expect([await sessions(), (await user()).password_hash]).toEqual([1, renewed ? 'argon2id$ours' : imported])
      const next = `$2a$04$${'b'.repeat(53)}`
      await source.run(`update users set password = '${next}' where id = 2`)
      await bring(source)
      expect([await sessions(), await user()]).toMatchObject([0, { password_hash: next, access_token_hash: null }])
    },
  )

  it('and here stays as it is here', async () => {
    const source = await gateway()
    await bring(source)
    await here(`update "user" set password_hash = 'own' where id = 2`)
    await source.run(`update users set password = '$2a$04$${'b'.repeat(53)}' where id = 2`)
    const { kept } = await bring(source)
    expect([(await user()).password_hash, kept]).toEqual([
      'own',
      ['users 2 password was changed in this gateway and in the source: stays as it is'],
    ])
  })
})

describe('rows that an earlier version has imported', () => {
  it('lose nothing by the next import, which follows what is switched off there', { tags: 'S10' }, async () => {
    const bob = { ...person, id: 3, name: 'bob' }
    const source = await gateway({ users: [root, person, bob] })
    await bring(source)
    await here(`update imported set fields = ''`)
    const sealed = bench.vault.seal('totp', SECRET)
    await here(`update "user" set totp_sealed = '${sealed}', role = 1 where id = 2`)
    await source.run(`update users set display_name = 'Ann', email = 'a@there.example' where id = 2;
      update users set status = 2 where id = 3`)
    const { kept } = await bring(source)
    expect(await user()).toMatchObject({ totp_sealed: sealed, display_name: 'ann', email: '' })
    expect((await user(3)).status).toBe(2)
    expect(kept.map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
      'users 2 display_name',
      'users 2 email',
      'users 2 totp_secret',
    ])
    // From now on each field is recorded.
    await source.run(`update users set "group" = 'vip' where id = 2`)
    await bring(source)
    expect(await user()).toMatchObject({ totp_sealed: sealed, group_name: 'vip' })
  })

  it('are compared field by field where nothing has changed at the source', { tags: 'S10' }, async () => {
    const source = await gateway()
    await bring(source)
    await here(`update imported set fields = ''; `)
    await here(`update "user" set status = 2 where id = 2`)
    expect((await bring(source)).kept).toEqual([])
    await source.run(`update users set display_name = 'Ann' where id = 2`)
    await bring(source)
    expect(await user()).toMatchObject({ display_name: 'Ann', status: 2 })
  })
})

describe('power over this gateway', () => {
  const boss = { ...root, id: 5, name: 'boss' }

  it('comes by name: the check lists administrators, and further roots become such', { tags: 'S10' }, async () => {
    const source = await gateway({ users: [root, person, boss] })
    await source.run('update users set role = 10 where id = 2')
    for (const mode of ['check', 'import'] as const) {
      const { notes, problems } = await bring(source, { mode })
      expect(notes).toEqual([
        'Root here by this import: "root" (1 there).',
        'Administrators here by this import: "ann" (2 there), "boss" (5 there).',
      ])
      expect(problems).toEqual([
        'users 5 role is a root user in the source and becomes an administrator here, because a gateway has one root user',
      ])
    }
    expect([(await user(1)).role, (await user(5)).role]).toEqual([100, 10])
    expect((await bring(source)).notes).toEqual([])
    await source.run(`update users set role = 100 where id = 2`)
    expect((await bring(source)).notes).toEqual([])
    expect((await user()).role).toBe(10)
  })

  it('is that of several roots only when somebody chooses so', { tags: 'S10' }, async () => {
    const source = await gateway({ users: [root, boss], tokens: [] })
    const { notes } = await bring(source, { roots: 'all' })
    expect(notes).toEqual(['Root here by this import: "root" (1 there), "boss" (5 there).'])
    expect((await user(5)).role).toBe(100)
    // Only a person may demote a local root.
    await bring(source)
    expect((await user(5)).role).toBe(100)
  })
})

describe('a second step of new-api that cannot be read', () => {
  it('leaves its user out, instead of opening the account by the password alone', { tags: 'S10' }, async () => {
    const source = await gateway({ family: 'new-api', tokens: [] })
    await source.run(`create table two_fas (user_id integer, secret text, is_enabled integer, deleted_at text);
      insert into two_fas values (2, '====', 1, null)`)
    const refused = await bench.bring(source.source)
    expect(refused.outcome).toBe('refused')
    const { problems } = await bring(source, { leaveOut: true })
    expect(problems).toEqual(['users 2 two_fas.secret is not a base32 secret'])
    await source.run(`update two_fas set secret = '${SECRET}'`)
    await bring(source)
    expect(bench.vault.open('totp', (await user()).totp_sealed ?? '')).toEqual({ ok: true, text: SECRET })
  })
})
