import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { addUser } from '@sluice/testkit/rows'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bindIdentity, findSignInUser, findUserByIdentity, insertIdentity, unbindIdentity } from './identities.ts'
import { insertOAuthState, takeOAuthState } from './oauth-states.ts'
import { findUser } from './users.ts'

describe.each(databaseEngines)('accounts at providers on %s', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  beforeEach(() => database.reset())
  afterAll(() => database.close())

  const identity = (subject: string, provider = 'github') => ({
    provider,
    issuer: 'https://github.com',
    subject,
    label: `login of ${subject}`,
    createdTime: 1_700_000_000,
  })
  const add = (username: string) => addUser(database.kysely, { username })
  const bind = (userId: number, subject: string, provider?: string) =>
    bindIdentity(database.kysely, userId, identity(subject, provider))
  const ownerOf = async (subject: string) => (await findUserByIdentity(database.kysely, identity(subject)))?.username

  test('sign in as one user, and are shown with them', async () => {
    const ann = await add('ann')
    expect(await bind(ann, '1')).toBe('bound')
    expect(await bind(ann, 'o-1', 'lark')).toBe('bound')
    expect(await ownerOf('1')).toBe('ann')
    expect(await ownerOf('2')).toBeUndefined()
    expect(await findUserByIdentity(database.kysely, { ...identity('1'), issuer: 'https://other' })).toBeUndefined()
    expect(await findUser(database.kysely, ann)).toMatchObject({
      githubId: 'login of 1',
      larkId: 'login of o-1',
      oidcId: '',
      wechatId: '',
    })
  })

  test('belong to one user, and a user has one per provider', async () => {
    const [ann, bob] = [await add('ann'), await add('bob')]
    await bind(ann, '1')
    await bind(bob, '2')
    expect(await bind(bob, '1')).toBe('taken')
    expect(await ownerOf('2')).toBe('bob')
    expect(await bind(ann, '1')).toBe('bound')
    expect(await bind(ann, '3')).toBe('bound')
    expect(await ownerOf('1')).toBeUndefined()
    expect(await bind(bob, '1')).toBe('bound')
  })

  test('can be removed as long as the user can still sign in another way', async () => {
    const { kysely } = database
    const ann = await add('ann')
    const undo = (provider: string, passwords = true, providers = ['github', 'lark']) =>
      unbindIdentity(kysely, ann, provider, { passwords, providers })
    const setPassword = (hash: string) =>
      kysely.updateTable('user').set({ password_hash: hash }).where('id', '=', ann).execute()
    await setPassword('')
    await bind(ann, '1')
    expect(await undo('lark')).toBe('not_bound')
    expect(await undo('github')).toBe('last')
    await bind(ann, 'o-1', 'lark')
    expect(await undo('github', true, ['github'])).toBe('last')
    expect(await undo('lark')).toBe('unbound')
    await setPassword('hash')
    expect(await undo('github', false)).toBe('last')
    expect(await undo('github')).toBe('unbound')
    expect(await ownerOf('1')).toBeUndefined()
  })

  test('are not both removed at once when there is no other way to sign in', async () => {
    const { kysely } = database
    const ann = await add('ann')
    await kysely.updateTable('user').set({ password_hash: '' }).where('id', '=', ann).execute()
    await bind(ann, '1')
    await bind(ann, 'o-1', 'lark')
    const undo = (provider: string) =>
      unbindIdentity(kysely, ann, provider, { passwords: true, providers: ['github', 'lark'] })
    expect((await Promise.all([undo('github'), undo('lark')])).toSorted()).toEqual(['last', 'unbound'])
  })

  test('of a deleted user are free again', async () => {
    const [ann, bob] = [await add('ann'), await add('bob')]
    await bind(ann, '1')
    await database.kysely.updateTable('user').set({ status: 3 }).where('id', '=', ann).execute()
    expect(await ownerOf('1')).toBeUndefined()
    expect(await findSignInUser(database.kysely, ann)).toBeUndefined()
    expect(await bind(bob, '1')).toBe('bound')
    expect(await findSignInUser(database.kysely, bob)).toMatchObject({ username: 'bob', status: 1 })
  })

  test('are not given to a new user when they belong to another', async () => {
    const [ann, bob] = [await add('ann'), await add('bob')]
    const insert = (userId: number) =>
      database.kysely.transaction().execute((trx) => insertIdentity(trx, userId, identity('1')))
    expect(await insert(ann)).toBe(true)
    expect(await insert(bob)).toBe(false)
    expect(await ownerOf('1')).toBe('ann')
  })

  test('a begun sign-in is taken once, by its own browser, in time', async () => {
    const { kysely } = database
    const row = { provider: 'oidc', userId: 7, affCode: 'abcd', expires: 2_000 }
    const hashes = { state: 's', browser: 'b' }
    expect(await insertOAuthState(kysely, hashes, row, 1_000)).toBe('stored')
    expect(await takeOAuthState(kysely, { ...hashes, browser: 'x' }, 1_000)).toBeUndefined()
    expect(await takeOAuthState(kysely, hashes, 2_000)).toBeUndefined()
    expect(await takeOAuthState(kysely, hashes, 1_999)).toEqual(row)
    expect(await takeOAuthState(kysely, hashes, 1_999)).toBeUndefined()
    await insertOAuthState(kysely, hashes, row, 1_000)
    await insertOAuthState(kysely, { ...hashes, state: 't' }, { ...row, expires: 9_000 }, 2_000)
    expect(await kysely.selectFrom('oauth_state').select('state_hash').execute()).toEqual([{ state_hash: 't' }])
  })
})
