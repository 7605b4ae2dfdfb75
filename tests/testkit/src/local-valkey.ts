import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { keptPort } from './free-port.ts'
import { type Program, startProgram } from './program.ts'

export interface LocalValkey {
  /** `redis://:password@127.0.0.1:port/0` */
  readonly url: string
  kill(): Promise<void>
  /** After `kill`: a new, empty server at the same address. */
  restart(): Promise<void>
  /** The server accepts connections, but sends nothing until the returned function is called. */
  pause(): () => void
  stop(): Promise<void>
}

/** Not a secret: tests that a password in the address is used and never logged. */
const PASSWORD = 'valkey-test-password'

/** Starts an installed Valkey or Redis (or SLUICE_TEST_VALKEY) on a loopback port, in memory. Throws if there is none. */
export async function startLocalValkey(): Promise<LocalValkey> {
  const command = findServer()
  if (command === undefined)
    throw new Error(
      'The tests need Valkey or Redis: install it (Debian: apt-get install redis-server) or set SLUICE_TEST_VALKEY',
    )
  const port = await keptPort()
  const directory = await mkdtemp(join(tmpdir(), 'sluice-valkey-'))
  const settings = { bind: '127.0.0.1', port, save: '', appendonly: 'no', requirepass: PASSWORD, dir: directory }
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
  const start = (): Promise<Program> => startProgram({ command, args, readyWhen: /Ready to accept connections/i })
  let server = await start()
  return {
    url: `redis://:${PASSWORD}@127.0.0.1:${port}/0`,
    kill: () => server.kill(),
    restart: async () => {
      server = await start()
    },
    pause: () => {
      const { pid } = server
      process.kill(pid, 'SIGSTOP')
      return () => process.kill(pid, 'SIGCONT')
    },
    stop: async () => {
      await server.kill()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

function findServer(): string | undefined {
  const given = process.env['SLUICE_TEST_VALKEY']
  if (given !== undefined) return given
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/usr/local/bin']
  const paths = folders.flatMap((folder) => ['valkey-server', 'redis-server'].map((name) => join(folder, name)))
  return paths.find((path) => existsSync(path))
}
