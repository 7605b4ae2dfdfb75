// @module-tag slow
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mqFromQuota } from '@sluice/ledger/units'
import { createTestSource, type SourceRows, type TestSource } from '@sluice/testkit/import/foreign-sources'
import { type GeneratedGateway, type GeneratedUser, writeGateway } from '@sluice/testkit/import/generated-gateway'
import { type ImportBench, openImportBench } from '@sluice/testkit/import/import-bench'
import { testSettlement } from '@sluice/testkit/ledger-operations'
import { addUser } from '@sluice/testkit/rows'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let bench: ImportBench
let directory: string
const sources: TestSource[] = []

beforeEach(async () => {
  bench = await openImportBench('sqlite')
  directory = await mkdtemp(join(tmpdir(), 'sluice-hostile-'))
})
afterEach(async () => {
  expect(await bench.broken()).toEqual([])
  await bench.close()
  await rm(directory, { recursive: true, force: true })
  for (const source of sources.splice(0)) await source.remove()
})

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
const root: GeneratedUser = { ...person, id: 1, name: 'root', isRoot: true, hasCode: false }
const empty: GeneratedGateway = { family: 'one-api', users: [], tokens: [], channels: [], codes: [], logs: [] }

async function written(gateway: Partial<GeneratedGateway>): Promise<string> {
  const source = await writeGateway({ ...empty, ...gateway })
  sources.push(source)
  return source.source
}

async function tables(rows: readonly SourceRows[]): Promise<TestSource> {
  const source = await createTestSource('sqlite', rows)
  sources.push(source)
  return source
}

const runs = () => bench.database.kysely.selectFrom('import_run').selectAll().execute()
const people = () =>
  bench.database.kysely.selectFrom('user').select(['id', 'username', 'role', 'password_hash']).orderBy('id').execute()

describe('a file that is no database of the family', () => {
  it.each<[string, (path: string) => Promise<unknown>]>([
    ['is empty', (path) => writeFile(path, '')],
    ['is noise', (path) => writeFile(path, randomBytes(50_000))],
    [
      'only begins like a database',
      (path) => writeFile(path, Buffer.concat([Buffer.from('SQLite format 3\0'), randomBytes(9_000)])),
    ],
    ['is a script', (path) => writeFile(path, "#!/bin/sh\necho 'users, tokens, channels'\n")],
    ['is not there', () => Promise.resolve()],
  ])('is refused with a sentence when it %s, and nothing is written', { tags: 'S27' }, async (_, write) => {
    const path = join(directory, 'one-api.db')
    await write(path)
    const before = await bench.state()
    const { outcome, reason, report } = await bench.bring(path)
    expect([outcome, report]).toEqual(['refused', undefined])
    expect(reason).toMatch(/^\p{Lu}.*\.$/u)
    expect(await bench.state()).toEqual(before)
  })

  it('is refused when it is that of another program, by the table that it lacks', async () => {
    const { source } = await tables([
      { table: 'wp_users', columns: { ID: 'integer', user_login: 'text' }, rows: [[1, 'a']] },
    ])
    expect(await bench.bring(source)).toMatchObject({
      outcome: 'refused',
      reason: 'This is not a database of One API or its family: it has no table "users".',
    })
  })

  it('is refused when views and triggers stand where tables belong: nothing of it is run', { tags: 'S6' }, async () => {
    const source = await tables([
      { table: 'people', columns: { id: 'integer', username: 'text' }, rows: [[1, 'root']] },
    ])
    await source.run(`create view users as select id, username, '' as password, 100 as role, 1 as status, 5 as quota from people;
      create table tokens (id integer); create table channels (id integer)`)
    const { outcome, reason } = await bench.bring(source.source)
    expect([outcome, reason]).toEqual(['refused', expect.stringContaining('no table "users"')])
  })

  it('may have any names of tables and columns', { tags: 'S6' }, async () => {
    const named = await writeGateway({ ...empty, users: [root, person] })
    sources.push(named)
    await named.run(`create table "constructor" (id integer); create table "a""; drop table users; --" (id integer);
      alter table users add column "x""y" text; create table "__proto__" (id integer)`)
    const { outcome, report } = await bench.bring(named.source)
    expect(outcome).toBe('done')
    expect(report?.unknown.map(({ table }) => table)).toEqual(
      expect.arrayContaining(['constructor', '__proto__', 'a"; drop table users; --', 'users']),
    )
  })
})

