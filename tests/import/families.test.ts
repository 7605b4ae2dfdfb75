// @module-tag slow
import { join } from 'node:path'
import { self } from '@sluice/contract/routes/account'
import { listAllTokens } from '@sluice/contract/routes/admin-tokens'
import { redeem } from '@sluice/contract/routes/redemptions'
import { listUsers } from '@sluice/contract/routes/users'
import { openDatabase } from '@sluice/store/database'
import type { Emulator } from '@sluice/testkit/emulator/server'
import { type GatewayProcess, ROOT_PASSWORD, runSluice } from '@sluice/testkit/gateway-process'
import { startSourceServers } from '@sluice/testkit/import/source-servers'
import { type ManagementClient, signIn } from '@sluice/testkit/management-client'
import { APIError } from 'openai'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ExportedFiles, exportedFiles, withoutRootPassword } from './exported-files.ts'
import type { Fixture, FixtureCode } from './fixture.ts'
import { importBy, importByCommand, importByUpload, importFixture, type Way } from './imported-gateway.ts'
import {
  callTwice,
  chargeOf,
  clientOf,
  knownCalls,
  loggedCharges,
  startFixtureProvider,
  tokenOf,
} from './model-calls.ts'
import { createReadyWays, type ReadyWay, waysWith } from './ways.ts'

/**
 * A user of another gateway of the family finds everything here: balances, passwords, keys, models, codes. One installation per
 * program is used; the other kinds of source have to bring the same rows.
 */
const servers = await startSourceServers()
const { used, compared } = waysWith(servers)
const readyWays = createReadyWays(used)
/** Proofs of stopped gateways, which run while the next ones are tested. */
const proofs: Promise<void>[] = []

let emulator: Emulator
beforeAll(async () => {
  emulator = await startFixtureProvider()
})
afterAll(async () => {
  await Promise.allSettled(proofs)
  await readyWays.close()
  await emulator?.close()
  await servers.stop()
})

interface Row {
  readonly quota: number
  readonly quota_exact?: string | undefined
}
const exact = (row: Row): number => Number(row.quota_exact ?? row.quota)
const mqOf = (row: Row): bigint => {
  const [whole = '0', fraction = ''] = (row.quota_exact ?? String(row.quota)).split('.')
  return BigInt(whole) * 1_000n + BigInt(fraction.padEnd(3, '0'))
}

