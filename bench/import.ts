import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { copyPlainly, type SourceSize, writeSource } from './import/source.ts'

/**
 * `npm run bench -- import`: how fast a large gateway is imported, and with how much memory, against a plain `INSERT … SELECT` of
 * the same rows in the same engine. `--users`, `--tokens`, `--rows` choose the size, `--logs sums` or `rows` how to import the log,
 * `--url` imports into a PostgreSQL database, which must be empty, instead of a SQLite file.
 */
const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '100000' },
    tokens: { type: 'string', default: '300000' },
    rows: { type: 'string', default: '5000000' },
    logs: { type: 'string', default: 'sums' },
    url: { type: 'string', default: '' },
  },
})
const size: SourceSize = { users: Number(values.users), tokens: Number(values.tokens), logs: Number(values.rows) }
const GATEWAY =
  process.env['SLUICE_TEST_GATEWAY'] ?? join(import.meta.dirname, '..', 'apps', 'gateway', 'src', 'cli', 'sluice.ts')
const BYTES_PER_LOG_ROW = 700
const SAMPLE_MS = 100

const directory = await mkdtemp(join(tmpdir(), 'sluice-import-bench-'))
try {
  const disk = await statfs(directory)
  const needed = size.logs * BYTES_PER_LOG_ROW * (values.logs === 'rows' ? 4 : 3)
  if (disk.bavail * disk.bsize < needed)
    throw new Error(`the bench needs ${Math.ceil(needed / 1e9)} GB in ${directory}`)
  const source = join(directory, 'one-api.db')
  const written = await timed(() => writeSource(source, size))
  console.log(`source: ${size.users} users, ${size.tokens} tokens, ${size.logs} log rows, written in ${written} s`)
  for (const { table, rows, seconds } of copyPlainly(source, join(directory, 'copy.db'))) {
    console.log(`INSERT … SELECT of ${table}: ${rows} rows in ${seconds.toFixed(1)} s, ${perSecond(rows, seconds)}`)
  }
  await importSource(source)
} finally {
  await rm(directory, { recursive: true, force: true })
}

/** Runs the command as an operator would, and prints the start and duration of each stage. */
async function importSource(source: string): Promise<void> {
  const env = { ...process.env, SLUICE_DATA_DIR: join(directory, 'data'), DATABASE_URL: values.url }
  const args = [GATEWAY, 'import', source, '--logs', values.logs]
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], { env })
  let [peak, stagePeak] = [0, 0]
  const sampling = setInterval(() => {
    void memoryOf(child.pid).then((bytes) => {
      stagePeak = Math.max(stagePeak, bytes)
      peak = Math.max(peak, bytes)
    })
  }, SAMPLE_MS)
  const begun = performance.now()
  let last = { stage: 'open', rows: 0, at: begun }
  const endStage = (): void => {
    const seconds = (performance.now() - last.at) / 1_000
    const rate = last.rows === 0 ? '' : `, ${perSecond(last.rows, seconds)}`
    const memory = `${(stagePeak / 1e6).toFixed(0)} MB`.padStart(8)
    const rows = String(last.rows).padStart(9)
    console.log(`  ${last.stage.padEnd(9)} ${rows} rows ${seconds.toFixed(1).padStart(7)} s ${memory}${rate}`)
    stagePeak = 0
  }
  for await (const line of createInterface({ input: child.stdout })) {
    const stage = /^([a-z]+)(?: \((\d+) rows\))?$/.exec(line)
    if (stage !== null) {
      endStage()
      last = { stage: stage[1] ?? '', rows: Number(stage[2] ?? 0), at: performance.now() }
    } else if (/^(It |refused|WRONG|balances now|sum of|.* differs)/.test(line)) console.log(line)
  }
  endStage()
  clearInterval(sampling)
  const seconds = (performance.now() - begun) / 1_000
  console.log(`import: ${seconds.toFixed(1)} s in all, at most ${(peak / 1e6).toFixed(0)} MB of memory`)
}

/** Resident memory. */
async function memoryOf(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1_024
}

async function timed(work: () => void | Promise<void>): Promise<string> {
  const begun = performance.now()
  await work()
  return ((performance.now() - begun) / 1_000).toFixed(1)
}

function perSecond(rows: number, seconds: number): string {
  return `${Math.round(rows / Math.max(seconds, 0.001))} rows/s`
}
