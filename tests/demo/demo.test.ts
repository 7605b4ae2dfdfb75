import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dashboard } from '@sluice/contract/routes/dashboard'
import { listLogs } from '@sluice/contract/routes/logs'
import { runSluice } from '@sluice/testkit/gateway-process'
import { signIn } from '@sluice/testkit/management-client'
import { type Program, startProgram } from '@sluice/testkit/program'
import { afterAll, beforeAll, expect, it } from 'vitest'

/** Everything that `npm run demo` prints must work. */
let dataDir: string
let demo: Program
let url: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sluice-demo-'))
  const script = join(import.meta.dirname, '../../tools/demo/demo.ts')
  const places = ['--data', join(dataDir, 'demo'), '--port', '0', '--emulator-port', '0']
  demo = await startProgram({
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', script, ...places],
    readyWhen: /Ctrl-C ends both/,
    withinMs: 60_000,
  })
  url = /Sluice +(http:\S+)/.exec(demo.output())?.[1] ?? ''
})
afterAll(async () => {
  await demo.stop()
  await rm(dataDir, { recursive: true, force: true })
})

it('prints a curl line whose call streams to its end', async () => {
  const printed = demo.output()
  const response = await fetch(/curl -N (\S+)/.exec(printed)?.[1] ?? '', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: /Authorization: (Bearer [^']+)/.exec(printed)?.[1] ?? '',
    },
    body: /-d '(.+)'/.exec(printed)?.[1] ?? '',
  })
  expect(response.status).toBe(200)
  expect((await response.text()).trimEnd().endsWith('data: [DONE]')).toBe(true)
})

it('lets every user sign in with the printed password and shows them a month of use', async () => {
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)
  for (const [, name = '', password = ''] of demo.output().matchAll(/^ +(\w+) +(sluice-demo)\b/gm)) {
    const client = await signIn(url, name, password)
    if (name === 'root') continue
    const { logs } = await client.call(dashboard, { query: { from_date: day(6), to_date: day(0) } })
    expect(logs.length, name).toBeGreaterThan(5)
  }
  const root = await signIn(url, 'root', 'sluice-demo')
  expect(await root.call(listLogs, { query: { p: '50', size: '100' } })).toHaveLength(100)
})

it('has a ledger that balances', async () => {
  const verified = await runSluice(['ledger', 'verify'], { dataDir: join(dataDir, 'demo') })
  expect(verified, verified.output).toMatchObject({ code: 0 })
})
