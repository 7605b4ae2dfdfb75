/**
 * What every command needs before it can do its work. Runs on Node 20 and newer with nothing installed, so it is plain
 * JavaScript without dependencies. Each step looks first and does nothing when everything is in place.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Oldest Node that runs the server as it is written: type stripping, node:sqlite, argon2id. */
const OLDEST_NODE = [24, 18]

/** Ends the command with one line that says what to do. */
export function fail(line) {
  process.stderr.write(`\n${line}\n`)
  process.exit(1)
}

/** Installs what package-lock.json of `folder` names, unless npm's own record says that it is there. */
export async function installPackages(folder = ROOT) {
  if (isInstalled(folder, process)) return
  process.stdout.write('Installing packages…\n')
  // loglevel: npm warns about every package that wants a newer Node than the one running npm; ours comes with them
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const code = await run(...npm(args), { cwd: folder })
  if (code !== 0) fail('npm could not install the packages; its message is above.')
}

/**
 * True when node_modules holds every package of the lock file that this machine needs. `.package-lock.json` is what npm
 * writes there as its last step, so an interrupted installation does not count.
 *
 * @param {string} folder
 * @param {{ platform: string, arch: string }} machine
 */
export function isInstalled(folder, machine) {
  const record = join(folder, 'node_modules', '.package-lock.json')
  if (!existsSync(record)) return false
  const wanted = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages
  const present = JSON.parse(readFileSync(record, 'utf8')).packages
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || !path.includes('node_modules/')) return true
    if (!isForMachine(entry, machine)) return true
    const found = present[path]
    // A workspace that has moved leaves a link that leads nowhere.
    return found !== undefined && found.version === entry.version && (!entry.link || found.resolved === entry.resolved)
  })
}

/** Optional packages without a platform, and those of one C library among several, may be left out by npm. */
function isForMachine(entry, machine) {
  if (!entry.optional) return true
  return Boolean(entry.os?.includes(machine.platform) && entry.cpu?.includes(machine.arch) && !entry.libc)
}

/** Path of a Node that runs the server: the running one when it is new enough, otherwise the one among the packages. */
export function pickNode(running = process, root = ROOT) {
  const [major = 0, minor = 0] = running.versions.node.split('.').map(Number)
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return running.execPath
  const platform = running.platform === 'win32' ? 'win' : running.platform
  const name = running.platform === 'win32' ? 'node.exe' : 'node'
  const bundled = join(root, 'node_modules', `node-${platform}-${running.arch}`, 'bin', name)
  if (existsSync(bundled)) return bundled
  return fail(
    `Sluice needs Node ${OLDEST_NODE.join('.')} or newer. This is ${running.versions.node}, and no Node for ` +
      `${platform}-${running.arch} comes with the packages: install Node 24 and run the command again.`,
  )
}

/** Builds the console unless the built one comes from exactly these sources. */
export async function buildConsole(node) {
  const folder = join(ROOT, 'apps', 'console')
  const stamp = join(folder, 'dist', '.built-from')
  const sources = fingerprint([
    folder,
    join(ROOT, 'packages', 'contract', 'src'),
    join(ROOT, 'package-lock.json'),
    join(ROOT, 'tsconfig.base.json'),
  ])
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return
  process.stdout.write('Building the console…\n')
  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js')
  const code = await run(node, [vite, 'build', '--logLevel', 'error'], { cwd: folder })
  if (code !== 0) fail('The console could not be built; the message is above.')
  writeFileSync(stamp, sources)
}

/** Bundles that are kept: a process that runs may still load parts of the one it was started from. */
const KEPT_BUNDLES = 3