describe.each(used)('$family from $from into $into', (way) => {
  const { family, from, into } = way
  let imported: ReadyWay
  let fixture: Fixture
  let gateway: GatewayProcess
  let root: ManagementClient
  let unused: FixtureCode | undefined
  beforeAll(async () => {
    imported = await readyWays.of(way)
    ;({ fixture, gateway } = imported)
    unused = fixture.codes.find(({ status, deleted }) => status === UNUSED && !deleted)
    root = await signIn(gateway.url, 'root', rootPassword(from))
  }, 120_000)
  const people = () => fixture.users.filter(({ deleted }) => !deleted)
  const passwordOf = (name: string): string => fixture.users.find(({ username }) => username === name)?.password ?? ''
  const userList = async () => await root.call(listUsers, { query: { size: '100' } })
  const balances = async () => new Map((await userList()).map((user) => [user.username, exact(user)]))

  it('has everybody with the balance, and every token with the limit, to the last point', async () => {
    const gifts = new Map(fixture.rowsOf('users').map((row) => [row['id'], Number(row['aff_quota'] ?? 0)]))
    const there = people().map(({ id, quota, ...user }) => [user.username, quota + (gifts.get(id) ?? 0)] as const)
    expect(Object.fromEntries(await balances())).toEqual(Object.fromEntries(there))
    for (const { username, role, status, email, group } of people()) {
      expect((await userList()).find((user) => user.username === username)).toMatchObject({
        role,
        status,
        email,
        group,
      })
    }
    const owners = new Set(people().map(({ id }) => id))
    const limits = fixture
      .rowsOf('tokens')
      .filter((row) => owners.has(Number(row['user_id'])) && (row['deleted_at'] ?? null) === null)
      .map((row) => [String(row['id']), Number(row['unlimited_quota']) === 1 ? 0 : Number(row['remain_quota'])])
    const tokens = await root.call(listAllTokens, { query: { size: '100' } })
    const limitsHere = tokens.map((token) => [String(token.id), Number(token.remain_quota_exact ?? token.remain_quota)])
    expect(Object.fromEntries(limitsHere)).toEqual(Object.fromEntries(limits))
  })

  it('lets people sign in with the passwords that they had, again and again, and nobody else', async () => {
    const { url } = gateway
    const codes = new Map(fixture.totp.filter(({ enabled }) => enabled).map((each) => [each.username, each.secret]))
    for (const name of ['alice', 'emil', 'ivan', 'keeper']) {
      const secret = codes.get(name)
      if (secret !== undefined) await expect(signIn(url, name, passwordOf(name))).rejects.toThrow('totp_required')
      await signIn(url, name, passwordOf(name), secret === undefined ? '' : new TOTP({ secret }).generate())
    }
    await signIn(url, 'alice@river.example', passwordOf('alice'))
    await expect(signIn(url, 'alice', passwordOf('bob'))).rejects.toThrow('is wrong')
    await expect(signIn(url, 'hiro', passwordOf('hiro'))).rejects.toThrow('banned')
    await expect(signIn(url, 'lena', 'lena-Fixture-1')).rejects.toThrow('is wrong')
    const hashes = await passwordHashes(imported)
    for (const name of ['alice', 'emil', 'ivan', 'keeper']) expect(hashes.get(name)).toMatch(/^argon2id\$/)
    expect(hashes.get('bob')).toMatch(/^\$2a\$/)
  })

  it('answers the management calls of programs that have an access token', async () => {
    for (const { username, access_token: token } of fixture.access_tokens) {
      const reply = await fetch(`${gateway.url}${self.path}`, { headers: { authorization: token } })
      expect(await reply.json()).toMatchObject({ success: true, data: { username } })
    }
  })

  it('calls the same model at the same upstream with the same key, and charges what it cost', async () => {
    const before = await balances()
    const calls = knownCalls(family)
    const answered = await Promise.all(calls.map((call) => callTwice({ url: gateway.url, fixture, emulator }, call)))
    const charges = await loggedCharges(root, calls.length * 2)
    for (const call of answered.flat()) {
      expect(charges.get(call.requestId), `${call.user}'s ${call.token}`).toBeCloseTo(chargeOf(family, call), 2)
    }
    const after = await balances()
    for (const { user } of calls) {
      const charged = answered.flat().filter((call) => call.user === user)
      const spent = charged.reduce((sum, { requestId }) => sum + (charges.get(requestId) ?? 0), 0)
      expect((before.get(user) ?? 0) - (after.get(user) ?? 0), user).toBeCloseTo(spent, 3)
    }
  })

  it('refuses keys for what they were refused for', async () => {
    const refused: readonly (readonly [token: string, user: string | undefined, model: string, code: RegExp])[] = [
      ['expired, never used', 'alice', 'gpt-4o-mini', /^token_expired$/],
      ['expired', 'bob', 'gpt-4o-mini', /^token_expired$/],
      ['exhausted', 'bob', 'gpt-4o-mini', /^(token_exhausted|pre_consume_token_quota_failed)$/],
      ['switched off', 'bob', 'gpt-4o-mini', /^token_disabled$/],
      ['office net', 'alice', 'gpt-4o-mini', /^subnet_not_allowed$/],
      ['mini only', 'alice', 'gpt-4o', /^model_not_allowed$/],
      ['h', 'hiro', 'gpt-4o-mini', /^user_disabled$/],
      ['l', undefined, 'gpt-4o-mini', /^invalid_key$/],
      ['free group', 'karl', 'gpt-4o-mini', /^(model_not_found|no_channel)$/],
    ]
    for (const [name, user, model, code] of refused) {
      const messages = [{ role: 'user' as const, content: 'How does a lock fill?' }]
      const call = clientOf(gateway.url, tokenOf(fixture, name, user)).chat.completions.create({ model, messages })
      const error: unknown = await call.catch((reason: unknown) => reason)
      expect(error instanceof APIError && error.code, name).toMatch(code)
    }
  })

  it('redeems a code that nobody has used once, and no other', async () => {
    const [alice, judy] = [
      await signIn(gateway.url, 'alice', passwordOf('alice')),
      await signIn(gateway.url, 'judy', passwordOf('judy')),
    ]
    const before = (await balances()).get('judy') ?? 0
    expect(await judy.call(redeem, { body: { key: unused?.code ?? '' } })).toBe(unused?.quota)
    const refused = fixture.codes.filter(({ status, deleted }) => status !== UNUSED || deleted)
    expect(refused.length).toBeGreaterThan(4)
    for (const { code } of [...refused, unused].filter((each) => each !== undefined)) {
      await expect(alice.call(redeem, { body: { key: code } })).rejects.toThrow()
    }
    expect((await balances()).get('judy')).toBeCloseTo(before + (unused?.quota ?? 0), 3)
  })

  it('imports again without changing anything', async () => {
    const now = String((await userList()).reduce((sum, user) => sum + mqOf(user), 0n) / 1_000n)
    const again = await importAgain()
    // The code that was redeemed here no longer counts among the source's unused ones.
    for (const { name, added, changed, gone, left_out: left } of again.tables) {
      expect([added, changed, gone, left], name).toEqual([0, 0, name === 'redemptions' ? 1 : 0, 0])
    }
    const { before } = imported.report
    const codes = { codes_unused: before.codes_unused - 1, codes: String(Number(before.codes) - (unused?.quota ?? 0)) }
    expect([again.before, again.after]).toEqual([
      { ...before, ...codes },
      { ...before, ...codes },
    ])
    expect(again.balances_now).toBe(now)
    if (into === 'sqlite') await gateway.stop()
    const proof = proveLedger(imported)
    proof.catch(() => {})
    proofs.push(proof)
  })

  /** Imports the other way than the first time, if there is one. */
  async function importAgain() {
    if (from === 'postgres' || from === 'mysql') {
      return await importBy(root, { from: 'address', address: imported.source.source })
    }
    if (from === 'sqlite') return await importByUpload(gateway.url, root, family)
    await gateway.stop()
    return await importByCommand(imported)
  }
})

