import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { WRITTEN } from '@sluice/testkit/emulator/agent-work'
import { clientSetups, type SetupParts } from '../../apps/console/src/features/tokens/model/client-setups.ts'
import { type AgentProgram, MCP_SERVER, MCP_TOOL } from './programs.ts'

export interface AgentRun {
  /** Null when it was killed for taking too long. */
  readonly code: number | null
  readonly seconds: number
  readonly output: string
  /** Whether the file that the question names has the model's content. */
  readonly wrote: boolean
  /** Its working folder, which is removed by now. */
  readonly folder: string
}

const SERVER = join(import.meta.dirname, 'mcp-file-server.ts')
const PATIENCE_MS = 120_000
const KEPT_OUTPUT = 64_000

/** Runs an agent once, in an empty home folder, set up with nothing but the text of its card. */
export async function runProgram(program: AgentProgram, bin: string, parts: SetupParts): Promise<AgentRun> {
  const place = await mkdtemp(join(tmpdir(), 'sluice-agent-'))
  const [home, work] = [join(place, 'home'), join(place, 'work')]
  await mkdir(home)
  await mkdir(work)
  try {
    const made = join(work, 'made.txt')
    const words = program.words(`Please (write ${made}${howOf(program)}) and tell me when it is done.`, parts.model)
    const script = await follow(program, parts, { home, work })
    const env = { PATH: `${bin}:${process.env['PATH']}`, HOME: home, ...program.environment }
    const ran = await run(`${script} "$@"`, words, { cwd: work, env })
    const text = await readFile(made, 'utf8').catch(() => undefined)
    return { ...ran, wrote: text?.trimEnd() === WRITTEN, folder: place }
  } finally {
    await rm(place, { recursive: true, force: true, maxRetries: 5 })
  }
}

function howOf({ readsListings, withServer }: AgentProgram): string {
  if (readsListings === true) return ' as a listing'
  return withServer === undefined ? '' : ` with mcp__${MCP_SERVER}__${MCP_TOOL}`
}

/** Follows the card's instructions, and returns the shell lines that start the program. */
async function follow(
  program: AgentProgram,
  parts: SetupParts,
  { home, work }: { readonly home: string; readonly work: string },
): Promise<string> {
  const card = clientSetups(parts).find(({ name }) => name === program.card)
  if (card === undefined) throw new Error(`there is no card for ${program.card}`)
  if (card.file === undefined) return card.text
  const path = card.file.startsWith('~/') ? join(home, card.file.slice(2)) : join(work, card.file)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, program.withServer?.(card.text, SERVER) ?? card.text)
  return program.command
}

function run(
  script: string,
  words: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<Omit<AgentRun, 'wrote' | 'folder'>> {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    // A process group of its own, because agents start programs that outlive them.
    const child = spawn('sh', ['-c', script, 'sh', ...words], {
      ...options,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const end = () => {
      if (child.pid === undefined) return
      try {
        process.kill(-child.pid, 'SIGKILL')
      } catch {
        // The group has ended.
      }
    }
    const late = setTimeout(end, PATIENCE_MS)
    let output = ''
    const read = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-KEPT_OUTPUT)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('error', reject)
    child.once('exit', (code) => {
      clearTimeout(late)
      end()
      resolve({ code, seconds: (performance.now() - began) / 1_000, output })
    })
  })
}
