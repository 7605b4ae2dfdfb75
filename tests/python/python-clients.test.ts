import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openProviders, type Providers } from '../clients/providers.ts'
import { type OddProviders, openOddProviders } from './odd-providers.ts'

/** The vendors' own Python clients, and LangChain's, which `npm test` installs where there is a Python. */
const CLIENTS = {
  openai_client: ['chat', 'stream', 'tools', 'responses', 'embeddings', 'errors'],
  anthropic_client: ['messages', 'stream', 'tool_runner', 'tool_runner_stream', 'thread', 'foreign_thread', 'errors'],
  google_client: ['content', 'stream', 'chat', 'tools', 'thinking', 'errors'],
  langchain_clients: ['openai', 'anthropic', 'google', 'thinking'],
} as const

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const environment = process.platform === 'win32' ? '.venv/Scripts/python.exe' : '.venv/bin/python'
const python = here(environment)
/** Written last, so an interrupted installation does not count. */
const isThere = existsSync(here('.venv/.made-from'))
if (!isThere)
  process.stdout.write(
    'Skipped: tests/python has no virtual environment; npm test makes one with Python 3.10 or newer.\n',
  )

describe.skipIf(!isThere)('clients for Python', () => {
  let world: Providers
  let odd: OddProviders
  beforeAll(async () => {
    world = await openProviders()
    await world.bench.addChannel(['emu-fast'])
    odd = await openOddProviders(world.bench)
  })
  afterAll(async () => {
    await world.close()
    await odd.close()
  })

  describe.each(Object.entries(CLIENTS))('%s', (client, names) => {
    let told: ReadonlyMap<string, string>
    beforeAll(async () => {
      told = await runClient(client, world)
    }, 110_000)

    it.each([...names])('%s', (name) => {
      expect(told.get(name) ?? told.get('')).toBe('ok')
    })
  })
})

/** Each case's result; under '' the process's last output. */
async function runClient(client: string, { url, key }: Providers): Promise<ReadonlyMap<string, string>> {
  const env = {
    ...process.env,
    SLUICE_URL: url,
    SLUICE_KEY: key,
    // Next to the packages, which are installed uncompiled: only imported ones get compiled, once.
    PYTHONPYCACHEPREFIX: here('.venv/pycache'),
    // Only the gateway may be called.
    LANGSMITH_TRACING: 'false',
    NO_PROXY: '*',
  }
  const { stdout, stderr } = await promisify(execFile)(python, [here(`${client}.py`)], { env, timeout: 100_000 }).catch(
    (error: { stdout: string; stderr: string }) => error,
  )
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'))
  const cases = lines.map((line) => JSON.parse(line) as { readonly name: string; readonly told: string })
  return new Map([['', `no line: ${stderr.slice(-2_000)}`], ...cases.map(({ name, told }) => [name, told] as const)])
}