it.each(compared)('$way.family from $way.from brings what it brings from $like.from', async ({ way, like }) => {
  const imported = await importFixture(way)
  try {
    const comparable = way.from === 'upload' ? withoutRootPassword : (files: ExportedFiles) => files
    const { exported } = await readyWays.of(like)
    expect(comparable(await exportedFiles(imported))).toEqual(comparable(exported))
  } finally {
    await imported.gateway?.stop()
    await imported.remove()
  }
})

it('leaves every ledger sound', async () => {
  await Promise.all(proofs)
})

async function proveLedger(imported: ReadyWay): Promise<void> {
  const { code, output } = await runSluice(['ledger', 'verify', '--full'], imported)
  expect(code, output).toBe(0)
}

const UNUSED = 1

/** A fresh installation takes the password of the source's root; one with a root password keeps its own. */
function rootPassword(from: Way['from']): string {
  return from === 'upload' ? ROOT_PASSWORD : 'root-Fixture-1'
}

async function passwordHashes({ dataDir, env }: ReadyWay): Promise<ReadonlyMap<string, string>> {
  const url = env['DATABASE_URL']
  const database = await openDatabase(url === undefined ? { sqliteFile: join(dataDir, 'sluice.db') } : { url })
  try {
    const rows = await database.kysely.selectFrom('user').select(['username', 'password_hash']).execute()
    return new Map(rows.map((row) => [row.username, row.password_hash]))
  } finally {
    await database.close()
  }
}
