import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { runSluice } from '@sluice/testkit/gateway-process'

/** Another program that uses a running gateway's files. Returns the problem, or undefined. */
interface Visitor {
  readonly name: string
  readonly visit: (dataDir: string, copies: string) => Promise<string | undefined>
}

/** Debian's package `sqlite3`; `npm test` finds or installs it. */
const SQLITE3 = process.env['SLUICE_TEST_SQLITE3'] ?? 'sqlite3'

const VISITORS: readonly Visitor[] = [
  { name: 'sqlite3 .backup', visit: (from, to) => sqlite3(from, `.backup ${join(to, 'copy.db')}`) },
  {
    name: 'sluice backup',
    visit: async (dataDir, to) => {
      const { code, output } = await runSluice(['backup', join(to, 'copy.db')], { dataDir })
      return code === 0 ? undefined : output
    },
  },
  { name: 'sqlite3 select', visit: (from) => sqlite3(from, 'select count(*) from log') },
  {
    name: 'files copied',
    visit: async (from, to) => {
      // SQLite's side files can disappear when a gateway is killed.
      for (const name of await readdir(from)) await copyFile(join(from, name), join(to, name)).catch(() => {})
      return undefined
    },
  },
]

export interface Visits {
  /** Waits for the current visit; returns how often each visitor came. Rejects with the first failure. */
  stop(): Promise<Readonly<Record<string, number>>>
}

/** Runs the visitors in turn, `everyMs` apart, until stopped. */
export function startVisits(dataDir: string, everyMs: number): Visits {
  const stopping = new AbortController()
  const counts = new Map<string, number>()
  const failures: string[] = []
  const come = async ({ name, visit }: Visitor): Promise<void> => {
    const copies = await mkdtemp(join(tmpdir(), 'sluice-copies-'))
    const problem = await visit(dataDir, copies)
    await rm(copies, { recursive: true, force: true })
    counts.set(name, (counts.get(name) ?? 0) + 1)
    if (problem !== undefined) failures.push(`${name}: ${problem}`)
  }
  const visiting = (async () => {
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      const visitor = VISITORS[turn % VISITORS.length]
      if (visitor !== undefined) await come(visitor)
      await delay(everyMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  })()
  return {
    stop: async () => {
      stopping.abort()
      await visiting
      if (failures.length > 0) throw new Error(failures[0])
      return Object.fromEntries(counts)
    },
  }
}

function sqlite3(dataDir: string, command: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const args = ['-cmd', '.timeout 10000', join(dataDir, 'sluice.db'), command]
    execFile(SQLITE3, args, (error, _, stderr) => resolve(error === null ? undefined : stderr || error.message))
  })
}
