import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '@sluice/testkit/free-port'
import { type Program, type ProgramOptions, startProgram } from '@sluice/testkit/program'
import { CHAT, JSON_BODY, type Target, type TargetName } from './targets.ts'

/**
 * Gateways that the bench does not install: each is a target if an environment variable names its program. They get a temporary
 * folder as their only place on disk, and are set up through their own management interface.
 */

/** The default sign-in of One API. */
const SIGN_IN = { username: 'root', password: '123456' }
/** Channel types. Laisky's fork sends calls of type 1 to OpenAI's Responses, so it gets the type that passes chat on. */
const OPENAI = 1
const OPENAI_COMPATIBLE = 50
const MASTER_KEY = 'sk-bench'

/** songquanpeng/one-api: SQLite, all settings at their defaults; models are priced so that every call is charged. */
export function oneApi(upstream: string, models: readonly string[], command: string): Promise<Target> {
  return family('one-api', upstream, models, { command, channelType: OPENAI, readyWhen: /server started on/ })
}

/** Laisky/one-api: the same, without its limit of 480 calls in three minutes, and with a session cookie that works without TLS. */
export function laisky(upstream: string, models: readonly string[], command: string): Promise<Target> {
  const env = { RATE_LIMIT_DISABLED: 'true', ENABLE_COOKIE_SECURE: 'false' }
  return family('Laisky', upstream, models, {
    command,
    env,
    channelType: OPENAI_COMPATIBLE,
    readyWhen: /server started/,
  })
}

/** LiteLLM's proxy: one worker, a master key, no database, so calls are priced but not charged to anyone. */
export async function litellm(upstream: string, models: readonly string[], command: string): Promise<Target> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-litellm-'))
  const port = await freePort()
  const prices = { input_cost_per_token: 0.000001, output_cost_per_token: 0.000002 }
  const config = {
    model_list: models.map((model) => ({
      model_name: model,
      litellm_params: { model: `openai/${model}`, api_base: `${upstream}/v1`, api_key: 'sk-upstream', ...prices },
    })),
    general_settings: { master_key: MASTER_KEY },
    litellm_settings: { telemetry: false },
  }
  const file = join(folder, 'config.yaml')
  // JSON is YAML.
  await writeFile(file, JSON.stringify(config))
  const program = await startPeer(folder, {
    command,
    args: ['--config', file, '--host', '127.0.0.1', '--port', String(port), '--num_workers', '1'],
    env: { LITELLM_LOCAL_MODEL_COST_MAP: 'True' },
    readyWhen: /Uvicorn running on/,
    withinMs: 120_000,
  })
  const headers = { ...JSON_BODY, authorization: `Bearer ${MASTER_KEY}` }
  return targetOf('LiteLLM', { port, headers, folder, program })
}

/** A gateway that speaks One API's management API. */
async function family(
  name: TargetName,
  upstream: string,
  models: readonly string[],
  {
    env = {},
    channelType,
    ...options
  }: Pick<ProgramOptions, 'command' | 'env' | 'readyWhen'> & { readonly channelType: number },
): Promise<Target> {
  const folder = await mkdtemp(join(tmpdir(), `sluice-bench-${name}-`))
  const port = await freePort()
  const program = await startPeer(folder, {
    ...options,
    args: ['--port', String(port), '--log-dir', join(folder, 'logs')],
    env: { SQLITE_PATH: join(folder, 'one-api.db'), GIN_MODE: 'release', ...env },
    withinMs: 60_000,
  })
  const call = managementOf(`http://127.0.0.1:${port}`)
  await listening(port)
  await call('POST', '/api/user/login', SIGN_IN)
  // songquanpeng's has one price list for all channels, Laisky's one per channel.
  const listOf = (price: unknown) => JSON.stringify(Object.fromEntries(models.map((model) => [model, price])))
  await call('PUT', '/api/option/', { key: 'ModelRatio', value: listOf(1) })
  await call('PUT', '/api/option/', { key: 'CompletionRatio', value: listOf(2) })
  const model_configs = listOf({ ratio: 1, completion_ratio: 2 })
  const channel = { name: 'bench', type: channelType, key: 'sk-upstream', base_url: upstream, group: 'default' }
  await call('POST', '/api/channel/', { ...channel, models: models.join(','), model_configs })
  const token = await call('POST', '/api/token/', { name: 'bench', remain_quota: 1e12, expired_time: -1 })
  const key = keyOf(token)
  const headers = { ...JSON_BODY, authorization: `Bearer ${key.startsWith('sk-') ? key : `sk-${key}`}` }
  return targetOf(name, { port, headers, folder, program })
}

/** Both print that they have started a moment before they listen. */
async function listening(port: number): Promise<void> {
  for (let tries = 1; ; tries++) {
    const response = await fetch(`http://127.0.0.1:${port}/api/status`).catch(() => undefined)
    await response?.body?.cancel()
    if (response?.ok) return
    if (tries === 100) throw new Error(`nothing listens on port ${port}`)
    await delay(100)
  }
}

/** Calls the family's management API with the session cookie of earlier calls; returns `data`, throws when refused. */
function managementOf(url: string): (method: string, path: string, body: object) => Promise<unknown> {
  let cookie = ''
  return async (method, path, body) => {
    const response = await fetch(url + path, { method, headers: { ...JSON_BODY, cookie }, body: JSON.stringify(body) })
    cookie = response.headers.getSetCookie()[0]?.replace(/;.*$/, '') ?? cookie
    const text = await response.text()
    const envelope: unknown = response.ok ? JSON.parse(text) : undefined
    const isDone =
      typeof envelope === 'object' && envelope !== null && 'success' in envelope && envelope.success === true
    if (!isDone) throw new Error(`${method} ${path} returned ${response.status}: ${text.slice(0, 500)}`)
    return 'data' in envelope ? envelope.data : undefined
  }
}

function keyOf(token: unknown): string {
  if (typeof token === 'object' && token !== null && 'key' in token && typeof token.key === 'string') return token.key
  throw new Error('the new token has no key')
}

/** `TIKTOKEN_CACHE_DIR` names the vocabularies that a Go or Python program would download otherwise. */
function startPeer(folder: string, options: ProgramOptions): Promise<Program> {
  const { TIKTOKEN_CACHE_DIR } = process.env
  const vocabularies = TIKTOKEN_CACHE_DIR === undefined ? {} : { TIKTOKEN_CACHE_DIR }
  return startProgram({ ...options, cwd: folder, env: { HOME: folder, ...vocabularies, ...options.env } })
}

function targetOf(
  name: TargetName,
  started: {
    readonly port: number
    readonly headers: Target['headers']
    readonly folder: string
    readonly program: Program
  },
): Target {
  const { port, headers, folder, program } = started
  const stop = async () => {
    await program.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return { name, url: `http://127.0.0.1:${port}${CHAT}`, headers, pid: program.pid, stop }
}
