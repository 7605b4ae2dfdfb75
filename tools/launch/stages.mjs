/** Runs the stages of a check in parallel, as far as two processor cores allow, and prints one table. */
import { spawn } from 'node:child_process'
import { ROOT } from './setup.mjs'

/**
 * @typedef {object} Stage
 * @property {string} name
 * @property {string} command
 * @property {string[]} args
 * @property {string} [cwd]
 * @property {Record<string, string>} [env] added to the environment
 * @property {boolean} [alone] uses every core on its own, so it waits until the stages before it are done
 * @property {() => Promise<Count>} [count] reads what the stage's tests reported, after it ended
 *
 * @typedef {{ passed: number, failed: number, names: string[], repeated: string[] }} Count with the names of what failed, and of what
 *   passed at its second try only
 * @typedef {{ stage: Stage, code: number, seconds: number, count?: Count }} Result
 */

const SIDE_BY_SIDE = 2

/**
 * Runs every stage, even after a failure, and prints the whole output of those that failed.
 *
 * @param {Stage[]} stages
 * @returns {Promise<Result[]>} in the order of the stages
 */
export async function runStages(stages) {
  const results = []
  const running = new Set()
  for (const stage of stages) {
    while (running.size >= (stage.alone ? 1 : SIDE_BY_SIDE)) await Promise.race(running)
    const work = runStage(stage).then((result) => {
      results[stages.indexOf(stage)] = result
      running.delete(work)
    })
    running.add(work)
    if (stage.alone) await work
  }
  await Promise.all(running)
  return results
}

/** @param {Stage} stage @returns {Promise<Result>} */
async function runStage(stage) {
  const started = performance.now()
  const { code, output } = await capture(stage)
  const seconds = (performance.now() - started) / 1000
  const count = await stage.count?.().catch(() => undefined)
  process.stdout.write(`${code === 0 ? '✓' : '✗'} ${stage.name} ${seconds.toFixed(1)} s\n`)
  if (code !== 0) process.stdout.write(`\n${output.trimEnd()}\n\n`)
  // Tests that could not even report are a failure that must not read as "0 failed".
  return {
    stage,
    code,
    seconds,
    count: stage.count && (count ?? { passed: 0, failed: 1, names: [`${stage.name}: no report`], repeated: [] }),
  }
}

/** @param {Stage} stage @returns {Promise<{ code: number, output: string }>} */
function capture({ command, args, cwd = ROOT, env }) {
  return new Promise((resolve) => {
    // Colours are for terminals; in build logs they are noise.
    const colours = process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1', FORCE_COLOR: undefined }
    const environment = { ...process.env, ...colours, ...env }
    const child = spawn(command, args, { cwd, env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
    const chunks = []
    child.stdout.on('data', (chunk) => chunks.push(chunk))
    child.stderr.on('data', (chunk) => chunks.push(chunk))
    child.on('error', (error) => resolve({ code: 1, output: error.message }))
    child.on('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() }))
  })
}

/** @param {Result[]} results */
export function printTable(results) {
  const width = Math.max(...results.map(({ stage }) => stage.name.length))
  process.stdout.write(`\n${'stage'.padEnd(width)}  result     time  passed  failed\n`)
  for (const { stage, code, seconds, count } of results) {
    const counts = count ? `${String(count.passed).padStart(8)}${String(count.failed).padStart(8)}` : ''
    const time = `${seconds.toFixed(1)} s`.padStart(8)
    process.stdout.write(`${stage.name.padEnd(width)}  ${code === 0 ? 'ok    ' : 'FAILED'} ${time}${counts}\n`)
  }
}
