// @module-tag slow
import { randomBytes } from 'node:crypto'
import { type ManagementBench, openManagementBench, type Reply } from '@sluice/testkit/management-bench'
import { hashSync } from 'bcryptjs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BcryptJob } from './bcrypt.ts'
import { createPasswords } from './passwords.ts'
import { ensureRoot } from './root-account.ts'

const cookieOf = (reply: Reply<unknown>): string => reply.headers.getSetCookie()[0]?.replace(/;.*$/, '') ?? ''
/** Low costs: these tests do not measure time. */
const imported = (password: string, cost = 4): string => hashSync(password, cost)

describe('the password of a user who was imported', () => {
  let bench: ManagementBench
  /** Every test has its own address, so that no throttle carries over to the next. */
  let address = 0
  beforeAll(async () => {
    bench = await openManagementBench()
    await ensureRoot(bench.deps, 'a root password')
    const root = cookieOf(await signIn('root', 'a root password'))
    const users = ['ann', 'bob', 'cid', 'dan', 'eve'].map((username) => ({ username, password: 'right-password' }))
    for (const body of users) await bench.ask('POST', '/api/user/', { as: root, body })
  })
  beforeEach(() => (address += 1))
  afterAll(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const signIn = (username: string, password: string, headers: Record<string, string> = {}) =>
    bench.ask('POST', '/api/user/login', {
      body: { username, password },
      headers: { 'x-test-address': `198.51.${address}.1`, ...headers },
    })
  const store = async (username: string, hash: string): Promise<void> => {
    await bench.database.kysely
      .updateTable('user')
      .set({ password_hash: hash })
      .where('username', '=', username)
      .execute()
  }
  const storedOf = async (username: string): Promise<string> => {
    const query = bench.database.kysely.selectFrom('user').select('password_hash').where('username', '=', username)
    return (await query.executeTakeFirstOrThrow()).password_hash
  }

  it('signs in, gets another hash with the first sign-in, and ends no session by that', { tags: 'S34' }, async () => {
    const before = cookieOf(await signIn('ann', 'right-password'))
    const hash = imported('right-password').replace('$2b$', '$2a$')
    await store('ann', hash)
    expect((await signIn('ann', 'wrong-password')).code).toBe('bad_credentials')
    expect(await storedOf('ann')).toBe(hash)
    const cookie = cookieOf(await signIn('ann', 'right-password'))
    expect(await storedOf('ann')).toMatch(/^argon2id\$/)
    for (const as of [before, cookie]) expect((await bench.ask('GET', '/api/user/self', { as })).status).toBe(200)
    expect((await signIn('ann', 'right-password')).success).toBe(true)
  })

  it('signs in everywhere when it is used in several places at once for the first time', async () => {
    await store('bob', imported('right-password'))
    const replies = await Promise.all(Array.from({ length: 5 }, () => signIn('bob', 'right-password')))
    expect(replies.map(({ success }) => success)).toEqual(replies.map(() => true))
    for (const reply of replies) {
      expect((await bench.ask('GET', '/api/user/self', { as: cookieOf(reply) })).status).toBe(200)
    }
  })

  it('confirms a change, and gets another hash by that as well', { tags: 'S13' }, async () => {
    const as = cookieOf(await signIn('cid', 'right-password'))
    await store('cid', imported('right-password'))
    bench.clock.now += 10 * 60_000
    const change = (password: string) =>
      bench.ask('PUT', '/api/user/self', { as, body: { email: 'cid@example.org', current_password: password } })
    expect((await change('wrong-password')).code).toBe('step_up_wrong')
    expect((await change('right-password')).success).toBe(true)
    expect(await storedOf('cid')).toMatch(/^argon2id\$/)
    expect((await bench.ask('GET', '/api/user/self', { as })).status).toBe(200)
  })

  it('is none that bcrypt takes for it: longer than 72 bytes, or with NUL in it', { tags: 'S16' }, async () => {
    const longest = 'x'.repeat(72)
    const hashes = { longest: imported(longest), nul: imported('password') }
    await store('dan', hashes.longest)
    expect((await signIn('dan', `${longest}y`)).success).toBe(false)
    await store('dan', hashes.nul)
    expect((await signIn('dan', 'password\0password')).success).toBe(false)
    expect(await storedOf('dan')).toBe(hashes.nul)
    expect((await signIn('dan', 'password')).success).toBe(true)
  })

  it.each([
    ['that would take days', '$2a$31$'],
    ['that would take seconds', '$2a$15$'],
    ['of an unknown kind', '$2x$04$'],
  ])('is wrong against a hash %s, which is never computed', { tags: 'S27' }, async (_, head) => {
    const hash = imported('right-password').replace('$2b$04$', head)
    await store('eve', hash)
    expect((await signIn('eve', 'right-password')).code).toBe('bad_credentials')
    expect(await storedOf('eve')).toBe(hash)
  })

  it('is known for the well-known one at the start, and then works only on this machine', { tags: 'S22' }, async () => {
    await store('root', imported('123456').replace('$2b$', '$2y$'))
    expect(await ensureRoot(bench.deps, '')).toEqual({ created: false, password: 'well-known' })
    expect((await signIn('root', '123456')).code).toBe('default_password_remote')
    const here = await signIn('root', '123456', { 'x-test-address': '127.0.0.1' })
    expect(here).toMatchObject({ success: true, data: { password_change_required: true } })
  })
})

describe('imported hashes', () => {
  /** The test answers, so that nothing is computed in this thread. */
  const slowThread = () => {
    const jobs: BcryptJob[] = []
    const answers: ((fits: boolean | undefined) => void)[] = []
    const run = (job: BcryptJob): Promise<boolean | undefined> => {
      jobs.push(job)
      return new Promise((resolve) => answers.push(resolve))
    }
    return { run, jobs, answer: (fits: boolean | undefined) => answers.shift()?.(fits) }
  }
  const hash = imported('right-password', 5)

  it('are computed in a thread, one at a time, in a line of limited length', { tags: 'S28' }, async () => {
    const thread = slowThread()
    const passwords = createPasswords((size) => randomBytes(size), thread)
    const answers: (boolean | 'busy')[] = []
    for (let n = 0; n < 40; n += 1) {
      void passwords.verify('right-password', hash).then((answer) => answers.push(answer))
    }
    await expect.poll(() => thread.jobs.length).toBe(1)
    // Calls beyond both queues are refused while the first one is still computed.
    await expect.poll(() => answers.length).toBe(40 - 34)
    expect(answers.every((answer) => answer === 'busy')).toBe(true)
    for (let n = 0; n < 34; n += 1) {
      await expect.poll(() => thread.jobs.length).toBe(n + 1)
      thread.answer(true)
    }
    await expect.poll(() => answers.filter((answer) => answer === true).length).toBe(33)
  })

  it('never hold up a right password whose hash is ours', { tags: 'S28' }, async () => {
    const thread = slowThread()
    const passwords = createPasswords((size) => randomBytes(size), thread)
    const own = await passwords.hash('right-password')
    if (own === 'busy') throw new Error('busy')
    void passwords.verify('x', hash)
    await expect.poll(() => thread.jobs.length).toBe(1)
    expect(await passwords.verify('right-password', own.hash)).toBe(true)
  })

  it('are not told from unknown names: each wrong password costs the work of both kinds', { tags: 'S31' }, async () => {
    const thread = slowThread()
    const passwords = createPasswords((size) => randomBytes(size), thread)
    expect(await passwords.verify('x', undefined)).toBe(false)
    expect(thread.jobs).toEqual([])
    const own = await passwords.hash('right-password')
    if (own === 'busy') throw new Error('busy')
    for (const stored of [hash, undefined, '', own.hash]) {
      const answer = passwords.verify('wrong-password', stored)
      await expect.poll(() => thread.jobs.length).toBe(1)
      const [job] = thread.jobs.splice(0)
      expect(job?.hash).toMatch(/^\$2b\$05\$/)
      expect(job?.hash === hash).toBe(stored === hash)
      // Even if the password matched the hash that was made up only for the work.
      thread.answer(stored !== hash)
      expect(await answer).toBe(false)
    }
  })

  it('are not decided by a thread that fails', { tags: 'S16' }, async () => {
    const thread = slowThread()
    const passwords = createPasswords((size) => randomBytes(size), thread)
    const answer = passwords.verify('right-password', hash)
    await expect.poll(() => thread.jobs.length).toBe(1)
    thread.answer(undefined)
    expect(await answer).toBe('busy')
  })
})
