// @module-tag slow
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { updateOption } from '@sluice/contract/routes/options'
import { createToken, listTokens } from '@sluice/contract/routes/tokens'
import { openDatabase } from '@sluice/store/database'
import { createVault } from '@sluice/store/vault'
import { ROOT_PASSWORD, runSluice, startGateway } from '@sluice/testkit/gateway-process'
import { signIn } from '@sluice/testkit/management-client'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'

let dataDir = ''

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sluice-cli-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

const run = (args: readonly string[], env: Record<string, string> = {}) => runSluice(args, { dataDir, env })

test('a misspelt variable stops every command and names the right one', async () => {
  const { code, output } = await run(['serve'], { SLUICE_DRAIN_TIMEOT: '5' })
  expect(code).toBe(1)
  expect(output).toContain('SLUICE_DRAIN_TIMEOT is not a variable of Sluice. Did you mean SLUICE_DRAIN_TIMEOUT?')
})

test('the configuration explains itself without showing secrets', async () => {
  const { code, output } = await run(['config', '--explain'], { PORT: '8080', SLUICE_ROOT_PASSWORD: 'canary-password' })
  expect(code).toBe(0)
  expect(output).toContain('PORT = 8080   [environment]')
  expect(output).toContain('SLUICE_ROOT_PASSWORD = (set, not shown)')
  expect(output).not.toContain('canary-password')
})

test('a fresh database is migrated, and its ledger is sound', async () => {
  expect(await run(['migrate'])).toMatchObject({ code: 0 })
  const { code, output } = await run(['ledger', 'verify'])
  expect(code).toBe(0)
  for (const id of ['I1', 'I2', 'I3', 'I4', 'I5', 'I6', 'I8', 'I9', 'I10']) expect(output).toContain(`ok    ${id} `)
  expect(output).toContain('The ledger is correct.')
})

test('the ledger is verified from the last checkpoint, or in full', async () => {
  await run(['migrate'])
  const database = await openDatabase({ sqliteFile: join(dataDir, 'sluice.db') })
  await sql`insert into ledger_check (mode, started_by, epoch, begun_ms, ended_ms, outcome, since_id, bound)
    values ('full', 1, 1, 1, 2, 'sound', '', '0193e2c0a000')`.execute(database.kysely)
  const verify = async (...flags: readonly string[]): Promise<string> =>
    (await run(['ledger', 'verify', ...flags])).output
  expect(await verify()).toContain('Rows since 2024-12-20T')
  expect(await verify('--reprice')).toContain('Rows since 2024-12-20T')
  expect(await verify('--full')).toContain('Every row is counted.')
  const checks = await database.kysely.selectFrom('ledger_check').select('id').execute()
  expect(checks, 'the command writes nothing').toHaveLength(1)
  await database.close()
})

test('a wrong row fails the verification and is shown', async () => {
  await run(['migrate'])
  const database = await openDatabase({ sqliteFile: join(dataDir, 'sluice.db') })
  await sql`insert into account (kind, owner_id, posted, held, spent, requests, credit_floor, unlimited, last_ms)
    values ('user', 77, 5, 0, 0, 0, 0, 0, 0)`.execute(database.kysely)
  await database.close()
  const { code, output } = await run(['ledger', 'verify'])
  expect(code).toBe(1)
  expect(output).toMatch(/WRONG I1 .*\n(.*\n)*? +owner_id = 77/)
  expect(output).toContain('The ledger is wrong')
})