describe('rows that are the same only once they are taken', () => {
  it('are brought once: a name with blanks behind it is no second user', async () => {
    const path = await written({ users: [root, person, { ...person, id: 3, name: 'ann  ' }] })
    expect(await bench.bring(path)).toMatchObject({ outcome: 'refused' })
    const { outcome, report } = await bench.bring(path, { leaveOut: true })
    expect([outcome, report?.problems]).toEqual([
      'done',
      [{ table: 'users', id: '3', field: 'username', problem: 'is the same as in another row', effect: 'left_out' }],
    ])
  })

  it('are brought once: a key with its prefix is no second token', async () => {
    const key = 'k'.repeat(48)
    const token = { id: 1, userId: 1, key, isUnlimited: false, remain: 10, hostile: undefined }
    const path = await written({ users: [root], tokens: [token, { ...token, id: 2, key: `sk-${key}` }] })
    const { outcome, report } = await bench.bring(path, { leaveOut: true })
    expect([outcome, report?.after?.tokens, report?.problems.map(({ id, field }) => `${id} ${field}`)]).toEqual([
      'done',
      1,
      ['2 key'],
    ])
  })
})

describe('an account with power', () => {
  it('does not come from a name: whoever is here under it stays who they are', { tags: 'S10' }, async () => {
    const here = await addUser(bench.database.kysely, {
      username: 'ann',
      password_hash: 'own',
      email: 'ann@here.example',
    })
    const before = await people()
    const source = await writeGateway({ ...empty, users: [root, person] })
    sources.push(source)
    for (const role of [10, 100]) {
      await source.run(`update users set role = ${role} where username = 'ann'`)
      const ended = await bench.bring(source.source, { leaveOut: true })
      expect(ended.report?.problems.map(({ table, field, problem }) => `${table} ${field} ${problem}`)).toEqual([
        `users username is the name of user ${here} here, who was not imported`,
      ])
      expect((await people()).find(({ id }) => id === here)).toEqual(before.find(({ id }) => id === here))
    }
  })

  it('is not taken from a root that is in use: its password, balance and role stay', { tags: 'S10' }, async () => {
    const own = (await people())[0]
    await bench.database.kysely.updateTable('user').set({ password_hash: 'changed' }).where('id', '=', 1).execute()
    const account = await bench.ledger.openAccount('user', 1, false)
    if (account === 'unavailable') throw new Error('the ledger does not answer')
    const move = {
      requestId: 'gift',
      kind: 'gift',
      account,
      mode: 'add',
      amount: mqFromQuota(1),
      actor: 0,
      reason: '',
    } as const
    await bench.ledger.move(move)
    const path = await written({ users: [root, person] })
    const ended = await bench.bring(path)
    expect([ended.outcome, ended.report?.before.users, ended.report?.notes.length]).toEqual(['done', 1, 1])
    expect(await people()).toEqual([
      { ...own, password_hash: 'changed' },
      expect.objectContaining({ username: 'ann', role: 1 }),
    ])
    const [row] = await bench.database.kysely
      .selectFrom('account')
      .selectAll()
      .where('owner_id', '=', 1)
      .where('kind', '=', 'user')
      .execute()
    expect(row?.posted).toBe(mqFromQuota(500_000_000_000_001))
  })

  it(
    'keeps the password that was set here, when the imported root changes at the source',
    { tags: 'S10' },
    async () => {
      expect((await bench.bring(await written({ users: [root] }))).outcome).toBe('done')
      await bench.database.kysely.updateTable('user').set({ password_hash: 'changed here' }).execute()
      const changed = { ...root, hasCode: true, quota: 7 }
      expect((await bench.bring(await written({ users: [changed] }))).outcome).toBe('done')
      expect((await people()).map(({ password_hash: hash }) => hash)).toEqual(['changed here'])
    },
  )

  it('of one gateway is not overwritten by another gateway’s', { tags: 'S10' }, async () => {
    const rich = { ...root, quota: 500_000_000_000_000 }
    expect((await bench.bring(await written({ users: [rich] }))).outcome).toBe('done')
    const before = await people()
    const second = await bench.bring(await written({ users: [{ ...root, quota: 1 }, person] }), { name: 'second' })
    expect([second.outcome, second.report?.before.users]).toEqual(['done', 1])
    expect((await people()).slice(0, 1)).toEqual(before)
    const [account] = await bench.database.kysely
      .selectFrom('account')
      .selectAll()
      .where('owner_id', '=', 1)
      .where('kind', '=', 'user')
      .execute()
    expect(account?.posted).toBe(mqFromQuota(500_000_000_000_000))
  })
})

