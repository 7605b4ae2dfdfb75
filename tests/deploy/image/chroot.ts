import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)

export interface Run {
  readonly root: string
  /** `uid:gid` */
  readonly user: string
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
}

/** Path in the root → folder on this machine. */
type Volumes = Readonly<Record<string, string>>

/** Why a root cannot be entered here; undefined when it can. */
export function chrootProblem(): string | undefined {
  if (process.platform !== 'linux') return 'namespaces are a part of Linux'
  if (process.getuid?.() !== 0) return 'only root may mount and change the root folder'
  const missing = ['unshare', 'chroot', 'mount', 'setpriv', 'ldd'].filter((name) => pathOf(name) === undefined)
  if (missing.length > 0) return `there is no ${missing.join(', ')} (Debian: util-linux, coreutils, libc-bin)`
  try {
    execFileSync('unshare', ['--mount', '--pid', '--fork', 'true'], { stdio: 'ignore' })
    return undefined
  } catch {
    return 'this machine allows no namespaces'
  }
}

function pathOf(name: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(':')
    .concat('/usr/sbin', '/sbin')
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))
}

/** Programs of the base image that the instructions use; Node is the running one. */
const TOOLS = ['sh', 'rm', 'mkdir', 'chown', 'chmod', 'readlink', 'dirname'] as const

/** Creates a root with Node, a shell and a few programs with their libraries, in place of the base image. */
export async function makeBase(root: string): Promise<void> {
  const programs = TOOLS.map((name) => {
    const path = pathOf(name)
    if (path === undefined) throw new Error(`there is no ${name}`)
    return path
  })
  for (const folder of ['tmp', 'proc', 'dev', 'etc', 'usr/local/lib/node_modules/npm', 'var/lib'])
    await mkdir(join(root, folder), { recursive: true })
  await execute('chmod', ['1777', join(root, 'tmp')])
  for (const path of programs) await install(root, path, join('/usr/bin', path.slice(path.lastIndexOf('/') + 1)))
  await install(root, '/bin/sh', '/bin/sh')
  await install(root, process.execPath, '/usr/local/bin/node')
}

async function install(root: string, from: string, to: string): Promise<void> {
  await mkdir(join(root, dirname(to)), { recursive: true })
  await copyFile(await realpath(from), join(root, to))
  const { stdout } = await execute('ldd', [from])
  for (const [, library = ''] of stdout.matchAll(/(\/\S+)\s+\(0x/g)) {
    if (existsSync(join(root, library))) continue
    await mkdir(join(root, dirname(library)), { recursive: true })
    await copyFile(await realpath(library), join(root, library))
  }
}

/** Mounts what a container has, in a namespace of its own, and becomes the program, as process 1 with no way to gain rights. */
const ENTER = `set -e
root=$1; user=$2; folder=$3; mode=$4; shift 4
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o size=64k,mode=0755 tmpfs "$root/dev"
for each in null zero random urandom; do touch "$root/dev/$each"; mount --bind "/dev/$each" "$root/dev/$each"; done
if [ "$mode" = read-only ]; then mount -t tmpfs -o size=16m,mode=1777 tmpfs "$root/tmp"; fi
while [ "$1" != -- ]; do mount --bind "$2" "$root$1"; shift 2; done
shift
if [ "$mode" = read-only ]; then mount -o remount,bind,ro "$root"; fi
exec setpriv --no-new-privs chroot --userspec="$user" --groups= "$root" /bin/sh -c 'cd "$0" && exec "$@"' "$folder" "$@"`

function enter(
  { root, user, folder }: Run,
  mode: 'writable' | 'read-only',
  volumes: Volumes,
  program: readonly string[],
) {
  const mounts = Object.entries(volumes).flat()
  const sh = ['sh', '-c', ENTER, 'sh', root, user, folder, mode, ...mounts, '--', ...program]
  return ['--mount', '--pid', '--fork', '--kill-child', ...sh]
}

/** Runs an instruction of the Dockerfile to its end. Rejects with its output when it fails. */
export async function runInstruction(run: Run, program: readonly string[]): Promise<void> {
  await execute('unshare', enter(run, 'writable', {}, program), { env: { ...run.env }, timeout: 120_000 })
}

export interface Container {
  /** Both output streams together. */
  output(): string
  stop(): Promise<void>
  readonly ended: Promise<number | null>
  kill(): void
}

/** Starts a program in a read-only root, where only these volumes and `/tmp` are writable. */
export function startContainer(run: Run, volumes: Volumes, program: readonly string[]): Container {
  const child = spawn('unshare', enter(run, 'read-only', volumes, program), { env: { ...run.env } })
  let output = ''
  const keep = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-65_536)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  const ended = once(child, 'exit').then(() => {
    process.off('exit', kill)
    return child.exitCode
  })
  return { output: () => output, ended, kill, stop: async () => void process.kill(await onlyChildOf(child), 'SIGTERM') }
}

export async function runContainer(
  run: Run,
  volumes: Volumes,
  program: readonly string[],
): Promise<{ readonly code: number | null; readonly output: string }> {
  const container = startContainer(run, volumes, program)
  const code = await container.ended
  return { code, output: container.output() }
}

async function onlyChildOf({ pid = 0 }: ChildProcess): Promise<number> {
  const { stdout } = await execute('ps', ['-o', 'pid=', '--ppid', String(pid)])
  return Number(stdout.trim())
}
