import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BodyInput } from '@sluice/contract/route'
import { createChannel } from '@sluice/contract/routes/channels'
import { createToken } from '@sluice/contract/routes/tokens'
import { freePort } from '@sluice/testkit/free-port'
import { ROOT_PASSWORD, runSluice, startGateway } from '@sluice/testkit/gateway-process'
import { signIn } from '@sluice/testkit/management-client'
import { startProgram } from '@sluice/testkit/program'

export type TargetName = 'direct' | 'nginx' | 'bare' | 'Sluice' | 'Portkey' | 'one-api' | 'Laisky' | 'LiteLLM'

/** One path from the load generator to the provider. */
export interface Target {
  readonly name: TargetName
  /** Address of `POST …/chat/completions`. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Process whose CPU and memory count; on the direct path the provider's. */
  readonly pid: number
  stop(): Promise<void>
}

export const JSON_BODY = { 'content-type': 'application/json' }
const KEY = { ...JSON_BODY, authorization: 'Bearer sk-bench' }
export const CHAT = '/v1/chat/completions'

export function direct({ url, pid }: { readonly url: string; readonly pid: number }): Target {
  return { name: 'direct', url: url + CHAT, headers: KEY, pid, stop: async () => {} }
}

/** One worker, upstream connections kept alive, every chunk passed on as it arrives, no log. */
export async function nginx(upstream: string, binary: string): Promise<Target> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-nginx-'))
  const port = await freePort()
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  )
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr notice; worker_rlimit_nofile 16384;
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    events { worker_connections 8192; }
    http {
      access_log off; ${temporary.join(' ')}
      keepalive_requests 1000000;
      upstream provider { server ${new URL(upstream).host}; keepalive 512; keepalive_requests 1000000; }
      server {
        listen 127.0.0.1:${port};
        location / {
          proxy_pass http://provider;
          proxy_http_version 1.1;
          proxy_set_header Connection "";
          proxy_buffering off;
        }
      }
    }`,
  )
  const program = await startProgram({
    command: binary,
    args: ['-p', folder, '-c', join(folder, 'nginx.conf')],
    readyWhen: /start worker process \d+/,
  })
  const stop = async () => {
    await program.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return { name: 'nginx', url: `http://127.0.0.1:${port}${CHAT}`, headers: KEY, pid: program.pid, stop }
}

export async function bare(upstream: string): Promise<Target> {
  const program = await startProgram({
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'bare-relay.ts'), upstream],
    readyWhen: /(http:\S+) is ready/,
  })
  const stop = async () => void (await program.stop())
  return { name: 'bare', url: program.ready[1] + CHAT, headers: KEY, pid: program.pid, stop }
}

/**
 * The gateway in its default state: a new database, a user, a token with a limited quota, accounting and logs on. Stopping it also
 * verifies its ledger. `beside` is a second provider, for models under other names; `more` are further channels of the first.
 */
export async function sluice(
  upstream: string,
  models: readonly string[],
  beside?: { readonly upstream: string; readonly names: Readonly<Record<string, string>> },
  more: readonly Pick<BodyInput<typeof createChannel>, 'type' | 'models' | 'model_mapping' | 'config'>[] = [],
): Promise<Target> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-bench-'))
  // The first start after a change compiles, and retains 26 MB more for it; only later starts are like those in production.
  await (await startGateway({ dataDir })).stop()
  const program = await startGateway({ dataDir, isCollecting: true })
  const root = await signIn(program.url, 'root', ROOT_PASSWORD)
  const prices = Object.fromEntries(models.map((model) => [model, { ratio: 1, completion_ratio: 2 }]))
  const channel = { name: 'bench', type: 50, key: 'sk-bench', base_url: upstream, models: models.join(',') }
  await root.call(createChannel, { body: { ...channel, model_configs: JSON.stringify(prices) } })
  if (beside !== undefined) {
    const { upstream: base_url, names } = beside
    const models = Object.keys(names).join(',')
    const model_configs = JSON.stringify(Object.fromEntries(Object.values(names).map((name) => [name, { ratio: 1 }])))
    const body = { ...channel, name: 'beside', base_url, models, model_mapping: JSON.stringify(names), model_configs }
    await root.call(createChannel, { body })
  }
  for (const extra of more) {
    const body = { ...channel, ...extra, name: extra.models ?? 'more', model_configs: JSON.stringify(prices) }
    await root.call(createChannel, { body })
  }
  const token = await root.call(createToken, { body: { name: 'bench', remain_quota: 1_000_000_000_000 } })
  const stop = async () => {
    await program.stop()
    const { code, output } = await runSluice(['ledger', 'verify'], { dataDir })
    if (code !== 0) throw new Error(`the ledger does not balance after the bench:\n${output}`)
    await rm(dataDir, { recursive: true, force: true })
  }
  const headers = { ...JSON_BODY, authorization: `Bearer ${token.key}` }
  return { name: 'Sluice', url: program.url + CHAT, headers, pid: program.pid, stop }
}

/** Started as its package documents, without its log page; the upstream is named by its custom-host header. */
export async function portkey(upstream: string): Promise<Target> {
  const folder = join(import.meta.dirname, 'peers', 'node_modules', '@portkey-ai', 'gateway')
  const port = await freePort()
  const program = await startProgram({
    command: process.execPath,
    args: [join(folder, 'build', 'start-server.js'), `--port=${port}`, '--headless'],
    env: { NODE_ENV: 'production' },
    readyWhen: /Ready for connections/,
  })
  const headers = { ...KEY, 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `${upstream}/v1` }
  const stop = async () => void (await program.stop())
  return { name: 'Portkey', url: `http://127.0.0.1:${port}${CHAT}`, headers, pid: program.pid, stop }
}
