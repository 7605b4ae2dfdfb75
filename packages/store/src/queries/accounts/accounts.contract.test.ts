import { PLAIN_TOKEN } from '@sluice/contract/fields/token'
import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { addUser } from '@sluice/testkit/rows'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findTokenHolder, setAccessToken } from './access-tokens.ts'
import { beginCeremony, finishCeremony, readCeremony } from './ceremonies.ts'
import { consumeEmailCode, isEmailTaken, putEmailCode, takeEmailCodeAttempt } from './email-codes.ts'
import { bindIdentity } from './identities.ts'
import { deletePasskey, findPasskey, insertPasskey, listPasskeys, renamePasskey, usePasskey } from './passkeys.ts'
import { findByEmail, putPasswordReset, resetPassword } from './password-resets.ts'
import {
  deletePendingGift,
  ensureAffCode,
  findInviter,
  insertAccount,
  listPendingGifts,
  type NewAccount,
} from './registration.ts'
import { findSession, insertSession } from './sessions.ts'
import {
  countRecoveryCodes,
  disableTotp,
  enableTotp,
  findTotp,
  replaceRecoveryCodes,
  useRecoveryCode,
  useTotpStep,
} from './totp.ts'
import { deleteUser, findCredentials, updateUser } from './users.ts'

const NOW = 1_700_000_000
const PASSWORDS = { passwords: true, providers: [] }

