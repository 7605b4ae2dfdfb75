import { createHash, randomBytes } from 'node:crypto'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabase } from '@sluice/store/database'
import { insertSession } from '@sluice/store/queries/sessions'
import { startGateway } from '@sluice/testkit/gateway-process'
import { sql } from 'kysely'
import { callsOf, type Subjects } from './history/calls.ts'
import { percentile } from './statistics.ts'

/**
 * `node bench/pages.ts --data /tmp/large`: starts the gateway on a database of `bench/write-history.ts`, asks every list, sum,
 * search and dashboard of it, and prints how long the answers took. `--only words` asks the calls whose name has the words.
 * Exit code 1 when the median of a call is above 100 ms.
 */
const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    rounds: { type: 'string', default: '9' },
    only: { type: 'string', default: '' },
  },
})
if (values.data === undefined) throw new Error('--data names the folder of the database')
const LIMIT_MS = 100
const dataDir = resolve(values.data)
const subjects = await findSubjects()
const gateway = await startGateway({ dataDir })
let slow = 0
try {
  console.log(
    'call'.padEnd(62),
    'first'.padStart(8),
    'p50'.padStart(8),
    'p95'.padStart(8),
    'total'.padStart(10),
    'bytes'.padStart(9),
  )
  for (const { name, path, as } of callsOf(subjects)) {
    if (!name.includes(values.only)) continue
    const times: number[] = []
    let answer = { bytes: 0, total: 0 }
    for (let round = 0; round < Number(values.rounds); round++) {
      const started = performance.now()
      answer = await ask(path, as === 'root' ? subjects.root.cookie : subjects.user.cookie)
      times.push(performance.now() - started)
    }
    const [first = NaN, ...later] = times
    const median = percentile(later, 0.5)
    if (median > LIMIT_MS) slow += 1
    const figures = [first, median, percentile(later, 0.95)].map((ms) => ms.toFixed(1).padStart(8))
    console.log(
      name.padEnd(62),
      ...figures,
      String(answer.total).padStart(10),
      String(answer.bytes).padStart(9),
      median > LIMIT_MS ? ' SLOW' : '',
    )
  }
} finally {
  await gateway.stop()
}
console.log(slow === 0 ? `every median below ${LIMIT_MS} ms` : `${slow} calls above ${LIMIT_MS} ms`)
if (slow > 0) process.exitCode = 1

async function ask(path: string, cookie: string): Promise<{ readonly bytes: number; readonly total: number }> {
  const response = await fetch(gateway.url + path, { headers: { cookie } })
  const text = await response.text()
  const reply = JSON.parse(text) as { success: boolean; message: string; total?: number; data?: { quota?: number } }
  if (!reply.success) throw new Error(`${path}: ${reply.message}`)
  return { bytes: text.length, total: reply.total ?? reply.data?.quota ?? 0 }
}

/** Whom and what to ask for, and a session each for root and for the user with the most rows. */
async function findSubjects(): Promise<Subjects> {
  const database = await openDatabase({ sqliteFile: join(dataDir, 'sluice.db') })
  const db = database.kysely
  try {
    const { rows } = await sql<{ end: number }>`select max(created_at) as "end" from log`.execute(db)
    const busy = await sql<{ id: number; username: string }>`
      select u.id, u.username from account a join "user" u on u.id = a.owner_id
      where a.kind = 'user' and u.role = 1 order by a.requests desc`.execute(db)
    const [heavy, , , , middling] = busy.rows.filter((_, at) => at % 100 === 0)
    if (heavy === undefined || middling === undefined) throw new Error('the database has too few users')
    return {
      now: rows[0]?.end ?? 0,
      root: { id: 1, username: 'root', cookie: await addSession(1) },
      user: { ...heavy, cookie: await addSession(heavy.id) },
      other: middling,
    }
  } finally {
    await database.close()
  }

  async function addSession(userId: number): Promise<string> {
    const id = randomBytes(32).toString('base64url')
    const now = Math.floor(Date.now() / 1_000)
    const idHash = createHash('sha256').update(id).digest('hex')
    await insertSession(database.kysely, { idHash, userId, now, expires: now + 86_400, replaces: undefined })
    return `session=${id}`
  }
}
