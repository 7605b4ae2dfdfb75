import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createChannel } from '@sluice/contract/routes/channels'
import { createUser, topUpUser } from '@sluice/contract/routes/users'
import { type DatabaseTarget, openDatabase } from '@sluice/store/database'
import { type GatewayProcess, ROOT_PASSWORD, runSluice, startGateway } from '@sluice/testkit/gateway-process'
import { type ManagementClient, signIn } from '@sluice/testkit/management-client'
import { administer, databaseUrl } from '@sluice/testkit/postgres-databases'
import type { Destination } from '../load-plan.ts'
import { MODEL } from '../scenarios.ts'
import { CHAT } from '../targets.ts'
import { type Callers, copyFirstUser, countOf, FIRST_USER, keysAt, QUOTA } from './callers.ts'

/** Gateway processes on one database. */
export interface ReplicaTarget {
  readonly name: string
  readonly processes: number
  /** Name of its database on the server; undefined on SQLite. */
  readonly database: string | undefined
  readonly destinations: readonly Destination[]
  /** Also verifies the ledger. */
  stop(): Promise<void>
}

export interface TargetPlan {
  readonly name: string
  readonly processes: number
  readonly engine: 'sqlite' | 'postgres'
  /** Path of another gateway's bundle. */
  readonly program?: string
}

const VERIFY_MS = 600_000
/** Requests at a time that give users their quota. */
const TOP_UPS = 8

export async function startReplicaTarget(
  plan: TargetPlan,
  callers: Callers,
  { upstream, server }: { readonly upstream: string; readonly server: string | undefined },
): Promise<ReplicaTarget> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-bench-'))
  const database = plan.engine === 'sqlite' ? undefined : plan.name.toLowerCase().replaceAll(/\W+/g, '_')
  const url = database === undefined || server === undefined ? undefined : databaseUrl(server, database)
  if (database !== undefined && server !== undefined) await administer(server, `create database ${database}`)
  const options = { dataDir, isCollecting: true, env: envOf(url), ...(plan.program && { program: plan.program }) }
  await setUp(await startGateway(options), upstream)
  const target = url === undefined ? { sqliteFile: join(dataDir, 'sluice.db') } : { url }
  const copies = await addUsers(target, countOf(callers, plan.processes))
  // One after the other, so that each start is like that of a process that joins others.
  const running: GatewayProcess[] = []
  for (let at = 0; at < plan.processes; at++) running.push(await startGateway(options))
  await giveQuota(await signIn(running[0]?.url ?? '', 'root', ROOT_PASSWORD), copies)
  return {
    name: plan.name,
    processes: plan.processes,
    database,
    destinations: running.map(({ url, pid }, place) => {
      return { url: url + CHAT, pid, keys: keysAt(callers, plan.processes, place) }
    }),
    stop: async () => {
      await Promise.all(running.map((gateway) => gateway.stop()))
      const { code, output } = await runSluice(['ledger', 'verify', '--full'], { ...options, timeoutMs: VERIFY_MS })
      if (code !== 0) throw new Error(`the ledger of ${plan.name} does not balance after the bench:\n${output}`)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

function envOf(url: string | undefined): Readonly<Record<string, string>> {
  return url === undefined ? {} : { DATABASE_URL: url }
}

/** The first start after a change compiles; only later starts are like those in production. */
async function setUp(gateway: GatewayProcess, upstream: string): Promise<void> {
  const root = await signIn(gateway.url, 'root', ROOT_PASSWORD)
  const models = [MODEL.json, MODEL.latency]
  const prices = Object.fromEntries(models.map((model) => [model, { ratio: 1, completion_ratio: 2 }]))
  const channel = { name: 'bench', type: 50, key: 'sk-bench', base_url: upstream, models: models.join(',') }
  await root.call(createChannel, { body: { ...channel, model_configs: JSON.stringify(prices) } })
  await root.call(createUser, { body: { username: FIRST_USER, password: ROOT_PASSWORD, quota: QUOTA } })
  await gateway.stop()
}

async function addUsers(target: DatabaseTarget, count: number): Promise<readonly number[]> {
  const database = await openDatabase(target)
  try {
    return await copyFirstUser(database, count)
  } finally {
    await database.close()
  }
}

async function giveQuota(root: ManagementClient, users: readonly number[]): Promise<void> {
  for (let first = 0; first < users.length; first += TOP_UPS) {
    const some = users.slice(first, first + TOP_UPS)
    await Promise.all(some.map((user_id) => root.call(topUpUser, { body: { user_id, quota: QUOTA } })))
  }
}
