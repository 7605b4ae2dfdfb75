import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabase } from '@sluice/store/database'
import { openSqliteConnection } from '@sluice/store/sqlite/connection'
import { startGateway } from '@sluice/testkit/gateway-process'
import { addSession } from './history/add-session.ts'
import { callsOf, type Subjects } from './history/calls.ts'
import { printPlans } from './history/plans.ts'
import { usageOf } from './process-usage.ts'
import { median, percentile } from './statistics.ts'

/**
 * `node bench/pages.ts --data data/large`: starts the gateway on a database of `bench/write-history.ts`, requests every list, sum,
 * search and dashboard of it, and prints how long the answers took. `--only words` makes only the calls whose names contain the
 * words. Exit code 1 when the median of a call is above 100 ms.
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
const gateway = await startGateway({ dataDir, isCollecting: true })
const slow: string[] = []
try {
  console.log(line('call', ['first', 'p50', 'p95', 'CPU', 'total', 'bytes']))
  for (const { name, path, as } of callsOf(subjects)) {
    if (!name.includes(values.only)) continue
    const { cookie } = subjects[as]
    const before = usageOf(gateway.pid).cpuNs
    const answers = await inTurn(Number(values.rounds), () => ask(path, cookie))
    const cpuMs = (usageOf(gateway.pid).cpuNs - before) / 1e6 / answers.length
    const [first = NaN, ...later] = answers.map(({ ms }) => ms)
    const p50 = median(later)
    if (p50 > LIMIT_MS) slow.push(path)
    const figures = [first, p50, percentile(later, 0.95), cpuMs].map((ms) => ms.toFixed(1))
    const { total, bytes } = answers[0] ?? { total: 0, bytes: 0 }
    console.log(line(name, [...figures, String(total), String(bytes)]), p50 > LIMIT_MS ? 'SLOW' : '')
  }
} finally {
  await gateway.stop()
}
for (const path of slow) await printPlans(join(dataDir, 'sluice.db'), path, subjects.user.id)
console.log(slow.length === 0 ? `every median below ${LIMIT_MS} ms` : `${slow.length} calls above ${LIMIT_MS} ms`)
if (slow.length > 0) process.exitCode = 1

function line(name: string, figures: readonly string[]): string {
  return name.padEnd(62) + figures.map((figure) => figure.padStart(10)).join('')
}

async function inTurn<T>(times: number, work: () => Promise<T>): Promise<T[]> {
  const results: T[] = []
  for (let time = 0; time < times; time++) results.push(await work())
  return results
}

interface Answer {
  /** Until the last byte arrived. */
  readonly ms: number
  readonly bytes: number
  readonly total: number
}

async function ask(path: string, cookie: string): Promise<Answer> {
  const started = performance.now()
  const response = await fetch(gateway.url + path, { headers: { cookie } })
  const text = await response.text()
  const ms = performance.now() - started
  const reply = JSON.parse(text) as { success: boolean; message: string; total?: number; data?: { quota?: number } }
  if (!reply.success) throw new Error(`${path}: ${reply.message}`)
  return { ms, bytes: text.length, total: reply.total ?? reply.data?.quota ?? 0 }
}

/** The users to request, and a session each for root and for the user with the most rows. */
async function findSubjects(): Promise<Subjects> {
  const sqliteFile = join(dataDir, 'sluice.db')
  const connection = openSqliteConnection(sqliteFile)
  const [now] = connection.prepare('select max(created_at) from log').values()[0] ?? []
  const users = connection
    .prepare(`select u.id, u.username from account a join "user" u on u.id = a.owner_id
      where a.kind = 'user' and u.role = 1 order by a.requests desc`)
    .values()
    .map(([id, username]) => ({ id: Number(id), username: String(username) }))
  const [heavy, other] = [users[0], users[400]]
  if (heavy === undefined || other === undefined) throw new Error('the database has too few users')
  const [token, model, channel] =
    connection
      .prepare(
        `select token_name, model_name, channel_id from log where type = 2 and user_id = ? order by id desc limit 1`,
      )
      .values(heavy.id)[0] ?? []
  connection.close()
  const database = await openDatabase({ sqliteFile })
  try {
    return {
      now: Number(now),
      root: { id: 1, username: 'root', cookie: await addSession(database, 1) },
      user: { ...heavy, cookie: await addSession(database, heavy.id) },
      other,
      series: { token: String(token), model: String(model), channel: Number(channel) },
    }
  } finally {
    await database.close()
  }
}