describe('another gateway under the name of the first', () => {
  const others = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => ({ ...person, id: at + from, name: `user${at + from}` }))

  it('is refused, also by those who leave out what cannot be taken', { tags: 'S11' }, async () => {
    const first = await writeGateway({ ...empty, users: [root, ...others(2, 6)] })
    sources.push(first)
    expect((await bench.bring(first.source)).outcome).toBe('done')
    const before = await bench.state()
    await first.run(`update users set aff_code = 'z' || id, username = 'other' || id where id > 1`)
    for (const leaveOut of [false, true]) {
      const { outcome, report } = await bench.bring(first.source, { leaveOut })
      expect(outcome).toBe('refused')
      expect(report?.refused.join(' ')).toContain('give it a different name')
      expect(await bench.state()).toEqual(before)
    }
  })

  it('is refused when it has lost most users: nobody is switched off because a volume was not mounted', async () => {
    expect((await bench.bring(await written({ users: [root, ...others(2, 8)] }))).outcome).toBe('done')
    const before = await bench.state()
    const { outcome, reason } = await bench.bring(await written({ users: [root] }))
    expect([outcome, reason]).toEqual(['refused', expect.stringContaining('lacks 8 of the users')])
    expect(await bench.state()).toEqual(before)
  })
})

describe('money', () => {
  it('beyond what a ledger can hold is refused before anything is written', { tags: 'S24' }, async () => {
    const rich = (id: number) => ({ ...person, id, name: `user${id}`, quota: 1_000_000_000_000_000 })
    const path = await written({ users: Array.from({ length: 12 }, (_, at) => rich(at + 2)) })
    const before = await bench.state()
    const { outcome, reason } = await bench.bring(path)
    expect([outcome, reason]).toEqual(['refused', 'The sum 12000000000000000 is more than the ledger can record.'])
    expect(await bench.state()).toEqual(before)
  })

  it(
    'of a code that has paid here is not brought again, whatever becomes of the code there',
    { tags: 'S12' },
    async () => {
      const code = { id: 1, code: 'code-0123456789', status: 1, quota: 50, hostile: undefined }
      const of = (status: number, quota: number) =>
        written({ users: [root, person], codes: [{ ...code, status, quota }] })
      expect((await bench.bring(await of(1, 50))).outcome).toBe('done')
      const db = bench.database.kysely
      const { id: redemption } = await db.selectFrom('redemption').select('id').executeTakeFirstOrThrow()
      const account = await bench.ledger.openAccount('user', 2, false)
      if (account === 'unavailable') throw new Error('the ledger does not answer')
      const log = { type: 1, createdAt: 1, userId: 2, username: 'ann', content: '' } as const
      expect(await bench.ledger.redeem({ redemption, account, actor: 2, log })).toEqual({ paid: mqFromQuota(50) })
      for (const [status, quota] of [
        [1, 50],
        [3, 50],
        [2, 50],
        [1, 900],
      ] as const) {
        const ended = await bench.bring(await of(status, quota))
        expect([ended.outcome, ended.reason, ended.report?.after?.codes_unused]).toEqual(['done', '', 0])
        expect(await bench.ledger.redeem({ redemption, account, actor: 2, log })).toBe('unusable')
      }
    },
  )

  it('that a limited token may spend is limited again, when it was unlimited in between', { tags: 'S25' }, async () => {
    const token = { id: 1, userId: 2, key: 'k'.repeat(48), isUnlimited: false, remain: 0, hostile: undefined }
    const at = (isUnlimited: boolean, remain: number) =>
      written({ users: [root, person], tokens: [{ ...token, isUnlimited, remain }] })
    const holds: string[] = []
    for (const [at_, path] of [await at(false, 5), await at(true, 5), await at(false, 0)].entries()) {
      expect((await bench.bring(path)).outcome).toBe('done')
      const db = bench.database.kysely
      const find = (kind: 'user' | 'token', owner: number) =>
        db
          .selectFrom('account')
          .select('id')
          .where('kind', '=', kind)
          .where('owner_id', '=', owner)
          .executeTakeFirstOrThrow()
      const [account, limitAccount] = [(await find('user', 2)).id, (await find('token', 1)).id]
      const requestId = `0193000000007000800000000000000${at_}`
      const answer = await bench.ledger.hold({
        requestId,
        account,
        limitAccount,
        amount: mqFromQuota(10),
        durable: true,
      })
      holds.push(typeof answer === 'string' ? answer : answer.reason)
      if (answer === 'held')
        await bench.ledger.settle(testSettlement({ userId: 2, tokenId: 1, account, limitAccount }, requestId, 0))
    }
    expect(holds).toEqual(['token_quota', 'held', 'token_quota'])
  })
})