test('a running gateway keeps a second one off its data, and stops cleanly', { tags: 'S38' }, async () => {
  const gateway = await startGateway({ dataDir })
  const second = await run(['serve'], { PORT: '0', SLUICE_TAKEOVER_TIMEOUT: '0' })
  expect(second.code).toBe(1)
  expect(second.output).toMatch(
    new RegExp(
      `^(\\{.*\\}\n)*Sluice is already running on this data: process ${gateway.pid} on .*, started 20.*Z, is using .*\\.\n$`,
    ),
  )
  expect(await run(['migrate'], { SLUICE_TAKEOVER_TIMEOUT: '0' })).toMatchObject({ code: 1 })
  expect(await run(['ledger', 'verify'])).toMatchObject({ code: 0 })
  const port = new URL(gateway.url).port
  const elsewhere = join(dataDir, 'other')
  const taken = await runSluice(['serve'], { dataDir: elsewhere, env: { PORT: port } })
  expect(taken.code).toBe(1)
  expect(taken.output).toContain(`Port ${port} is in use`)
  expect(await gateway.stop()).toBe(0)
  expect(gateway.output()).toContain('root, with the password from SLUICE_ROOT_PASSWORD')
})

test('the well-known password is shown with a warning until it is changed', async () => {
  const gateway = await startGateway({ dataDir, env: { SLUICE_ROOT_PASSWORD: '' } })
  await gateway.stop()
  expect(gateway.output()).toContain('root / 123456')
  expect(gateway.output()).toContain('Everyone knows this password')
})