describe.each(databaseEngines)('what proves an account on %s', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  beforeEach(() => database.reset())
  afterAll(() => database.close())

  const session = async (userId: number, idHash: string, passwordHash?: string): Promise<boolean> =>
    insertSession(database.kysely, { idHash, userId, now: NOW, expires: NOW + 60, replaces: undefined, passwordHash })
  const isSignedIn = async (idHash: string): Promise<boolean> =>
    (await findSession(database.kysely, idHash, NOW)) !== undefined

  const defaultToken = (keyHash: string): NewAccount['token'] => ({
    ...PLAIN_TOKEN,
    name: 'default',
    unlimited: true,
    keyHash,
    keySealed: 'ks',
    createdTime: NOW,
  })
  const account = (over: Partial<NewAccount> = {}): NewAccount => ({
    username: 'ann',
    passwordHash: 'hash',
    displayName: 'Ann',
    email: '',
    proof: undefined,
    group: 'default',
    inviterId: 0,
    createdTime: NOW,
    token: defaultToken('kh'),
    gifts: [],
    receivers: [],
    ...over,
  })

  test('a password that is replaced while it is checked opens no session', { tags: 'S13' }, async () => {
    const { kysely } = database
    const ann = await addUser(kysely, { username: 'ann', password_hash: 'old' })
    expect(await session(ann, 'before', 'old')).toBe(true)
    const outcomes = await Promise.all([
      updateUser(kysely, ann, { passwordHash: 'new' }, undefined),
      ...Array.from({ length: 10 }, (_, i) => session(ann, `meanwhile-${i}`, 'old')),
    ])
    expect(outcomes[0]).toBe('updated')
    expect(await session(ann, 'late', 'old')).toBe(false)
    expect(await kysely.selectFrom('session').select('id_hash').execute()).toEqual([])
    expect(await session(ann, 'after', 'new')).toBe(true)
    expect(await isSignedIn('after')).toBe(true)
  })

  test('an account begins with its token and its promised gifts, or not at all', async () => {
    const { kysely } = database
    const inviter = await addUser(kysely, { username: 'host', aff_code: 'code' })
    const gifts = [
      { requestId: 'a', kind: 'gift' as const, to: undefined, quota: 5, content: 'welcome', awaitsCharge: false },
      {
        requestId: 'b',
        kind: 'invite' as const,
        to: { id: inviter, username: 'host' },
        quota: 7,
        content: 'thanks',
        awaitsCharge: false,
      },
    ]
    expect(await findInviter(kysely, 'code')).toEqual({ id: inviter, username: 'host' })
    const opened = await insertAccount(kysely, account({ gifts, inviterId: inviter }))
    if (typeof opened === 'string') throw new Error(opened)
    expect(await kysely.selectFrom('token').select(['user_id', 'name', 'unlimited', 'expired_time']).execute()).toEqual(
      [{ user_id: opened.id, name: 'default', unlimited: 1, expired_time: -1 }],
    )
    expect(await listPendingGifts(kysely, 10)).toEqual([
      { requestId: 'a', kind: 'gift', userId: opened.id, username: 'ann', quota: 5, content: 'welcome' },
      { requestId: 'b', kind: 'invite', userId: inviter, username: 'host', quota: 7, content: 'thanks' },
    ])
    const again = account({ gifts, token: defaultToken('other') })
    expect(await insertAccount(kysely, again)).toBe('name_taken')
    await deletePendingGift(kysely, 'a')
    expect(await listPendingGifts(kysely, 10)).toHaveLength(1)
    expect(await kysely.selectFrom('token').select('id').execute()).toHaveLength(1)
  })

  test('a mailed code has a number of tries, a time limit and one use', async () => {
    const { kysely } = database
    const code = { holder: 'digest of ann', codeSealed: 'sealed', attempts: 3, now: NOW, expires: NOW + 600 }
    await putEmailCode(kysely, code)
    expect(await takeEmailCodeAttempt(kysely, 'digest of bob', NOW)).toBeUndefined()
    expect(await takeEmailCodeAttempt(kysely, code.holder, NOW + 600)).toBeUndefined()
    const tries = await Promise.all(Array.from({ length: 8 }, () => takeEmailCodeAttempt(kysely, code.holder, NOW)))
    expect(tries.filter((proof) => proof !== undefined)).toHaveLength(3)
    await putEmailCode(kysely, { ...code, codeSealed: 'another' })
    const proof = await takeEmailCodeAttempt(kysely, code.holder, NOW)
    if (proof === undefined) throw new Error('no proof')
    expect(await consumeEmailCode(kysely, { ...proof, codeSealed: 'sealed' })).toBe(false)
    const uses = await Promise.all([consumeEmailCode(kysely, proof), consumeEmailCode(kysely, proof)])
    expect(uses.filter(Boolean)).toHaveLength(1)
    expect(await insertAccount(kysely, account({ proof }))).toBe('code_used')
    expect(await kysely.selectFrom('user').select('id').execute()).toEqual([])
  })

  test('a name that is taken leaves the code usable', async () => {
    const { kysely } = database
    await addUser(kysely, { username: 'ann' })
    await putEmailCode(kysely, { holder: 'digest', codeSealed: 's', attempts: 5, now: NOW, expires: NOW + 600 })
    expect(await insertAccount(kysely, account({ proof: { holder: 'digest', codeSealed: 's' } }))).toBe('name_taken')
    expect(await takeEmailCodeAttempt(kysely, 'digest', NOW)).toBeDefined()
  })

  test('a reset link works once, in time, for the address it was sent to, and ends open sessions', async () => {
    const { kysely } = database
    const id = await addUser(kysely, { username: 'ann', email: 'ann@example.org', access_token_hash: 't' })
    await addUser(kysely, { username: 'off', email: 'ann@example.org', status: 2 })
    expect(await findByEmail(kysely, 'Ann@Example.org', 5)).toEqual([{ id, username: 'ann', email: 'ann@example.org' }])
    expect(await isEmailTaken(kysely, 'ANN@example.org', 0)).toBe(true)
    expect(await isEmailTaken(kysely, 'bob@example.org', 0)).toBe(false)
    const eve = await addUser(kysely, { username: 'eve', email: 'Eve@Example.org' })
    expect(await isEmailTaken(kysely, 'eve@example.ORG', 0)).toBe(true)
    expect(await findByEmail(kysely, 'eve@example.org', 5)).toMatchObject([{ id: eve, email: 'Eve@Example.org' }])
    expect((await findCredentials(kysely, 'EVE@example.org'))?.id).toBe(eve)
    await session(id, 's1')
    const reset = { tokenHash: 'h', email: 'ANN@example.org', passwordHash: 'new', now: NOW }
    const put = () => putPasswordReset(kysely, { userId: id, tokenHash: 'h', expires: NOW + 600 })
    await put()
    expect(await resetPassword(kysely, { ...reset, tokenHash: 'x' })).toBeUndefined()
    expect(await resetPassword(kysely, { ...reset, now: NOW + 600 })).toBeUndefined()
    expect(await resetPassword(kysely, { ...reset, email: 'bob@example.org' })).toBeUndefined()
    await put()
    const uses = await Promise.all([resetPassword(kysely, reset), resetPassword(kysely, reset)])
    expect(uses.filter(Boolean)).toHaveLength(1)
    expect(await isSignedIn('s1')).toBe(false)
    expect(await findTokenHolder(kysely, 't')).toBeUndefined()
    expect((await findCredentials(kysely, 'ann'))?.passwordHash).toBe('new')
  })

  test('a ceremony belongs to its owner and action, ends in time and finishes once', { tags: 'S13' }, async () => {
    const { kysely } = database
    const begin = (content: string) =>
      beginCeremony(kysely, { owner: 'o', action: 'passkey_login', content, now: NOW, expires: NOW + 300 })
    expect(await begin('first')).toBe('begun')
    expect(await begin('second')).toBe('begun')
    expect(await readCeremony(kysely, 'o', 'passkey_login', NOW)).toBe('second')
    expect(await finishCeremony(kysely, 'other', 'passkey_login', NOW)).toBeUndefined()
    expect(await finishCeremony(kysely, 'o', 'passkey_register', NOW)).toBeUndefined()
    expect(await finishCeremony(kysely, 'o', 'passkey_login', NOW + 300)).toBeUndefined()
    const ends = await Promise.all([1, 2].map(() => finishCeremony(kysely, 'o', 'passkey_login', NOW)))
    expect(ends.filter((content) => content !== undefined)).toEqual(['second'])
  })

  test('too many open ceremonies keep new ones from beginning until their time is over', { tags: 'S28' }, async () => {
    const { kysely } = database
    const begin = (owner: string, now: number) =>
      beginCeremony(kysely, { owner, action: 'passkey_login', content: 'x', now, expires: now + 300 }, 3)
    for (const owner of ['o1', 'o2', 'o3']) expect(await begin(owner, NOW)).toBe('begun')
    expect(await begin('o', NOW)).toBe('full')
    expect(await begin('o', NOW + 300)).toBe('begun')
    expect(await kysely.selectFrom('ceremony').select('owner').execute()).toEqual([{ owner: 'o' }])
  })

  test('a TOTP step and a recovery code are used once, also in parallel', async () => {
    const { kysely } = database
    const id = await addUser(kysely, { username: 'ann' })
    await session(id, 's1')
    const totp = { sealed: 'sealed', step: 10, recoveryHashes: ['r1', 'r2'] }
    expect(await enableTotp(kysely, id, totp)).toBe(true)
    expect(await enableTotp(kysely, id, totp)).toBe(false)
    expect(await isSignedIn('s1')).toBe(false)
    expect(await findTotp(kysely, id)).toBe('sealed')
    expect(await useTotpStep(kysely, id, 10)).toBe(false)
    const steps = await Promise.all([useTotpStep(kysely, id, 11), useTotpStep(kysely, id, 11)])
    expect(steps.filter(Boolean)).toHaveLength(1)
    expect(await useTotpStep(kysely, id, 9)).toBe(false)
    const codes = await Promise.all([useRecoveryCode(kysely, id, 'r1'), useRecoveryCode(kysely, id, 'r1')])
    expect(codes.filter(Boolean)).toHaveLength(1)
    expect(await countRecoveryCodes(kysely, id)).toBe(1)
    await replaceRecoveryCodes(kysely, id, ['n1', 'n2', 'n3'])
    expect(await useRecoveryCode(kysely, id, 'r2')).toBe(false)
    expect(await countRecoveryCodes(kysely, id)).toBe(3)
    expect(await disableTotp(kysely, id)).toBe(true)
    expect(await disableTotp(kysely, id)).toBe(false)
    expect(await countRecoveryCodes(kysely, id)).toBe(0)
  })

  test('a passkey belongs to its owner, counts upwards, and is registered once', async () => {
    const { kysely } = database
    const ann = await addUser(kysely, { username: 'ann' })
    const bob = await addUser(kysely, { username: 'bob' })
    const key = {
      userId: ann,
      name: 'phone',
      credentialId: 'cred',
      publicKey: 'pub',
      signCount: 4,
      transports: 'usb',
      createdTime: NOW,
    }
    expect(await insertPasskey(kysely, key, 2)).toBe('stored')
    expect(await insertPasskey(kysely, { ...key, userId: bob }, 2)).toBe('taken')
    expect(await insertPasskey(kysely, { ...key, credentialId: 'zero', signCount: 0 }, 2)).toBe('stored')
    expect(await insertPasskey(kysely, { ...key, credentialId: 'third' }, 2)).toBe('full')
    const [first, second] = await listPasskeys(kysely, ann)
    if (first === undefined || second === undefined) throw new Error('two passkeys were stored')
    expect(await findPasskey(kysely, 'cred')).toMatchObject({ ...key, username: 'ann', role: 1, usedTime: 0 })
    expect(await usePasskey(kysely, first.id, { signCount: 4, now: NOW })).toBe(false)
    expect(await usePasskey(kysely, first.id, { signCount: 0, now: NOW })).toBe(false)
    expect(await usePasskey(kysely, first.id, { signCount: 5, now: NOW })).toBe(true)
    expect(await usePasskey(kysely, second.id, { signCount: 0, now: NOW })).toBe(true)
    expect(await usePasskey(kysely, second.id, { signCount: 0, now: NOW })).toBe(true)
    expect(await renamePasskey(kysely, bob, first.id, 'mine')).toBe(false)
    expect(await renamePasskey(kysely, ann, first.id, 'laptop')).toBe(true)
    expect(await deletePasskey(kysely, bob, first.id, PASSWORDS)).toBe('not_found')
    expect(await deletePasskey(kysely, ann, first.id, PASSWORDS)).toBe('deleted')
    await kysely.updateTable('user').set({ status: 2 }).where('id', '=', ann).execute()
    expect(await findPasskey(kysely, 'zero')).toBeUndefined()
  })

  test('a passkey cannot be removed while it is the only way to sign in', async () => {
    const { kysely } = database
    const ann = await addUser(kysely, { username: 'ann', password_hash: '' })
    const add = async (credentialId: string): Promise<number> => {
      const key = { name: credentialId, credentialId, publicKey: 'pub', signCount: 0, transports: '', createdTime: NOW }
      await insertPasskey(kysely, { ...key, userId: ann }, 9)
      return (await listPasskeys(kysely, ann)).find(({ name }) => name === credentialId)?.id ?? 0
    }
    const phone = await add('phone')
    expect(await deletePasskey(kysely, ann, phone, PASSWORDS)).toBe('last')
    await bindIdentity(kysely, ann, { provider: 'oidc', issuer: '', subject: 'ann', label: 'ann', createdTime: NOW })
    expect(await deletePasskey(kysely, ann, phone, PASSWORDS)).toBe('last')
    expect(await deletePasskey(kysely, ann, phone, { passwords: true, providers: ['oidc'] })).toBe('deleted')
    const [first, second] = [await add('first'), await add('second')]
    const both = await Promise.all([first, second].map((id) => deletePasskey(kysely, ann, id, PASSWORDS)))
    expect(both.toSorted()).toEqual(['deleted', 'last'])
    await kysely.updateTable('user').set({ password_hash: 'hash' }).where('id', '=', ann).execute()
    const left = (await listPasskeys(kysely, ann))[0]?.id ?? 0
    expect(await deletePasskey(kysely, ann, left, { passwords: false, providers: [] })).toBe('last')
    expect(await deletePasskey(kysely, ann, left, PASSWORDS)).toBe('deleted')
  })

  test('an access token is one per user and ends with a new password', async () => {
    const { kysely } = database
    const id = await addUser(kysely, { username: 'ann', role: 10 })
    await setAccessToken(kysely, id, 'first')
    await setAccessToken(kysely, id, 'second')
    expect(await findTokenHolder(kysely, 'first')).toBeUndefined()
    expect(await findTokenHolder(kysely, 'second')).toEqual({
      userId: id,
      username: 'ann',
      role: 10,
      status: 1,
      group: 'default',
    })
    await updateUser(kysely, id, { displayName: 'A' }, undefined)
    expect(await findTokenHolder(kysely, 'second')).toBeDefined()
    await updateUser(kysely, id, { passwordHash: 'new' }, undefined)
    expect(await findTokenHolder(kysely, 'second')).toBeUndefined()
  })

  test('a deleted user keeps nothing to sign in with', async () => {
    const { kysely } = database
    const id = await addUser(kysely, { username: 'ann', email: 'ann@example.org', access_token_hash: 't' })
    await session(id, 's1')
    await enableTotp(kysely, id, { sealed: 'sealed', step: 1, recoveryHashes: ['r'] })
    await putPasswordReset(kysely, { userId: id, tokenHash: 'h', expires: NOW + 600 })
    expect(await deleteUser(kysely, id, 100)).toBe(true)
    expect(await isSignedIn('s1')).toBe(false)
    expect(await findTokenHolder(kysely, 't')).toBeUndefined()
    expect(await findTotp(kysely, id)).toBeUndefined()
    expect(await countRecoveryCodes(kysely, id)).toBe(0)
    const reset = { tokenHash: 'h', email: 'ann@example.org', passwordHash: 'new', now: NOW }
    expect(await resetPassword(kysely, reset)).toBeUndefined()
  })

  test('an invitation code is made once', async () => {
    const { kysely } = database
    const ann = await addUser(kysely, { username: 'ann' })
    const bob = await addUser(kysely, { username: 'bob' })
    expect(await ensureAffCode(kysely, ann, 'one')).toEqual({ code: 'one' })
    expect(await ensureAffCode(kysely, ann, 'two')).toEqual({ code: 'one' })
    expect(await ensureAffCode(kysely, bob, 'one')).toBe('code_taken')
  })
})
