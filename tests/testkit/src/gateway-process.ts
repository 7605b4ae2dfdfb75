import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { type Program, startProgram } from './program.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
/** The npm commands set this to the bundle that they test; a single test runs the sources. */
const GATEWAY = process.env['SLUICE_TEST_GATEWAY'] ?? join(ROOT, 'apps', 'gateway', 'src', 'cli', 'sluice.ts')
/** As the launcher sets them; see `tools/launch/setup.mjs`. */
const NODE_ARGS = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=8']
/** The launcher sets this too. It makes the start collect all garbage, which takes a quarter of its processor time. */
const COLLECTING = ['--expose-gc']
const LAUNCHED = {
  MALLOC_MMAP_THRESHOLD_: '1048576',
  MALLOC_ARENA_MAX: '2',
  NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'node'),
}

export const ROOT_PASSWORD = 'test-root-password'

export interface GatewayProcess extends Program {
  readonly url: string
}

/** Starts the real gateway as a separate process, on a free port, without this process's environment. */
export async function startGateway(options: {
  readonly dataDir: string
  readonly env?: Readonly<Record<string, string>>
  readonly openFiles?: number
  readonly program?: string
  /** Whether it returns memory to the system as in production. */
  readonly isCollecting?: boolean
}): Promise<GatewayProcess> {
  const args = [...NODE_ARGS, ...(options.isCollecting === true ? COLLECTING : [])]
  const own = [process.execPath, ...args, options.program ?? GATEWAY, 'serve'] as const
  const limited = ['sh', '-c', `ulimit -n ${options.openFiles}; exec "$@"`, 'sh', ...own] as const
  const [command, ...rest] = options.openFiles === undefined ? own : limited
  const program = await startProgram({
    command,
    args: rest,
    cwd: ROOT,
    env: {
      ...LAUNCHED,
      PORT: '0',
      SLUICE_DATA_DIR: options.dataDir,
      SLUICE_ROOT_PASSWORD: ROOT_PASSWORD,
      ...options.env,
    },
    readyWhen: /http:\/\/(?:127\.0\.0\.1|localhost):(\d+)/,
  })
  return { ...program, url: `http://127.0.0.1:${program.ready[1]}` }
}

/** Runs one command of the operator's command line (`ledger verify`); returns exit code and output. */
export function runSluice(
  args: readonly string[],
  options: {
    readonly dataDir: string
    readonly env?: Readonly<Record<string, string>>
    /** Then it is killed; a minute by default. */
    readonly timeoutMs?: number
    readonly program?: string
  },
): Promise<{ readonly code: number; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const env = {
      ...LAUNCHED,
      PATH: process.env['PATH'] ?? '',
      SLUICE_DATA_DIR: options.dataDir,
      ...options.env,
    }
    const { timeoutMs: timeout = 60_000, program = GATEWAY } = options
    const child = spawn(process.execPath, [...NODE_ARGS, program, ...args], { cwd: ROOT, env, timeout })
    let output = ''
    const read = (chunk: Buffer) => {
      output += chunk.toString()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('error', reject)
    child.once('close', (code) => resolve({ code: code ?? 1, output }))
  })
}

/** Starts a command that runs until it is stopped, and waits for the output that shows that it is running. */
export function startSluice(
  args: readonly string[],
  options: { readonly dataDir: string; readonly env?: Readonly<Record<string, string>>; readonly readyWhen: RegExp },
): Promise<Program> {
  return startProgram({
    command: process.execPath,
    args: [...NODE_ARGS, GATEWAY, ...args],
    cwd: ROOT,
    env: { ...LAUNCHED, SLUICE_DATA_DIR: options.dataDir, ...options.env },
    readyWhen: options.readyWhen,
    withinMs: 60_000,
  })
}

export async function startEmulatorProcess(port = 0): Promise<GatewayProcess> {
  const program = await startProgram({
    command: process.execPath,
    args: [...NODE_ARGS, join(import.meta.dirname, 'emulator', 'main.ts'), '--tied', '--port', String(port)],
    readyWhen: /(http:\/\/\S+) ready/,
  })
  return { ...program, url: program.ready[1] ?? '' }
}
