/**
 * Prerequisites of every command. Runs on Node 20 and newer with nothing installed, so it is plain JavaScript without dependencies.
 * Each step does nothing if its result is already there.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fail, run, runOnNode } from './run-program.mjs'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Installs the packages in `folder`'s package-lock.json, unless npm's own record says that they are there. */
export async function installPackages(folder = ROOT) {
  if (isInstalled(folder, process)) return
  process.stdout.write('Installing packages…\n')
  // npm warns about every package that requires a newer Node than the one running npm; ours comes with the packages.
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const code = await run(...npm(args), { cwd: folder })
  if (code !== 0) fail('npm could not install the packages; its message is above.')
}

/**
 * True when node_modules holds every package of the lock file that this machine needs. `.package-lock.json` is what npm writes
 * there as its last step, so an interrupted installation does not count.
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
    // A workspace that has moved leaves a dangling link.
    return found !== undefined && found.version === entry.version && (!entry.link || found.resolved === entry.resolved)
  })
}

/** npm may leave out optional packages without a platform, and those for one C library among several. */
function isForMachine(entry, machine) {
  if (!entry.optional) return true
  return Boolean(entry.os?.includes(machine.platform) && entry.cpu?.includes(machine.arch) && !entry.libc)
}

/** Builds the console unless the existing build is of exactly these sources. */
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
  // Tests set another value, with which React would be built for development.
  const env = { ...process.env, NODE_ENV: 'production' }
  const code = await run(node, [vite, 'build', '--logLevel', 'error'], { cwd: folder, env })
  if (code !== 0) fail('The console could not be built; the message is above.')
  writeFileSync(stamp, sources)
}

/** Old bundles to keep: running processes may still load parts of theirs. */
const KEPT_BUNDLES = 3

/** Bundles the gateway unless that was done from exactly these sources; returns its program's path. */
export async function buildGateway(node) {
  const folder = join(ROOT, 'apps', 'gateway')
  const bundles = join(folder, 'dist')
  const sources = fingerprint([folder, join(ROOT, 'packages'), join(ROOT, 'package-lock.json')])
  const built = join(bundles, sources.slice(0, 16))
  const program = join(built, 'sluice.js')
  if (existsSync(program)) return program
  process.stdout.write('Building the gateway…\n')
  const unfinished = `${built}.${process.pid}`
  const bundler = ['--disable-warning=ExperimentalWarning', join(folder, 'bundle.ts'), unfinished]
  const code = await run(node, bundler, { cwd: ROOT })
  if (code !== 0) fail('The gateway could not be built; the message is above.')
  try {
    renameSync(unfinished, built)
  } catch (error) {
    // Another command was faster.
    if (!existsSync(program)) throw error
    rmSync(unfinished, { recursive: true })
  }
  // Another command may remove one meanwhile.
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

function npm(args) {
  const script = process.env.npm_execpath
  if (script?.endsWith('.js')) return [process.execPath, [script, ...args]]
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm', args]
}

/** Where Node stores compiled code, by source hash: threads and processes that start later need not compile it or strip types. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'node') }

/** Runs one of our programs, from sources or bundled. `env` is added to the environment. */
export function runProgram(node, file, args = [], env = {}) {
  return runOnNode(node, resolve(ROOT, file), args, { cwd: ROOT, env: { ...COMPILE_CACHE, ...process.env, ...env } })
}
