import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { addChannel, addToken, addUser } from '@sluice/testkit/rows'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listUserNames, listUsers, USER_SORT_COLUMNS } from '../accounts/users.ts'
import { CHANNEL_SORT_COLUMNS, listChannels } from '../channels/channels.ts'
import { ANY_TOKEN_SORT_COLUMNS, listAllTokens } from '../tokens/all-tokens.ts'
import { insertRedemptions, listRedemptions, REDEMPTION_SORT_COLUMNS } from '../tokens/redemptions.ts'
import { listTokens, TOKEN_SORT_COLUMNS } from '../tokens/tokens.ts'

/** Names that a locale would order differently from their bytes. */
const NAMES = ['b', 'B', 'a', 'É', 'a', '_c', 'Z', '1']
const NOW = 2_000
/** Every third row has no account; the amounts repeat, and lie above and below the 0 that such a row shows. */
const amountAt = (at: number): bigint => [-5n, 7n, 7n, 0n][at % 4] ?? 0n

interface Row {
  readonly id: number
}
type List = (column: string, direction: 'asc' | 'desc', limit: number, offset: number) => Promise<readonly Row[]>

describe.each(databaseEngines)('the order of lists on %s', (engine) => {
  let database: TestDatabase
  let owner: number
  beforeAll(async () => {
    database = await openTestDatabase(engine)
    const db = database.kysely
    const hasNoAccount: ['user' | 'token', number][] = []
    for (const [at, name] of NAMES.entries()) {
      const username = `${name}${name === 'a' ? at : ''}`
      const posted = amountAt(at)
      const balance = { posted, spent: posted * posted, requests: at % 3 }
      const user = await addUser(
        db,
        { username, display_name: name, email: `${name}${at}@x.org`, role: 1 + (at % 2) },
        balance,
      )
      owner ??= user
      const token = await addToken(db, { user_id: owner, name, key_hash: String(at) }, { ...balance, last_ms: at % 3 })
      if (at % 3 === 0) hasNoAccount.push(['user', user], ['token', token])
      await addChannel(db, { name, type: 1 + (at % 2), response_time: at % 3 })
      const code = {
        name,
        keyHash: String(at),
        keySealed: '',
        amount: posted * posted,
        createdBy: 1,
        createdTime: at % 2,
        expiredTime: at % 3,
      }
      await insertRedemptions(db, [code])
    }
    for (const [kind, id] of hasNoAccount) {
      await db.deleteFrom('account').where('kind', '=', kind).where('owner_id', '=', id).execute()
    }
  })
  afterAll(() => database.close())

  /** `shown`: the value that a row shows under a column; rows are expected in that order. */
  const lists = {
    tokens: [
      TOKEN_SORT_COLUMNS,
      async (column, direction, limit, offset) =>
        (await listTokens(database.kysely, owner, '', { column, direction } as never, { limit, offset }, NOW)).rows,
    ],
    'all tokens': [
      ANY_TOKEN_SORT_COLUMNS,
      async (column, direction, limit, offset) =>
        (await listAllTokens(database.kysely, { keyword: '' }, { column, direction } as never, { limit, offset }, NOW))
          .rows,
    ],
    users: [
      USER_SORT_COLUMNS,
      async (column, direction, limit, offset) =>
        (await listUsers(database.kysely, '', { column, direction } as never, { limit, offset })).rows,
    ],
    channels: [
      CHANNEL_SORT_COLUMNS,
      async (column, direction, limit, offset) =>
        (await listChannels(database.kysely, '', { column, direction } as never, { limit, offset })).rows,
    ],
    redemptions: [
      REDEMPTION_SORT_COLUMNS,
      async (column, direction, limit, offset) =>
        (await listRedemptions(database.kysely, '', { column, direction } as never, { limit, offset })).rows,
    ],
  } satisfies Record<string, [Readonly<Record<string, string>>, List]>

  /** The field that a row shows in a column; most have the column's name. */
  const shownAs: Readonly<Record<string, string>> = {
    'account.posted': 'posted',
    'account.last_ms': 'lastMs',
    created_time: 'createdTime',
    expired_time: 'expiredTime',
    user_id: 'userId',
    display_name: 'displayName',
    response_time: 'responseTime',
    test_time: 'testTime',
    redeemed_ms: 'redeemedMs',
    balance_micros: 'balanceMicros',
    balance_time: 'balanceTime',
  }
  const shown = (row: Row, column: string): string | number | bigint => {
    const name = column.split('.').at(-1) ?? ''
    const fields = row as unknown as Readonly<Record<string, string | number | bigint>>
    const value = fields[shownAs[column] ?? shownAs[name] ?? name] ?? fields['remain']
    if (value === undefined) throw new Error(`no field for ${column}`)
    return value
  }
  const compare = (a: string | number | bigint, b: string | number | bigint): number =>
    typeof a === 'string' || typeof b === 'string'
      ? Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
      : Number(a) - Number(b)

  const sorted = Object.entries(lists).flatMap(([name, [columns, list]]) =>
    [...new Set(Object.values(columns))].flatMap((column) =>
      (['asc', 'desc'] as const).map((direction) => ({ name, column, direction, list })),
    ),
  )

  test.each(sorted)(
    '$name by $column, $direction: as shown, then the newest, page by page',
    async ({ column, direction, list, name }) => {
      const rows = await list(column, direction, 100, 0)
      expect(rows.length).toBeGreaterThanOrEqual(NAMES.length)
      const sign = direction === 'asc' ? 1 : -1
      if (column !== 'status' || name === 'channels') {
        const expected = rows.toSorted((a, b) => sign * compare(shown(a, column), shown(b, column)) || b.id - a.id)
        expect(rows.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
      }
      const pages = []
      for (let offset = 0; offset < rows.length; offset += 3) pages.push(...(await list(column, direction, 3, offset)))
      expect(pages.map(({ id }) => id)).toEqual(rows.map(({ id }) => id))
    },
  )

  test('of names to choose from follows their bytes too', async () => {
    const names = (await listUserNames(database.kysely, 100)).map(({ username }) => username)
    expect(names).toEqual(names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))))
  })
})
