import { execFile } from 'node:child_process'
import { cp, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Program, startProgram } from '@sluice/testkit/program'

const ROOT = join(import.meta.dirname, '..', '..')
const run = promisify(execFile)
/** npm looks up its packages on a network, and other tests may be using both cores. */
const PATIENCE_MS = 180_000

interface RootManifest {
  readonly version: string
  readonly optionalDependencies: Readonly<Record<string, string>>
}
export const MANIFEST = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as RootManifest
const ARCHIVE = `sluice-${MANIFEST.version}.tgz`

/** Makes the package as `npm run package` does, and copies it into `folder`. */
export async function packInto(folder: string): Promise<void> {
  await run(process.execPath, [join(ROOT, 'tools', 'launch', 'package.mjs')], { cwd: ROOT })
  await mkdir(folder, { recursive: true })
  await cp(join(ROOT, 'dist', ARCHIVE), join(folder, ARCHIVE))
}

/** Unpacks the package in `folder`; returns the folder of its files. */
export async function unpackIn(folder: string): Promise<string> {
  await run('tar', ['-xzf', ARCHIVE], { cwd: folder })
  return join(folder, 'package')
}

const OF_NPM =
  /^(npm_config_(registry|cafile|https?_proxy|noproxy)|(https?|no)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR))$/i

/** A user's environment: a separate home folder, and the machine's npm. */
export async function userEnvironment(home: string): Promise<Readonly<Record<string, string>>> {
  const inherited = Object.entries(process.env).filter(([name]) => OF_NPM.test(name))
  const { stdout } = await run('npm', ['config', 'get', 'registry'])
  return {
    ...(Object.fromEntries(inherited) as Record<string, string>),
    HOME: home,
    npm_config_registry: stdout.trim(),
  }
}

/** Why npm cannot install the package for a user; undefined if it can. */
export async function npmProblem(user: Readonly<Record<string, string>>): Promise<string | undefined> {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const wanted = MANIFEST.optionalDependencies[name]
  if (wanted === undefined) return undefined
  try {
    const args = ['view', `${name}@${wanted}`, 'version', '--fetch-retries=0']
    await run('npm', args, { timeout: 30_000, env: { PATH: process.env['PATH'], ...user } })
    return undefined
  } catch {
    return `npm cannot reach its registry, or does not have ${name} ${wanted}`
  }
}

/** Starts `npx sluice` with the package in `folder`; on Linux in a process group, like a command in a terminal. */
export async function npxSluice(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Program> {
  const whole = ['npx', '--yes', `./${ARCHIVE}`, ...args]
  const [command = '', ...rest] = process.platform === 'linux' ? ['setsid', ...whole] : whole
  return await startProgram({
    command,
    args: rest,
    cwd: folder,
    env,
    readyWhen: READY,
    withinMs: PATIENCE_MS,
  })
}

/** Ctrl-C, where process groups exist: a terminal sends the signal to every process of the command. */
export function interrupt({ pid }: Program): void {
  process.kill(process.platform === 'linux' ? -pid : pid, 'SIGINT')
}

/** Starts the launcher of an unpacked package, and waits until it is ready. */
export async function launched(
  unpacked: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Program> {
  return await startProgram({
    command: process.execPath,
    args: [join(unpacked, 'bin', 'sluice.mjs'), ...args],
    cwd: unpacked,
    env,
    readyWhen: READY,
    withinMs: PATIENCE_MS,
  })
}

/** Runs one command of an unpacked package. */
export async function command(
  unpacked: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number; readonly output: string }> {
  const options = { cwd: unpacked, env: { PATH: process.env['PATH'], ...env }, timeout: 60_000 }
  try {
    const { stdout, stderr } = await run(process.execPath, [join(unpacked, 'bin', 'sluice.mjs'), ...args], options)
    return { code: 0, output: stdout + stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as {
      readonly code: number
      readonly stdout: string
      readonly stderr: string
    }
    return { code, output: stdout + stderr }
  }
}

/** The last line of a greeting is about signing in, or missing. */
const READY = /Console +(http:\/\/\S+)\n.*\n(?: +Sign in +(.*)\n)?/

/** Signs in with the printed link, as the console does; returns the session's cookie. */
export async function followLink(program: Program): Promise<string> {
  const [, url = '', link = ''] = program.ready
  const [page, token = ''] = link.split('#once=')
  if (page !== `${url}/login`) throw new Error(`no link to sign in: ${program.output()}`)
  const reply = await fetch(`${url}/api/user/login/link`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  const cookie = reply.headers.getSetCookie().find((each) => each.startsWith('session='))
  if (cookie === undefined) throw new Error(`the link signs no one in: ${await reply.text()}`)
  return cookie.replace(/;.*$/, '')
}
