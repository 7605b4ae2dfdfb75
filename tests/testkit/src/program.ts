import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** A child process of a test, the demo or the bench that never outlives it. */
export interface Program {
  readonly pid: number
  readonly ready: RegExpExecArray
  /** The last 64 KiB of both output streams together. */
  output(): string
  /** Asks it to end and returns its exit code; kills it after `patienceMs`. */
  stop(patienceMs?: number): Promise<number | null>
  kill(): Promise<void>
}

export interface ProgramOptions {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd?: string
  /** The whole environment; only PATH and the temporary directory are inherited. */
  readonly env?: Readonly<Record<string, string>>
  /** Appears in the output once the program can be used. */
  readonly readyWhen: RegExp
  readonly withinMs?: number
}

const KEPT_OUTPUT = 65_536
const INHERITED = ['PATH', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot']

/** Starts a program and waits until it is ready. Rejects with its last output when it ends or stays silent. */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const inherited = INHERITED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))
  const child = spawn(options.command, options.args, {
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: { ...Object.fromEntries(inherited), ...options.env },
    // Standard input stays open, so that programs which end with it end with us.
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const abandon = () => child.kill('SIGKILL')
  process.once('exit', abandon)
  child.once('exit', () => process.off('exit', abandon))
  let output = ''
  const ready = await firstMatch(child, options, (text) => {
    output = (output + text).slice(-KEPT_OUTPUT)
    return output
  })
  const ended = () => (child.exitCode !== null || child.signalCode !== null ? undefined : once(child, 'exit'))
  return {
    pid: child.pid ?? 0,
    ready,
    output: () => output,
    stop: async (patienceMs = 10_000) => {
      const exit = ended()
      child.kill('SIGTERM')
      const late = setTimeout(abandon, patienceMs)
      await exit
      clearTimeout(late)
      return child.exitCode
    },
    kill: async () => {
      const exit = ended()
      abandon()
      await exit
    },
  }
}

function firstMatch(
  child: ChildProcess,
  { command, args, readyWhen, withinMs = 20_000 }: ProgramOptions,
  keep: (text: string) => string,
): Promise<RegExpExecArray> {
  const name = [command, ...args].join(' ')
  return new Promise((resolve, reject) => {
    let settled = false
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      fail(`was not ready within ${withinMs} ms`)
    }, withinMs)
    const fail = (what: string) => {
      if (settled) return
      settled = true
      clearTimeout(timer)
      reject(new Error(`${name} ${what}:\n${keep('')}`))
    }
    const read = (chunk: Buffer) => {
      const match = readyWhen.exec(keep(chunk.toString()))
      if (settled || match === null) return
      settled = true
      clearTimeout(timer)
      resolve(match)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('error', (error) => fail(`could not be started (${error.message})`))
    // Not on `exit`: its last output might not have been read yet.
    child.once('close', (code, signal) => fail(`ended with ${code ?? signal}`))
  })
}
