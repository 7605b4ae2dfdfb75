import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@sluice/store/database'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayProcess, ROOT_PASSWORD, runSluice, startGateway } from '@sluice/testkit/gateway-process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepareGateway } from './world.ts'

/**
 * The database's log cannot grow any further, as on a full disk, and later it can. A limit on file sizes simulates the disk: it
 * needs no rights and no mount, and can be lifted while the process runs.
 */
const hasPrlimit = commandWorks('prlimit', ['--version'])
if (!hasPrlimit) console.log('tests/kill/full-disk.test.ts is skipped: there is no prlimit (Debian: util-linux)')

let dataDir: string
let emulator: Emulator
let gateway: GatewayProcess

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sluice-full-'))
  emulator = await startEmulator()
  gateway = await startGateway({ dataDir })
})
afterAll(async () => {
  await gateway.stop()
  await emulator.close()
  await rm(dataDir, { recursive: true, force: true })
})

test.skipIf(!hasPrlimit)(
  'a full disk is reported at once, to balancers, to clients and at sign-in, and service resumes on its own when there is room',
  async () => {
    const [key = ''] = await prepareGateway(gateway.url, emulator.url)
    const chat = (path = 'chat/completions') =>
      fetch(`${gateway.url}/v1/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'emu-fast', max_tokens: 5, messages: [{ role: 'user', content: 'Hello' }] }),
      })
    const ready = async () => (await fetch(`${gateway.url}/readyz`)).status
    expect([(await chat()).status, await ready()]).toEqual([200, 200])

    const { size } = await stat(join(dataDir, 'sluice.db-wal'))
    limitFiles(`${size}:unlimited`)
    const hanging = chat()
    // If the test ends first, the cause is reported below.
    hanging.catch(() => {})
    await expect.poll(ready, { timeout: 15_000, interval: 200 }).toBe(503)
    const begun = performance.now()
    const refused = await chat()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
    expect(await refused.json()).toMatchObject({ error: { type: 'sluice_error', code: 'ledger_unavailable' } })
    expect(performance.now() - begun).toBeLessThan(3_000)
    const messages = await chat('messages')
    expect([messages.status, await messages.json()]).toMatchObject([
      503,
      { type: 'error', error: { type: expect.any(String) } },
    ])
    const signIn = await fetch(`${gateway.url}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'root', password: ROOT_PASSWORD }),
    })
    expect([signIn.status, await signIn.json()]).toMatchObject([503, { message: expect.stringMatching(/database/) }])

    limitFiles('unlimited:unlimited')
    await expect.poll(ready, { timeout: 15_000, interval: 200 }).toBe(200)
    expect((await hanging).status).toBe(200)
    expect((await chat()).status).toBe(200)
    await expectCharges(3)
  },
  60_000,
)

/** As many charges as answers that arrived, and a ledger that balances. */
async function expectCharges(count: number): Promise<void> {
  const database = await openDatabase({ sqliteFile: join(dataDir, 'sluice.db') })
  const charges = () =>
    database.kysely.selectFrom('transfer').select('request_id').where('kind', '=', 'consume').execute()
  expect(await charges()).toHaveLength(count)
  await database.close()
  expect(await runSluice(['ledger', 'verify'], { dataDir })).toMatchObject({ code: 0 })
}

function limitFiles(limit: string): void {
  execFileSync('prlimit', ['--pid', String(gateway.pid), `--fsize=${limit}`])
}

function commandWorks(command: string, args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
