// @module-tag slow
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mqFromQuota } from '@sluice/ledger/units'
import { insertUser } from '@sluice/store/queries/accounts/users'
import { sumTransfersByAccount } from '@sluice/store/queries/imports/import-totals'
import { databaseEngines } from '@sluice/testkit/databases'
import {
  expectedTotals,
  type GeneratedGateway,
  hostileGateway,
  writeGateway,
} from '@sluice/testkit/import/generated-gateway'
import { type ImportBench, openImportBench } from '@sluice/testkit/import/import-bench'
import { addChannel, addToken, addUser } from '@sluice/testkit/rows'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

/** Databases written by the real programs; see `tests/import/sources/README.md`. */
const SOURCES = join(import.meta.dirname, '..', '..', '..', '..', 'tests', 'import', 'sources')
const FORKS = ['one-api', 'laisky', 'new-api'] as const
const FAMILIES = ['one-api', 'laisky', 'new-api-2025', 'new-api'] as const

interface Secrets {
  readonly users: readonly {
    readonly id: number
    readonly username: string
    readonly role: number
    readonly quota: number
    readonly deleted: boolean
  }[]
  readonly tokens: readonly {
    readonly id: number
    readonly key: string
    readonly username: string
    readonly deleted: boolean
  }[]
  readonly codes: readonly { readonly code: string; readonly status: number; readonly deleted: boolean }[]
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')
const withoutPrefix = (key: string): string => key.replace(/^sk-/, '')

describe.each(databaseEngines)('an import into an instance in use on %s', (engine) => {
  let bench: ImportBench
  beforeEach(async () => {
    bench = await openImportBench(engine)
  })
  afterEach(async () => {
    expect(await bench.broken()).toEqual([])
    await bench.close()
  })

  it.each(FAMILIES)('brings what %s has, under its own ids where these are free', async (family) => {
    const all = JSON.parse(await readFile(join(SOURCES, 'secrets.json'), 'utf8')) as Record<string, Secrets>
    const secrets = all[`${family}.sqlite`]
    if (secrets === undefined) throw new Error(`there are no secrets of ${family}`)
    const db = bench.database.kysely
    const source = join(SOURCES, `${family}.sqlite`)
    const brought = secrets.users.filter(({ deleted }) => !deleted)
    const alice = brought.find(({ username }) => username === 'alice')
    const token = secrets.tokens.find(
      ({ username, deleted }) => !deleted && username !== 'alice' && brought.some((user) => user.username === username),
    )
    const code = secrets.codes.find(({ status, deleted }) => status === 1 && !deleted)
    if (alice === undefined || token === undefined || code === undefined) throw new Error('the source is another one')
    // Existing rows: another alice, somebody under the id of the next user, and a token and a code of the source.
    const local = await addUser(db, { username: 'alice', email: 'alice@here.example', aff_code: 'here' })
    const other = await addUser(db, { username: 'somebody' })
    const holder = await addToken(db, { user_id: local, name: 'here', key_hash: digest(withoutPrefix(token.key)) })
    const channel = await addChannel(db, { name: 'here' })
    await db
      .insertInto('redemption')
      .values({
        name: 'here',
        key_hash: digest(code.code),
        key_sealed: '',
        status: 1,
        amount: 5000n,
        created_by: 1,
        created_time: 1,
        redeemed_by: 0,
        redeemed_ms: 0,
        deleted_time: 0,
      })
      .execute()
    expect([local, other]).toEqual([alice.id, brought.find(({ id }) => id === other)?.id])

    const refused = await bench.bring(source)
    expect([refused.outcome, refused.reason]).toEqual(['refused', expect.stringContaining('rows cannot be imported')])
    const ended = await bench.bring(source, { leaveOut: true })
    expect([ended.outcome, ended.reason]).toEqual(['done', ''])
    expect(ended.report?.after).toEqual(ended.report?.before)
    expect(ended.report?.problems).toEqual(
      expect.arrayContaining([
        {
          table: 'users',
          id: String(alice.id),
          field: 'username',
          effect: 'left_out',
          problem: `is the name of user ${local} here, who was not imported`,
        },
        expect.objectContaining({ table: 'tokens', id: String(token.id), field: 'key', effect: 'left_out' }),
        expect.objectContaining({ table: 'redemptions', field: 'key', effect: 'left_out' }),
      ]),
    )

    // All others keep their exact balance, and their old id where it was free.
    const users = await db
      .selectFrom('user')
      .leftJoin('account', (join) => join.on('account.kind', '=', 'user').onRef('account.owner_id', '=', 'user.id'))
      .select(['user.id', 'username', 'role', 'account.posted', 'account.id as account'])
      .execute()
    const given = await sumTransfersByAccount(db, family.startsWith('new-api') ? 'new-api' : family)
    for (const { id, username, role, quota } of brought) {
      if (username === 'alice') continue
      const found = users.find((user) => user.username === username)
      expect([username, found?.role]).toEqual([username, role])
      expect(found?.id === id).toBe(id !== other)
      // new-api stores earnings from invitations separately.
      const least = mqFromQuota(quota)
      expect((given.get(found?.account ?? 0) ?? 0n) >= least).toBe(true)
      if (!family.startsWith('new-api')) expect([username, found?.posted ?? 0n]).toEqual([username, least])
    }
    // Existing users keep their place.
    const here = users.find(({ username }) => username === 'alice')
    expect([here?.id, here?.role, here?.posted]).toEqual([local, 1, 0n])
    expect(users).toHaveLength(brought.length + 1)
    const tokens = await db.selectFrom('token').selectAll().execute()
    expect(tokens.find(({ key_hash: hash }) => hash === digest(withoutPrefix(token.key)))).toMatchObject({
      id: holder,
      user_id: local,
    })
    const names = new Map(users.map((user) => [user.id, user.username]))
    for (const { key, username, deleted } of secrets.tokens) {
      if (deleted || key === token.key || username === 'alice' || !brought.some((user) => user.username === username))
        continue
      const found = tokens.find(({ key_hash: hash }) => hash === digest(withoutPrefix(key)))
      expect([key, names.get(found?.user_id ?? 0)]).toEqual([key, username])
    }
    expect(await db.selectFrom('channel').select('name').where('id', '=', channel).executeTakeFirst()).toEqual({
      name: 'here',
    })

    // The next user gets a new id, and no number is used twice.
    const next = await insertUser(db, {
      username: 'next',
      passwordHash: '',
      displayName: 'next',
      role: 1,
      email: '',
      group: 'default',
      createdTime: 1,
    })
    if (next === 'name_taken') throw new Error('the name is taken')
    const nextToken = await addToken(db, { user_id: next.id, name: 'next' })
    const nextChannel = await addChannel(db, { name: 'next' })
    expect(next.id).toBeGreaterThan(Math.max(...users.map(({ id }) => id)))
    expect(nextToken).toBeGreaterThan(Math.max(...tokens.map(({ id }) => id)))
    expect(nextChannel).toBeGreaterThan(channel)

    // A second import moves nothing.
    const before = await bench.state()
    const again = await bench.bring(source, { leaveOut: true })
    const moved = again.report?.tables.filter(({ added, changed, gone }) => added + changed + gone > 0)
    expect([again.outcome, moved?.map(({ name }) => name)]).toEqual(['done', []])
    expect(await bench.state()).toEqual(before)
  })

  it.each(FORKS)('names table, row and field of everything hostile in %s, and writes nothing', async (family) => {
    const { gateway, fields } = hostileGateway(family)
    const written = await writeGateway(gateway)
    try {
      const before = await bench.state()
      const refused = await bench.bring(written.source)
      expect(refused.outcome).toBe('refused')
      expect(await bench.state()).toEqual(before)
      const ended = await bench.bring(written.source, { leaveOut: true })
      for (const { report } of [refused, ended]) {
        const found = report?.problems.filter(({ effect }) => effect === 'left_out')
        expect(found?.map(({ table, id, field }) => `${table} ${id} ${field}`).toSorted()).toEqual(
          fields.map(({ table, id, field }) => `${table} ${id} ${field}`).toSorted(),
        )
      }
      expect([ended.outcome, ended.reason]).toEqual(['done', ''])
      expect(ended.report?.after).toMatchObject(expectedTotals(gateway))
    } finally {
      await written.remove()
    }
  })

  it('follows two users who swap their names, and one who takes the name of somebody who is gone', async () => {
    const person = { isRoot: false, hasCode: true, isDeleted: false, quota: 5, reward: 0, hostile: undefined }
    const nothing = { tokens: [], channels: [], codes: [], logs: [] }
    const gateway = (names: readonly string[]): GeneratedGateway => ({
      family: 'one-api',
      ...nothing,
      users: names.flatMap((name, at) =>
        name === ''
          ? []
          : [
              {
                ...person,
                id: at + 2,
                name,
              },
            ],
      ),
    })
    for (const names of [
      ['ann', 'bob', 'cid'],
      ['bob', 'ann', 'cid'],
      ['cid', 'ann', ''],
    ]) {
      const written = await writeGateway(gateway(names))
      const ended = await bench.bring(written.source)
      await written.remove()
      expect([ended.outcome, ended.reason]).toEqual(['done', ''])
      const rows = await bench.database.kysely
        .selectFrom('user')
        .select(['id', 'username', 'status'])
        .where('id', '>', 1)
        .orderBy('id')
        .execute()
      expect(rows.map(({ username }) => username)).toEqual(names.map((name, at) => name || `deleted_${at + 2}`))
      expect(rows.map(({ status }) => status)).toEqual(names.map((name) => (name === '' ? 2 : 1)))
    }
  })

  it.each([
    { name: 'boss', kept: 500_000_000_000_000 },
    { name: 'root', kept: 5 },
  ])('empties the root here only for one of its name: the one of the source is $name', async ({ name, kept }) => {
    const written = await writeGateway({
      family: 'one-api',
      tokens: [],
      channels: [],
      codes: [],
      logs: [],
      users: [{ id: 1, name, isRoot: true, hasCode: true, isDeleted: false, quota: 5, reward: 0, hostile: undefined }],
    })
    const ended = await bench.bring(written.source)
    await written.remove()
    expect([ended.outcome, ended.reason]).toEqual(['done', ''])
    const { posted } = await bench.database.kysely
      .selectFrom('user')
      .innerJoin('account', (join) => join.on('account.kind', '=', 'user').onRef('account.owner_id', '=', 'user.id'))
      .select('posted')
      .where('username', '=', 'root')
      .executeTakeFirstOrThrow()
    expect(posted).toBe(mqFromQuota(kept))
  })

  it('gives the highest ids to new rows, so that others can be added afterwards', async () => {
    const written = await writeGateway({
      family: 'one-api',
      tokens: [],
      channels: [],
      codes: [],
      logs: [],
      users: [0x7fffffff, 0x80000000, 0x1fffffffffffff].map((id) => ({
        id,
        name: `user ${id % 10}`,
        isRoot: false,
        hasCode: true,
        isDeleted: false,
        quota: 5,
        reward: 0,
        hostile: undefined,
      })),
    })
    expect((await bench.bring(written.source)).outcome).toBe('done')
    await written.remove()
    expect(await addUser(bench.database.kysely, { username: 'next' })).toBe(5)
  })
})
