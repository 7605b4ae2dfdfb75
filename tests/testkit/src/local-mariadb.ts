import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { keptPort } from './free-port.ts'
import { type Program, startProgram } from './program.ts'

const run = promisify(execFile)

export interface LocalMariadb {
  /** `mysql://root@127.0.0.1:port/` */
  readonly url: string
  stop(): Promise<void>
}

/**
 * Starts an installed MariaDB on a loopback port, with a temporary data directory and without durability. When run as root, the
 * server runs as `mysql` or `nobody`. Throws a one-line installation hint when there is no MariaDB.
 */
export async function startLocalMariadb(): Promise<LocalMariadb> {
  const install = find('mariadb-install-db')
  const server = find('mariadbd')
  if (install === undefined || server === undefined)
    throw new Error('Imports from MySQL are tested with MariaDB: install it (Debian: apt-get install mariadb-server)')
  const directory = await mkdtemp(join(tmpdir(), 'sluice-mariadb-'))
  const user = await unprivileged(directory)
  const data = join(directory, 'data')
  const asUser = user === undefined ? [] : [`--user=${user}`]
  const prepare = ['--auth-root-authentication-method=normal', '--skip-test-db', '--skip-name-resolve']
  await run(install, ['--no-defaults', ...asUser, `--datadir=${data}`, ...prepare, '--innodb-log-file-size=8M'])
  const port = await keptPort()
  const settings = {
    datadir: data,
    port,
    'bind-address': '127.0.0.1',
    socket: join(directory, 'mariadb.sock'),
    'pid-file': join(directory, 'mariadb.pid'),
    'skip-name-resolve': '1',
    'performance-schema': 'off',
    'innodb-flush-log-at-trx-commit': '0',
    'innodb-log-file-size': '8M',
    'max-allowed-packet': '64M',
  }
  const args = ['--no-defaults', ...asUser, ...Object.entries(settings).map(([name, value]) => `--${name}=${value}`)]
  const program: Program = await startProgram({ command: server, args, readyWhen: /ready for connections/ })
  return {
    url: `mysql://root@127.0.0.1:${port}/`,
    stop: async () => {
      await program.kill()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

function find(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/bin', '/usr/local/sbin']
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

/** The user that now owns the directory; undefined unless run as root. */
async function unprivileged(directory: string): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['mysql', 'nobody']) {
    try {
      const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
      await chown(directory, Number(uid.stdout), Number(gid.stdout))
      return name
    } catch {
      // No such user; try the next.
    }
  }
  throw new Error('The tests run as root, but MariaDB may not: there is neither a user "mysql" nor a user "nobody"')
}
