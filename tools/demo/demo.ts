import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { listTokens } from '@sluice/contract/routes/tokens'
import { type GatewayProcess, startEmulatorProcess, startGateway } from '@sluice/testkit/gateway-process'
import { signIn } from '@sluice/testkit/management-client'
import { DEMO_PASSWORD, USERS } from './cast.ts'
import { seedCast } from './seed-cast.ts'
import { seedHistory } from './seed-history.ts'

/**
 * `npm run demo`: the gateway with a month of history, in `./data/demo`, and a provider emulator next to it. A second start
 * continues with the same data; `-- --fresh` starts over.
 */
const { values } = parseArgs({
  options: {
    fresh: { type: 'boolean', default: false },
    data: { type: 'string', default: './data/demo' },
    port: { type: 'string', default: process.env['PORT'] ?? '3000' },
    /** Stored in the channels, so it must stay the same as long as the data is kept. */
    'emulator-port': { type: 'string', default: '4010' },
  },
})

const dataDir = resolve(values.data)
const seededMark = join(dataDir, 'demo-is-complete')
if (values.fresh || !existsSync(seededMark)) await rm(dataDir, { recursive: true, force: true })
await mkdir(dataDir, { recursive: true })

const emulator = await startEmulatorProcess(Number(values['emulator-port']))
if (!existsSync(seededMark)) await seed()
const gateway = await start(values.port)
const alice = await signIn(gateway.url, 'alice', DEMO_PASSWORD)
const tokens = await alice.call(listTokens, {})
const key = tokens.find((token) => token.name === 'first-steps')?.key ?? ''

console.log(`
Sluice   ${gateway.url}
         root   ${DEMO_PASSWORD}
${USERS.map(({ username, displayName }) => `         ${username.padEnd(6)} ${DEMO_PASSWORD}   ${displayName}`).join('\n')}
Provider ${emulator.url}   emulated; its models are chosen by name

curl -N ${gateway.url}/v1/chat/completions \\
  -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' \\
  -d '{"model":"gpt-5.4-mini","stream":true,"messages":[{"role":"user","content":"How does a sluice work?"}]}'

Ctrl-C ends both.`)

let stopping = false
const stop = async () => {
  if (stopping) return
  stopping = true
  await gateway.stop()
  await emulator.stop()
}
process.on('SIGINT', () => void stop())
process.on('SIGTERM', () => void stop())

function start(port: string): Promise<GatewayProcess> {
  return startGateway({ dataDir, env: { PORT: port, SLUICE_ROOT_PASSWORD: DEMO_PASSWORD, SLUICE_LOG_LEVEL: 'warn' } })
}

async function seed(): Promise<void> {
  console.log('Writing thirty days of history…')
  const now = Date.now()
  const once = await start('0')
  await seedCast(once.url, DEMO_PASSWORD, emulator.url, Math.floor(now / 1_000))
  await once.stop()
  await seedHistory(join(dataDir, 'sluice.db'), now)
  await writeFile(seededMark, '')
}
