import { spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'

/** How many characters of the command's output are kept. */
const OUTPUT_CHARACTERS = 4_000
const TIMEOUT_MS = 12 * 3_600_000
/** Time to abort an upload. An unfinished copy is left, and the next backup removes it. */
const STOP_MS = 5_000

/** Makes a scheduled backup: runs `sluice backup` with this process's environment at low priority. Ends with it; never rejects. */
export async function runBackupProcess(
  signal: AbortSignal,
): Promise<{ readonly made: string } | { readonly problem: string }> {
  const program = process.argv[1]
  if (program === undefined) return { problem: 'The program of this process was not loaded from a file.' }
  const child = spawn(process.execPath, [...process.execArgv, program, 'backup'], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const stdout = collect(child.stdout)
  const stderr = collect(child.stderr)
  const ended = new Promise<number | string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, killedBy) => resolve(code ?? killedBy ?? 'unknown'))
  })
  const giveUp = async (): Promise<void> => {
    child.kill('SIGTERM')
    await Promise.race([ended, delay(STOP_MS, undefined, { ref: false })])
    child.kill('SIGKILL')
  }
  const over = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
  const onOver = (): void => void giveUp()
  over.addEventListener('abort', onOver)
  if (over.aborted) onOver()
  const result = await ended
  over.removeEventListener('abort', onOver)
  if (result === 0) return { made: stdout().trim() }
  if (over.aborted) return { problem: signal.aborted ? 'It was stopped.' : 'It took longer than 12 hours.' }
  const said = stderr().trim()
  return { problem: said === '' ? `The process that was making it ended with ${result}.` : said }
}

function collect(stream: NodeJS.ReadableStream | null): () => string {
  let text = ''
  stream?.on('data', (chunk: Buffer) => {
    text = `${text}${chunk.toString()}`.slice(-OUTPUT_CHARACTERS)
  })
  return () => text
}