test('a link signs root in first where that is set, and only this machine can connect', { tags: 'S22' }, async () => {
  const env = { SLUICE_ROOT_PASSWORD: '', SLUICE_FIRST_SIGN_IN: 'link' }
  const gateway = await startGateway({ dataDir, env })
  await gateway.stop()
  expect(gateway.output()).toMatch(/ {2}Sign in {3}http:\/\/127\.0\.0\.1:\d+\/login#once=[\w-]{43}\n/)
  expect(gateway.output()).toContain('within 10 minutes')
  expect(gateway.output()).not.toContain('123456')
  const open = await startGateway({ dataDir, env: { ...env, SLUICE_HOST: '0.0.0.0' } })
  await open.stop()
  expect(open.output()).toContain('root has no password: start once with SLUICE_ROOT_PASSWORD')
  expect(open.output()).not.toContain('once=')
})

test('a gateway that was killed leaves no obstacle for the next one', async () => {
  const first = await startGateway({ dataDir })
  await first.kill()
  const next = await startGateway({ dataDir })
  expect((await fetch(`${next.url}/readyz`)).status).toBe(200)
  expect(await next.stop()).toBe(0)
})

test('the audit log is verified, and a changed entry is shown', async () => {
  const gateway = await startGateway({ dataDir })
  const root = await signIn(gateway.url, 'root', ROOT_PASSWORD)
  await root.call(updateOption, { body: { key: 'SystemName', value: 'Weir' } })
  expect(await run(['audit', 'verify'])).toMatchObject({ code: 0, output: expect.stringContaining('ok    1 entries') })
  await gateway.stop()
  const database = await openDatabase({ sqliteFile: join(dataDir, 'sluice.db') })
  await sql`update audit set actor_name = 'somebody'`.execute(database.kysely)
  await database.close()
  const { code, output } = await run(['audit', 'verify'])
  expect(code).toBe(1)
  expect(output).toContain('row 1 was changed')
})

test('secrets move to a new master key while a gateway runs, and the old key is not needed afterwards', async () => {
  const [old, young] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')]
  const gateway = await startGateway({ dataDir, env: { SLUICE_MASTER_KEY: `${young},${old}` } })
  const root = await signIn(gateway.url, 'root', ROOT_PASSWORD)
  const database = await openDatabase({ sqliteFile: join(dataDir, 'sluice.db') })
  const sealed = createVault([Buffer.from(old, 'hex')]).seal('token_key', 'canary-key')
  const { key } = await root.call(createToken, { body: { name: 'old', unlimited_quota: true } })
  await sql`update token set key_sealed = ${sealed}`.execute(database.kysely)
  await database.close()
  expect(await run(['keys', 'rotate'], { SLUICE_MASTER_KEY: young })).toMatchObject({ code: 1 })
  const { code, output } = await run(['keys', 'rotate'], { SLUICE_MASTER_KEY: `${young},${old}` })
  expect(output).toMatch(/token\.key_sealed +1 encrypted again/)
  expect(output).not.toContain('canary-key')
  expect(code).toBe(0)
  const [token] = await root.call(listTokens)
  expect(token?.key).toContain('canary-key')
  expect(token?.key).not.toBe(key)
  await gateway.stop()
  expect(await run(['keys', 'rotate'], { SLUICE_MASTER_KEY: young })).toMatchObject({ code: 0 })
})

test('a backup is a complete, independent copy, readable only by its owner, and never overwrites a file', async () => {
  const copy = join(dataDir, 'copy.db')
  expect(await run(['backup', copy])).toMatchObject({
    code: 1,
    output: expect.stringContaining('There is no database'),
  })
  await run(['migrate'])
  const { code, output } = await run(['backup', copy])
  expect(code, output).toBe(0)
  expect(output).toMatch(/copy\.db: \d\.\d MB, checked\./)
  expect((await stat(copy)).mode & 0o777).toBe(0o600)
  expect((await readdir(dataDir)).filter((name) => name.startsWith('copy.db')).toSorted()).toEqual([
    'copy.db',
    'copy.db.json',
  ])
  expect(await run(['ledger', 'verify'], { DATABASE_URL: `sqlite:${copy}` })).toMatchObject({ code: 0 })
  expect(await run(['backup', copy])).toMatchObject({ code: 1, output: expect.stringContaining('already exists') })
})

test('tables are exported beside a running gateway with their secrets, once per folder', { tags: 'S19' }, async () => {
  const folder = join(dataDir, 'copy')
  expect(await run(['export', folder])).toMatchObject({
    code: 1,
    output: expect.stringContaining('There is no database'),
  })
  expect(await run(['export', folder, '--tables', 'users,sessions'])).toMatchObject({
    code: 1,
    output: expect.stringContaining('There is no table "sessions". The tables are users, tokens, channels,'),
  })
  const gateway = await startGateway({ dataDir })
  const root = await signIn(gateway.url, 'root', ROOT_PASSWORD)
  const { key } = await root.call(createToken, { body: { name: 'mine', unlimited_quota: true } })
  const { code, output } = await run(['export', folder, '--tables', 'tokens,users'])
  expect(code, output).toBe(0)
  expect(output).toMatch(/users\.csv +1 rows\ntokens\.csv +1 rows\n/)
  expect(output).toContain('contain secrets in plain text')
  expect(output).not.toContain(key)
  expect((await readdir(folder)).toSorted()).toEqual(['tokens.csv', 'users.csv'])
  expect(await readFile(join(folder, 'tokens.csv'), 'utf8')).toContain(`,${key.replace('sk-', '')},1,mine,`)
  expect(await run(['export', folder, '--tables', 'users,logs'])).toMatchObject({
    code: 1,
    output: `${join(folder, 'users.csv')} already exists; an export never overwrites a file.\n`,
  })
  expect(await readdir(folder)).toHaveLength(2)
  await gateway.stop()
})

test(
  'when the write-ahead log of a running gateway is deleted, the gateway stops and keeps what was written',
  { tags: 'S38' },
  async () => {
    const gateway = await startGateway({ dataDir })
    const root = await signIn(gateway.url, 'root', ROOT_PASSWORD)
    await rm(join(dataDir, 'sluice.db-wal'))
    await root.call(createToken, { body: { name: 'made after the log was deleted', unlimited_quota: true } })
    await expect.poll(() => gateway.output(), { timeout: 30_000 }).toContain('Sluice is stopping (failure)')
    await gateway.stop()
    expect(gateway.output()).toContain('was deleted or replaced')
    const again = await startGateway({ dataDir })
    const signedIn = await signIn(again.url, 'root', ROOT_PASSWORD)
    const tokens = await signedIn.call(listTokens)
    expect(tokens.map(({ name }) => name)).toContain('made after the log was deleted')
    await again.stop()
  },
)
