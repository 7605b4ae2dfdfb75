// @module-tag slow
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listChannels } from '@sluice/contract/routes/channels'
import { listOptions } from '@sluice/contract/routes/options'
import { openDatabase } from '@sluice/store/database'
import { ROOT_PASSWORD, runSluice, startGateway } from '@sluice/testkit/gateway-process'
import { signIn } from '@sluice/testkit/management-client'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'

let dataDir = ''
let file = ''
let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-config-'))
  dataDir = join(folder, 'data')
  file = join(folder, 'sluice.yaml')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const SECRETS = { SLUICE_SECRET_MAIN: 'sk-canary-main' }
const run = (args: readonly string[], env: Record<string, string> = SECRETS) =>
  runSluice(['config', ...args], { dataDir, env })
const FILE = `version: 1
owner: team
revision: 1
options:
  RetryTimes: 3
channels:
  - name: main
    type: OpenAI
    key: \${env:SLUICE_SECRET_MAIN}
    models: [gpt-4o]
`

test('is validated, planned, applied and exported, with exit codes for scripts', async () => {
  await writeFile(file, FILE)
  expect(await run(['validate', '--file', file])).toEqual({
    code: 0,
    output: `${file} is a valid configuration file.\n`,
  })
  expect(await run(['plan', '--file', file])).toMatchObject({
    code: 1,
    output: expect.stringContaining('There is no database') as string,
  })
  await runSluice(['migrate'], { dataDir })
  // The first start of a gateway makes the master key.
  await (await startGateway({ dataDir })).stop()

  const planned = await run(['plan', '--file', file, '--json'])
  expect(planned.code).toBe(2)
  const plan = join(folder, 'plan.json')
  await writeFile(plan, planned.output)
  const shown = await run(['plan', '--file', file])
  expect(shown.code).toBe(2)
  expect(shown.output).toContain('+ channel main is made\n')
  expect(shown.output).toContain('    key: (none) -> (secret)\n')
  expect(shown.output).toContain('    value: (none) -> 3\n')

  await writeFile(file, `${FILE}    priority: 1\n`)
  expect(await run(['apply', '--file', file, '--plan', plan])).toMatchObject({
    code: 1,
    output: expect.stringContaining('is the plan for another file') as string,
  })
  await writeFile(file, FILE)
  expect(await run(['apply', '--file', file, '--plan', plan])).toMatchObject({ code: 0 })
  expect(await run(['apply', '--file', file, '--plan', plan])).toMatchObject({
    code: 1,
    output: expect.stringContaining('has changed since this plan was made') as string,
  })
  expect(await run(['plan', '--file', file])).toMatchObject({
    code: 0,
    output: expect.stringContaining('Nothing to do.') as string,
  })

  const out = join(folder, 'exported.yaml')
  const exported = await run(['export', '--out', out])
  expect(exported).toMatchObject({
    code: 0,
    output: expect.stringContaining('  SLUICE_SECRET_CHANNEL_MAIN\n') as string,
  })
  expect((await stat(out)).mode & 0o777).toBe(0o600)
  expect(await readFile(out, 'utf8')).toContain('key: ${env:SLUICE_SECRET_CHANNEL_MAIN}')
  expect(await run(['release', 'team'])).toMatchObject({
    code: 0,
    output: expect.stringContaining('2 items') as string,
  })
  expect((await run(['schema'])).output).toContain('"title": "Sluice configuration file"')
  for (const { output } of [planned, shown, exported]) expect(output).not.toContain('canary')
})

test('that is wrong is refused with its lines and columns', async () => {
  await writeFile(file, FILE.replace('RetryTimes', 'RetryTime').replace('[gpt-4o]', 'gpt-4o'))
  const { code, output } = await run(['validate', '--file', file])
  expect(code).toBe(1)
  expect(output).toContain(`${file}:10:13: channels[0].models must be a list\n`)
  await writeFile(file, FILE)
  expect(await run(['validate', '--file', file], {})).toMatchObject({
    code: 1,
    output: `${file}:9:10: channels[0].key refers to the environment variable SLUICE_SECRET_MAIN, which is not set\n`,
  })
  expect(await run(['validate', '--file', file, '--no-secrets'], {})).toMatchObject({ code: 0 })
})

test('is applied at the start, before the port opens, and a wrong one stops the start', async () => {
  await writeFile(file, FILE)
  const env = { ...SECRETS, SLUICE_CONFIG: file, SLUICE_METRICS_TOKEN: 'metrics-token-of-test' }
  const gateway = await startGateway({ dataDir, env })
  const root = await signIn(gateway.url, 'root', ROOT_PASSWORD)
  const [channel] = await root.call(listChannels, { query: { size: '10' } })
  expect(channel).toMatchObject({ name: 'main', managed_by: 'team' })
  const options = await root.call(listOptions, {})
  expect(options.find(({ key }) => key === 'RetryTimes')?.value).toBe('3')

  // Applied beside the running gateway, which notices the change.
  await writeFile(file, FILE.replace('revision: 1', 'revision: 2').replace('RetryTimes: 3', 'RetryTimes: 4'))
  expect(await run(['apply', '--file', file])).toMatchObject({ code: 0 })
  await expect
    .poll(async () => (await root.call(listOptions, {})).find(({ key }) => key === 'RetryTimes')?.value, {
      timeout: 10_000,
    })
    .toBe('4')
  await gateway.stop()

  // An older file is ignored, like that of a replica that is replaced later.
  await writeFile(file, FILE)
  const older = await startGateway({ dataDir, env })
  const second = await signIn(older.url, 'root', ROOT_PASSWORD)
  expect((await second.call(listOptions, {})).find(({ key }) => key === 'RetryTimes')?.value).toBe('4')
  await older.stop()

  const database = await openDatabase({ sqliteFile: join(dataDir, 'sluice.db') })
  await sql`update channel set priority = 9`.execute(database.kysely)
  await database.close()
  const drifting = await startGateway({ dataDir, env })
  const metrics = async () =>
    await (
      await fetch(`${drifting.url}/metrics`, { headers: { authorization: 'Bearer metrics-token-of-test' } })
    ).text()
  await expect.poll(metrics, { timeout: 10_000 }).toContain('sluice_configuration_drift 1')
  await drifting.stop()

  await writeFile(file, FILE.replace('version: 1', 'version: 9'))
  const wrong = await runSluice(['serve'], { dataDir, env: { ...env, PORT: '0', SLUICE_LOG_LEVEL: 'error' } })
  expect(wrong).toEqual({ code: 1, output: `SLUICE_CONFIG=${file}: line 1, column 10: version must be 1.\n` })
  expect(
    (
      await runSluice(['serve'], {
        dataDir,
        env: { ...env, SLUICE_CONFIG: '/no/such.yaml', SLUICE_LOG_LEVEL: 'error' },
      })
    ).output,
  ).toBe('SLUICE_CONFIG=/no/such.yaml: the file does not exist or cannot be read.\n')
})
