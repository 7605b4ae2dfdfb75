import { execFile } from 'node:child_process'
import { access, mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { AFTER_WORK } from '@sluice/testkit/emulator/agent-work'
import { LOOP_PROVIDERS, type LoopProvider, openLoopWorld } from './loop-providers.ts'
import { type AgentProgram, PROGRAMS, runName } from './programs.ts'
import { recordRequests, type RecordedLoop } from './recorded-loop.ts'
import { openRecordingProxy } from './recording-proxy.ts'
import { runProgram } from './run-program.ts'

/**
 * Runs the real coding agents installed in `--bin`, each with every provider, once normally and once with the provider's connection
 * dropped, and prints the result of each run: `told` means that the agent gave up with the gateway's error. `--only claude` runs
 * one agent, `--at aimock` only providers with that in their name; `--record FOLDER` writes the requests there; `--losses` prints
 * what the gateway could not send to the provider.
 */
const { values } = parseArgs({
  options: {
    bin: { type: 'string', default: 'node_modules/.bin' },
    only: { type: 'string' },
    at: { type: 'string', default: '' },
    record: { type: 'string' },
    losses: { type: 'boolean', default: false },
  },
})
const bin = resolve(values.bin)
const say = (line: string) => void process.stdout.write(`${line}\n`)

const loops = await openLoopWorld()
const { world, key } = loops
const proxy = await openRecordingProxy(world.url)
let failures = 0
for (const program of PROGRAMS) {
  if (values.only !== undefined && values.only !== runName(program)) continue
  const version = await versionOf(program)
  if (version === undefined) {
    say(`skipped  ${program.command}: it is not in ${bin}; ${program.install} puts it there`)
    continue
  }
  for (const provider of LOOP_PROVIDERS)
    if (provider.dialect.includes(values.at) && (program.withServer === undefined || provider.lacksNamespaces !== true))
      for (const drops of [false, true]) await runAt(program, version, provider, drops)
}
await proxy.close()
await loops.close()
process.exitCode = failures === 0 ? 0 : 1

async function versionOf({ command }: AgentProgram): Promise<string | undefined> {
  try {
    await access(join(bin, command))
  } catch {
    return undefined
  }
  const { stdout } = await promisify(execFile)(join(bin, command), ['--version'], { timeout: 60_000 })
  return /\d+\.\d+\.\d+(?:\S*\w)?/.exec(stdout)?.[0] ?? 'unknown'
}

async function runAt(program: AgentProgram, version: string, provider: LoopProvider, drops: boolean): Promise<void> {
  const { dialect, model } = provider
  proxy.seen.length = 0
  loops.called()
  // Some also request a title for the conversation, and work without one.
  const work = program.readsListings === true ? 'as a listing)' : '"tools"'
  if (drops) loops.dropNext(provider, work)
  const parts = { origin: proxy.url, key, model }
  const ran = await runProgram(program, bin, parts)
  const proof = await world.verify().then(
    () => undefined,
    (error: unknown) => String(error),
  )
  const called = loops.called()
  const isDone = ran.code === 0 && ran.wrote && ran.output.includes(AFTER_WORK)
  // Some agents do not retry; they must at least report the interruption.
  const isTold = drops && ran.code !== null && ran.output.includes('was interrupted')
  const isGood = (isDone || isTold) && loops.hasDropped(provider, work) && proof === undefined
  if (!isGood) failures += 1
  const how = drops ? 'dropped' : 'plain'
  const calls = `${proxy.seen.length} requests, keys ${[...new Set(called.map((call) => call.key))].join(' ')}`
  const verdict = isGood ? (isDone ? 'passed ' : 'told   ') : 'FAILED '
  const name = runName(program)
  say(`${verdict}  ${name} ${version}, ${dialect}, ${how}: ${ran.seconds.toFixed(1)} s, ${calls}`)
  if (values.losses)
    for (const losses of new Set(proxy.seen.map((seen) => seen.losses))) say(`         lost: ${losses}`)
  if (!isGood)
    say(
      [
        proof ?? (loops.hasDropped(provider, work) ? '' : 'the connection was never dropped'),
        ...proxy.seen.map((seen) => `${seen.status} ${seen.method} ${seen.path}`),
        ran.output.slice(-2_000),
      ].join('\n'),
    )
  if (values.record === undefined || drops || dialect !== program.records) return
  const requests = recordRequests(proxy.seen, { key, folder: ran.folder, host: new URL(proxy.url).host })
  const loop: RecordedLoop = { program: name, version, card: program.card, model, requests }
  const wire = requests.some(({ frames }) => frames !== undefined) ? '-websocket' : ''
  const folder = join(values.record, `${name}-${version}${wire}`)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'loop.json'), `${JSON.stringify(loop, undefined, 1)}\n`)
}
