import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { type Program, startProgram } from '@sluice/testkit/program'
import type { LoadPlan, LoadReport } from './load-plan.ts'

const SCRIPT = join(import.meta.dirname, 'load.ts')
const NODE_ARGS = ['--disable-warning=ExperimentalWarning', SCRIPT]
/** Far more than any plan of the bench takes. */
const LIMIT_MS = 120_000

/** Runs the load generator to its end. Throws when an answer failed: a bench of failures measures nothing. */
export async function runLoad(plan: LoadPlan): Promise<LoadReport> {
  const report = await tryLoad(plan)
  if (report.failed > 0) throw new Error(`${report.failed} calls to ${plan.url} failed; the first: ${report.failure}`)
  return report
}

export function tryLoad(plan: LoadPlan): Promise<LoadReport> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...NODE_ARGS, JSON.stringify(plan)], { timeout: LIMIT_MS })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve(JSON.parse(output.trim().split('\n').at(-1) ?? ''))
      else reject(new Error(`the load generator ended with ${code}:\n${output}`))
    })
  })
}

export function holdStreams(plan: Omit<LoadPlan, 'pattern' | 'stream'>, streams: number): Promise<Program> {
  const held: LoadPlan = { ...plan, stream: true, pattern: { kind: 'held', streams } }
  return startProgram({
    command: process.execPath,
    args: [...NODE_ARGS, JSON.stringify(held)],
    readyWhen: /^open$/m,
    withinMs: 120_000,
  })
}
