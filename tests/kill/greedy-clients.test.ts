// @module-tag slow
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createChannel } from '@sluice/contract/routes/channels'
import { createToken } from '@sluice/contract/routes/tokens'
import { createUser } from '@sluice/contract/routes/users'
import {
  type GatewayProcess,
  ROOT_PASSWORD,
  runSluice,
  startEmulatorProcess,
  startGateway,
} from '@sluice/testkit/gateway-process'
import { signIn } from '@sluice/testkit/management-client'
import { type RawUpstream, startRawUpstream } from '@sluice/testkit/raw-upstream'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** All of 127.0.0.0/8 is this machine, so each address stands for a network. */
const GREEDY = '127.0.0.2'
const MIB = 1_048_576
const OPEN_FILES = 1_024
/** Connections to attempt, as far as this process's limit on open files allows. */
const ATTEMPTS = 10_000
/** Half of the connections that fit beside 232 requests and 96 files of the gateway's own. */
const SHARE = 232
const CHANNELS = 60
const MODELS = 300
const UNREAD = 60
const LARGE = Buffer.from(
  JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'large',
    choices: [{ index: 0, message: { role: 'assistant', content: 'x'.repeat(28 * MIB) }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 5, total_tokens: 6 },
  }),
)
const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length:'

let dataDir: string
let gateway: GatewayProcess
let upstream: RawUpstream
/** In a separate process, which the greedy clients here do not delay. */
let emulator: GatewayProcess
let greedyKey = ''
let othersKey = ''
const sockets: Socket[] = []

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sluice-greedy-'))
  upstream = await startRawUpstream((socket) => {
    socket.write(`${HEAD} ${LARGE.length}\r\n\r\n`)
    socket.end(LARGE)
  })
  emulator = await startEmulatorProcess()
  gateway = await startGateway({ isCollecting: true, dataDir, openFiles: OPEN_FILES })
  const root = await signIn(gateway.url, 'root', ROOT_PASSWORD)
  const price = { ratio: 1, completion_ratio: 2 }
  for (let at = 0; at < CHANNELS; at++) {
    const models = Array.from({ length: MODELS }, (_, model) => `model-of-channel-${at}-number-${model}`)
    const configs = JSON.stringify(Object.fromEntries(models.map((model) => [model, price])))
    const channel = { name: `channel-${at}`, type: 50, key: 'sk-x', base_url: upstream.url, models: models.join(',') }
    await root.call(createChannel, { body: { ...channel, model_configs: configs } })
  }
  const addPaid = async (model: string, url: string) => {
    const channel = { name: model, type: 50, key: 'sk-x', base_url: url, models: model }
    await root.call(createChannel, { body: { ...channel, model_configs: JSON.stringify({ [model]: price }) } })
  }
  await addPaid('large', upstream.url)
  await addPaid('emu-fast', emulator.url)
  greedyKey = (await root.call(createToken, { body: { name: 'greedy', unlimited_quota: true } })).key
  await root.call(createUser, { body: { username: 'other', password: ROOT_PASSWORD, quota: 1_000_000 } })
  const other = await signIn(gateway.url, 'other', ROOT_PASSWORD)
  othersKey = (await other.call(createToken, { body: { name: 'other', unlimited_quota: true } })).key
  // The preparation must not affect the measurement.
  await gateway.stop()
  gateway = await startGateway({ isCollecting: true, dataDir, openFiles: OPEN_FILES })
}, 120_000)
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await gateway.stop()
  await upstream.close()
  await emulator.stop()
  await rm(dataDir, { recursive: true, force: true })
})

/** A client of the greedy network that sends this and reads nothing. */
function send(text: string): void {
  const { port } = new URL(gateway.url)
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: GREEDY })
  sockets.push(socket)
  socket.on('error', () => {})
  socket.pause()
  socket.write(text)
}

/** The greedy network's connections on the gateway's side, because a client that does not read would not notice their end. */
async function greedyConnections(): Promise<number> {
  const port = Number(new URL(gateway.url).port).toString(16).toUpperCase().padStart(4, '0')
  const lines = (await readFile('/proc/net/tcp', 'utf8')).split('\n')
  return lines.filter((line) => line.includes(` 0100007F:${port} 0200007F:`) && / 01 /.test(line)).length
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
const post = (model: string) => {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] })
  const head = `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${greedyKey}`
  return `${head}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

/** What other clients experience meanwhile. The times are only printed. */
async function others(rounds: number): Promise<string> {
  const script = join(import.meta.dirname, 'bystander.mjs')
  const { stdout } = await promisify(execFile)(process.execPath, [script, gateway.url, othersKey, String(rounds)])
  const { health, paid } = JSON.parse(stdout) as { readonly health: number; readonly paid: number }
  return `at most ${health} ms for /healthz, ${paid} ms for a paid call`
}

async function peakBytes(): Promise<number> {
  const status = await readFile(`/proc/${gateway.pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024
}

async function report(what: string, rounds = 10): Promise<void> {
  const seen = await others(rounds)
  console.log(`${what}: ${seen}, ${Math.round((await peakBytes()) / MIB)} MiB at most`)
}

test.skipIf(!existsSync('/proc/self/status'))(
  'clients that ask for much and read nothing take neither the memory nor the connections of a gateway with 60 channels of 300 models',
  { tags: ['S27', 'S43', 'S49'], timeout: 300_000 },
  async () => {
    // The first call includes one-time loading.
    await others(1)
    await report('before')
    for (let at = 0; at < 8; at++) send(get('/api/openapi.json').repeat(4))
    for (let at = 0; at < 8; at++) send(get('/api/models/display').repeat(30))
    await report('8 connections that read nothing of each of two documents')
    for (let at = 0; at < 8; at++) send(get('/api/models/display').repeat(60))
    await report('2.7 kB of pipelined requests on each of 8 connections')
    await expect.poll(greedyConnections).toBeLessThanOrEqual(16)
    for (let at = 0; at < UNREAD; at++) send(post('large'))
    await report(`${UNREAD} unread answers of 28 MB`)
    for (let at = 1; at <= ATTEMPTS; at++) {
      send('')
      if (at % OPEN_FILES === 0) await greedyConnections()
    }
    await report(`${ATTEMPTS} idle connections`)
    expect(await greedyConnections()).toBeLessThanOrEqual(SHARE)
    for (let at = 0; at < OPEN_FILES; at++) send(get('/api/models/display').repeat(20))
    await report(`${OPEN_FILES} connections that read nothing of the price list`)
    expect(await greedyConnections()).toBeLessThanOrEqual(SHARE)
    expect(await peakBytes()).toBeLessThan(300 * MIB)
    const verified = await runSluice(['ledger', 'verify'], { dataDir })
    expect(verified.code, verified.output).toBe(0)
  },
)
