import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'

const run = promisify(execFile)

export interface LocalPostgres {
  readonly url: string
  /** Kills every process of the server at once, as the kernel does when memory runs out. The data remains. */
  kill(): Promise<void>
  /** Restarts the server on its data and port after `kill`; it recovers first. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts an installed PostgreSQL on a free loopback port, with a temporary data directory. Durability is off by default: most tests
 * crash our processes, not the server. PostgreSQL refuses to run as root, so root runs it as `postgres` or `nobody`. Throws a
 * one-line installation hint when there is no PostgreSQL.
 */
export async function startLocalPostgres({
  durable = false,
  more = [],
}: {
  readonly durable?: boolean
  /** Further settings, as `name=value`. */
  readonly more?: readonly string[]
} = {}): Promise<LocalPostgres> {
  const bin = findBinaries()
  if (bin === undefined)
    throw new Error(
      'The tests need PostgreSQL: install it (Debian: apt-get install postgresql) or set SLUICE_TEST_POSTGRES_URL',
    )
  const owner = await unprivileged()
  const directory = await mkdtemp(join(tmpdir(), 'sluice-postgres-'))
  if (owner !== undefined) await chown(directory, owner.uid, owner.gid)
  const data = join(directory, 'data')
  const spawnOptions = { cwd: directory, env: { PATH: process.env['PATH'], LC_ALL: 'C' }, ...owner }
  await run(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'sluice', '--auth=trust', '-E', 'UTF8', '--no-locale', '--no-sync'],
    spawnOptions,
  )
  const port = await freePort()
  const settings = [
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${directory}`,
    `fsync=${durable ? 'on' : 'off'}`,
    'max_connections=200',
    'jit=off',
    ...more,
  ]
  const start = async (): Promise<ChildProcess> => {
    const server = spawn(
      join(bin, 'postgres'),
      ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
      { ...spawnOptions, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    await ready(server)
    return server
  }
  let server = await start()
  // If the run ends without its tear-down, the server must not keep running.
  const abandon = (): boolean => server.kill('SIGQUIT')
  process.once('exit', abandon)
  return {
    url: `postgres://sluice@127.0.0.1:${port}/postgres`,
    kill: async () => {
      const ended = once(server, 'exit')
      killFamily(server)
      await ended
    },
    restart: async () => {
      server = await start()
    },
    stop: async () => {
      process.off('exit', abandon)
      const ended = once(server, 'exit')
      // An "immediate" shutdown, because no data is kept.
      server.kill('SIGQUIT')
      await ended
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** The server starts each connection's process in a group of its own, so they are killed one by one. */
function killFamily(server: ChildProcess): void {
  const { pid } = server
  const children = `/proc/${pid}/task/${pid}/children`
  if (pid === undefined || !existsSync(children)) {
    // Outside Linux: the shutdown that leaves everything to recovery at the next start.
    server.kill('SIGQUIT')
    return
  }
  // Stopped, so that it cannot start further processes.
  server.kill('SIGSTOP')
  const family = readFileSync(children, 'utf8').split(' ').filter(Boolean).map(Number)
  server.kill('SIGKILL')
  for (const child of family) process.kill(child, 'SIGKILL')
}

/** Directory of `initdb` and `postgres`: Debian's versions, newest first, otherwise from PATH. */
function findBinaries(): string | undefined {
  const debian = globSync('/usr/lib/postgresql/*/bin').sort((a, b) => b.localeCompare(a, undefined, { numeric: true }))
  const onPath = (process.env['PATH'] ?? '').split(delimiter)
  return [...debian, ...onPath].find((directory) =>
    ['initdb', 'postgres'].every((name) => existsSync(join(directory, name))),
  )
}

async function unprivileged(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
      return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
    } catch {
      // No such user; try the next.
    }
  }
  throw new Error(
    'The tests run as root, but PostgreSQL may not: there is neither a user "postgres" nor a user "nobody"',
  )
}

/** Resolves when the server says that it accepts connections; rejects with its last output if it ends first. */
function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    server.stderr?.on('data', (chunk: Buffer) => {
      if (said.length < 65_536) said += chunk.toString()
      if (said.includes('ready to accept connections')) resolve()
    })
    server.once('error', reject)
    server.once('exit', (code) => reject(new Error(`PostgreSQL did not start (exit ${code}): ${said.slice(-2_000)}`)))
  })
}