describe('a secret', () => {
  const SECRET = 'S3CRET-that-nobody-may-see'

  it('of a row that breaks a rule is in no report, no run and no refusal', { tags: 'S20' }, async () => {
    const source = await writeGateway({
      ...empty,
      family: 'new-api',
      users: [
        root,
        person,
        {
          ...person,
          id: 3,
          name: 'bob',
        },
      ],
      tokens: [
        {
          id: 1,
          userId: 1,
          key: `${SECRET} `.repeat(2),
          isUnlimited: false,
          remain: 1,
          hostile: undefined,
        },
      ],
      channels: [1, 2, 3, 41, 33].map((type, at) => ({
        id: at + 1,
        type,
        createdTime: at + 1,
        hostile: undefined,
      })),
      codes: [
        {
          id: 1,
          code: `${SECRET} x`,
          status: 1,
          quota: 1,
          hostile: undefined,
        },
      ],
    })
    sources.push(source)
    await source.run(`update channels set key = '${SECRET}', base_url = 'https://user:${SECRET}@api.example' where id = 1;
      update channels set key = '${SECRET}|', channel_info = '{"is_multi_key":"${SECRET}"' where id = 2;
      update channels set key = '{"private_key":"${SECRET}"}' where id = 4;
      update channels set key = '${SECRET}' where id = 5;
      update users set password = '${SECRET}', aff_code = '${SECRET}' where id = 2;
      update users set quota = '${SECRET}' where id = 3;
      create table options (key text, value text);
      insert into options values ('SMTPToken', '${SECRET}'), ('GitHubClientSecret', '${SECRET}'), ('ModelRatio', '{"a":"${SECRET}"}')`)
    for (const options of [{}, { leaveOut: true }] as const) {
      const ended = await bench.bring(source.source, options)
      expect(ended.report?.problems.length).toBeGreaterThan(3)
      expect(JSON.stringify([ended, await runs()])).not.toContain(SECRET)
    }
  })

  it('of an address is in no reason and no run', { tags: 'S20' }, async () => {
    for (const address of [
      `postgres://operator:${SECRET}@127.0.0.1:1/oneapi`,
      `mysql://operator:${SECRET}@127.0.0.1:1/oneapi`,
      `postgres://operator:${SECRET}@[bad/oneapi`,
      `redis://operator:${SECRET}@127.0.0.1/0`,
      `operator:${SECRET}@tcp(127.0.0.1:3306)/oneapi`,
      join(directory, `${SECRET}/../nothing.db`),
    ]) {
      const ended = await bench.bring(address)
      expect([ended.outcome, ended.reason.length > 0]).toEqual(['refused', true])
      expect(JSON.stringify([ended, await runs()])).not.toContain(SECRET)
    }
    expect((await runs()).map(({ outcome }) => outcome)).toEqual(Array<string>(6).fill('refused'))
  })

  it('is not left in a copy of the source, however a run ends', { tags: 'S20' }, async () => {
    const path = await written({ users: [root, person] })
    await bench.bring(path)
    await bench.bring(path, { name: 'second' })
    expect(await bench.copies()).toEqual([])
    await bench.bringUntil({ at: 12, effective: false }, path, { name: 'third' })
    await bench.bring(path)
    expect(await bench.copies()).toEqual([])
  })
})
