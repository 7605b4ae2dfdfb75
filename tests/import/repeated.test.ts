// @module-tag slow
import { redeem } from '@sluice/contract/routes/redemptions'
import { listUsers, updateUser } from '@sluice/contract/routes/users'
import type { Emulator } from '@sluice/testkit/emulator/server'
import { type GatewayProcess, runSluice, startSluice } from '@sluice/testkit/gateway-process'
import { type SourceServers, startSourceServers } from '@sluice/testkit/import/source-servers'
import { type ManagementClient, signIn } from '@sluice/testkit/management-client'
import type { Program } from '@sluice/testkit/program'
import { APIError } from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Imported, importFixture, startImported } from './imported-gateway.ts'
import { clientOf, startFixtureProvider, tokenOf } from './model-calls.ts'

/** Changes at the old gateway; `unused` is a code. */
const changesThere = (unused: string): string => `
  update users set quota = quota + 12345, request_count = request_count + 1 where username = 'judy';
  update users set quota = quota - 777, used_quota = used_quota + 777 where username = 'keeper';
  update users set quota = quota - 5, used_quota = used_quota + 5 where username = 'dora';
  insert into users (id, username, password, role, status, email, quota, "group", aff_code)
    select 90, 'mona', password, 1, 1, '', 4242, 'default', 'mona' from users where username = 'alice';
  update users set password = (select password from users where username = 'bob') where username = 'emil';
  update tokens set deleted_at = '2026-11-24 18:00:00+00:00' where name = 'laptop';
  update redemptions set status = 3, used_user_id = 2, redeemed_time = 1795540000 where key = '${unused}'`

/** The old gateway still runs: `sluice import --watch` brings its changes, next to a gateway that already charges. */
const servers: SourceServers = await startSourceServers({ mysql: false })
afterAll(() => servers.stop())

describe.runIf(servers.hasPostgres)('an import that is repeated while both gateways are used', () => {
  let emulator: Emulator
  let imported: Imported
  let gateway: GatewayProcess
  let watch: Program
  let root: ManagementClient
  let before: Awaited<ReturnType<typeof people>>
  let charged = 0
  const unused = () => imported.fixture.codes.find(({ status, deleted }) => status === 1 && !deleted)?.code ?? ''
  const messages = [{ role: 'user' as const, content: 'How does a lock fill?' }]
  const people = async () => new Map((await userList()).map((user) => [user.username, user]))
  const userList = () => root.call(listUsers, { query: { size: '100' } })
  const quotaOf = async (name: string): Promise<number> => {
    const user = (await people()).get(name)
    return Number(user?.quota_exact ?? user?.quota)
  }
  const call = (token: string, user: string) =>
    clientOf(gateway.url, tokenOf(imported.fixture, token, user)).chat.completions.create({
      model: 'gpt-4o-mini',
      messages,
    })
  const soon = { timeout: 30_000, interval: 200 }

  beforeAll(async () => {
    emulator = await startFixtureProvider()
    imported = await importFixture({ family: 'new-api', from: 'sqlite', into: 'postgres' })
    gateway = await startImported(imported)
    root = await signIn(gateway.url, 'root', 'root-Fixture-1')
    watch = await startSluice(['import', imported.source.source, '--watch', '5'], {
      ...imported,
      readyWhen: /Pass 1 is done/,
    })
    before = await people()
    // Changes here between two passes, and then there.
    await call('j', 'judy')
    await call('laptop', 'alice')
    await root.call(updateUser, { body: { id: 10, password: 'a-password-of-this-gateway' } })
    charged = (before.get('judy')?.quota ?? 0) - (await quotaOf('judy'))
    await imported.source.run(changesThere(unused()))
  }, 120_000)
  afterAll(async () => {
    await watch?.stop()
    await gateway?.stop()
    await emulator.close()
    await imported?.remove()
  })

  it('moves balances up and down by what has changed there, and keeps what was charged here', async () => {
    expect(charged).toBeGreaterThan(0)
    await expect.poll(() => quotaOf('keeper'), soon).toBe((before.get('keeper')?.quota ?? 0) - 777)
    await expect.poll(() => quotaOf('judy'), soon).toBeCloseTo((before.get('judy')?.quota ?? 0) + 12_345 - charged, 3)
  })

  it('brings a new user, and the password that somebody changed there', async () => {
    await expect.poll(async () => (await people()).get('mona')?.quota, soon).toBe(4_242)
    await signIn(gateway.url, 'mona', 'alice-Fixture-1')
    await signIn(gateway.url, 'emil', 'bob-Fixture-1')
    await expect(signIn(gateway.url, 'emil', 'emil-Fixture-1')).rejects.toThrow('is wrong')
  })

  it('keeps the password that was changed here of a user who has only spent there', async () => {
    await expect.poll(() => quotaOf('dora'), soon).toBe((before.get('dora')?.quota ?? 0) - 5)
    await signIn(gateway.url, 'dora', 'a-password-of-this-gateway')
  })

  it('refuses a key that was deleted there, and a code that was redeemed there', async () => {
    const answer = () =>
      call('laptop', 'alice').then(
        () => 'an answer',
        (error: unknown) => (error instanceof APIError ? error.code : error),
      )
    await expect.poll(answer, soon).toBe('token_disabled')
    const alice = await signIn(gateway.url, 'alice', 'alice-Fixture-1')
    await expect(alice.call(redeem, { body: { key: unused() } })).rejects.toThrow()
  })

  it('leaves a sound ledger when it is stopped', async () => {
    await watch.stop()
    const { code, output } = await runSluice(['ledger', 'verify', '--full'], imported)
    expect(code, output).toBe(0)
  })
})