/** Bundles the gateway unless that was done from exactly these sources; returns the path of its program. */
export async function buildGateway(node) {
  const folder = join(ROOT, 'apps', 'gateway')
  const bundles = join(folder, 'dist')
  const sources = fingerprint([folder, join(ROOT, 'packages'), join(ROOT, 'package-lock.json')])
  const built = join(bundles, sources.slice(0, 16))
  const program = join(built, 'sluice.js')
  if (existsSync(program)) return program
  process.stdout.write('Building the gateway…\n')
  const unfinished = `${built}.${process.pid}`
  const code = await run(node, ['--disable-warning=ExperimentalWarning', join(folder, 'bundle.ts'), unfinished])
  if (code !== 0) fail('The gateway could not be built; the message is above.')
  try {
    renameSync(unfinished, built)
  } catch (error) {
    // another command was faster
    if (!existsSync(program)) throw error
    rmSync(unfinished, { recursive: true })
  }
  // another command may remove one meanwhile
  const made = (name) => statSync(join(bundles, name), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const old = readdirSync(bundles).sort((a, b) => made(b) - made(a))
  for (const name of old.slice(KEPT_BUNDLES)) rmSync(join(bundles, name), { recursive: true, force: true })
  return program
}

/** Hash over names and contents of the files below the given paths: 20 ms for the console, 30 for the gateway. */
export function fingerprint(paths) {
  const hash = createHash('sha256')
  for (const file of paths.flatMap(filesBelow)) hash.update(file).update('\0').update(readFileSync(file))
  return hash.digest('hex')
}

const GENERATED = new Set(['node_modules', 'dist', 'test-results', 'playwright-report'])

function filesBelow(path) {
  const entries = readEntries(path)
  if (entries === undefined) return [path]
  return entries
    .filter((entry) => !GENERATED.has(entry.name) && !entry.name.endsWith('.tsbuildinfo'))
    .map((entry) => ({ entry, at: join(path, entry.name) }))
    .sort((a, b) => (a.at < b.at ? -1 : 1))
    .flatMap(({ entry, at }) => (entry.isDirectory() ? filesBelow(at) : [at]))
}

/** Undefined when the path is a file. */
function readEntries(path) {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch (error) {
    if (error.code === 'ENOTDIR') return undefined
    throw error
  }
}

/** Command and arguments that run npm the way this command itself was run. */
function npm(args) {
  const script = process.env.npm_execpath
  if (script?.endsWith('.js')) return [process.execPath, [script, ...args]]
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm', args]
}

/**
 * For the allocator of Linux (glibc): large blocks always go back to the system when they are freed. By default it learns to keep
 * them from the first password hash of 19 MiB on, in every thread that hashes one: 43 MB more memory at rest. And all threads share
 * two arenas: with one each, as is its default, a busy gateway grew to 400 MB instead of 230.
 */
export const ALLOCATOR = { MALLOC_MMAP_THRESHOLD_: '1048576', MALLOC_ARENA_MAX: '2' }

/**
 * Where Node stores what it compiled, by the hash of its source: threads and processes that start later need not compile it or,
 * where it is TypeScript, strip its types.
 */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'node') }

/**
 * The nursery of the main thread grows to 48 MB by default. At 24 a thousand open streams need 18 MB less and a request no more processor
 * time; at 12 it needs a tenth more. `--expose-gc` lets the gateway collect what its start left behind.
 */
export const NODE_ARGS = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=8', '--expose-gc']

/** Runs a program of ours, from its sources or bundled. `env` is added to the environment. */
export function runProgram(node, file, args = [], env = {}) {
  const command = [...NODE_ARGS, resolve(ROOT, file), ...args]
  return run(node, command, { env: { ...ALLOCATOR, ...COMPILE_CACHE, ...process.env, ...env } })
}

/** A terminal, npm and a supervisor may each deliver the same request to stop. */
const SAME_SIGNAL_MS = 500
const PARENT_CHECK_MS = 500

/**
 * Runs a program with this terminal and returns its exit code. Signals are passed on, the same one only once in half a second. A
 * stopped npm kills its shell and leaves this process running without a signal; then the program is asked to stop as well.
 */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'inherit', cwd: ROOT, shell: command.endsWith('.cmd'), ...options })
    let last = { signal: '', at: 0 }
    const forward = (signal) => {
      const at = performance.now()
      const isNew = signal !== last.signal || at - last.at > SAME_SIGNAL_MS
      last = { signal, at }
      // an interrupt from the terminal has already reached the program
      if (isNew && !(signal === 'SIGINT' && process.stdin.isTTY)) child.kill(signal)
    }
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
    for (const signal of signals) process.on(signal, forward)
    const parent = process.ppid
    const watch = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(watch)
      forward('SIGTERM')
    }, PARENT_CHECK_MS)
    if (process.env.npm_lifecycle_event === undefined) clearInterval(watch)
    const finish = (code) => {
      clearInterval(watch)
      for (const signal of signals) process.off(signal, forward)
      resolve(code)
    }
    child.on('error', (error) => {
      process.stderr.write(`${command}: ${error.message}\n`)
      finish(1)
    })
    child.on('exit', (code, signal) => finish(code ?? 128 + (constants.signals[signal] ?? 0)))
  })
}
