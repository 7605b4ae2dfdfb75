/** Starts and watches our programs, in a clone or a package. Plain JavaScript without dependencies, for Node 20 and newer. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { join } from 'node:path'

/** The server's sources need type stripping, node:sqlite and argon2id. */
const OLDEST_NODE = [24, 18]

/** Ends the command with one line that says what to do. */
export function fail(line) {
  process.stderr.write(`\n${line}\n`)
  process.exit(1)
}

/** The running Node if it is new enough for the server, otherwise npm's for a package in `folder` or above. */
export function pickNode(folder, running = process) {
  const [major = 0, minor = 0] = running.versions.node.split('.').map(Number)
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return running.execPath
  const platform = running.platform === 'win32' ? 'win' : running.platform
  const name = running.platform === 'win32' ? 'node.exe' : 'node'
  const program = join(`node-${platform}-${running.arch}`, 'bin', name)
  const places = createRequire(join(folder, 'package.json')).resolve.paths(program) ?? []
  const installed = places.map((place) => join(place, program)).find((path) => existsSync(path))
  if (installed !== undefined) return installed
  return fail(
    `Sluice needs Node ${OLDEST_NODE.join('.')} or newer. This is ${running.versions.node}, and no Node for ` +
      `${platform}-${running.arch} comes with the packages: install Node 24 and run the command again.`,
  )
}

/**
 * For the Linux allocator (glibc): large blocks are always returned to the system when freed. By default, after the first password
 * hash of 19 MiB it keeps them in every thread that hashes, 43 MB more memory at rest. Also, all threads share two arenas: with one
 * each, the default, a busy gateway grew to 400 MB instead of 230.
 */
export const ALLOCATOR = { MALLOC_MMAP_THRESHOLD_: '1048576', MALLOC_ARENA_MAX: '2' }

/**
 * The main thread's nursery grows to 48 MB by default. At 24, a thousand open streams need 18 MB less, and a request needs no more
 * processor time; at 12 it needs a tenth more. `--expose-gc` lets the gateway collect the garbage of its start.
 */
export const NODE_ARGS = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=8', '--expose-gc']

/** Runs a JavaScript or TypeScript file; `options.env` is the environment, without the variables that all our programs get. */
export function runOnNode(node, file, args, options) {
  return run(node, [...NODE_ARGS, file, ...args], { ...options, env: { ...ALLOCATOR, ...options.env } })
}

/** Time within which a terminal, npm and a supervisor may each deliver the same request to stop. */
const SAME_SIGNAL_MS = 500
const PARENT_CHECK_MS = 500

/**
 * Runs a program in this terminal and returns its exit code. Passes signals on, but the same one only once in half a second. A
 * stopped npm kills its shell and leaves this process running without a signal; then the program is asked to stop as well.
 */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'inherit', shell: command.endsWith('.cmd'), ...options })
    let last = { signal: '', at: 0 }
    const forward = (signal) => {
      const at = performance.now()
      const isNew = signal !== last.signal || at - last.at > SAME_SIGNAL_MS
      last = { signal, at }
      // An interrupt from the terminal has already reached the program.
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
