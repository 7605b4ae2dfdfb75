import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase } from '@sluice/store/database'
import type { PostgresClient } from '@sluice/store/postgres/client'
import { startLocalPostgres } from '@sluice/testkit/local-postgres'
import { type Activity, addSample, NO_WAITS, type Waits } from './waits.ts'

const SAMPLE_MS = 5
/** The server's processes read a changed setting before their next statement, once they have been told. */
const RELOAD_MS = 100
const STATEMENTS = 'pg_stat_statements'
/** Loaded, but idle: counting takes the server's processor time. */
const COUNTING = [`shared_preload_libraries=${STATEMENTS}`]

/** What the server has done so far. */
export interface ServerCounts {
  /** Bytes of write-ahead log. */
  readonly walBytes: number
  /** Transactions that wrote something. */
  readonly writes: number
}

/** What is only counted while it is watched, because it costs the server processor time. */
export interface Watched {
  readonly waits: Waits
  /** Undefined where `pg_stat_statements` is not installed. */
  readonly statements: number | undefined
}

/** A PostgreSQL server of the bench, with its defaults, and a connection that looks at it. */
export interface WatchedServer {
  readonly url: string
  readonly pid: number
  counts(): Promise<ServerCounts>
  /** Processes that work for anyone but this database: connections to others, and the bench's own. */
  othersThan(database: string): Promise<readonly number[]>
  /** Watches a database until `stop`, which is told how many requests were answered. */
  watch(database: string): Promise<{ stop(requests: number): Promise<Watched> }>
  stop(): Promise<void>
}

export async function startWatchedServer(): Promise<WatchedServer> {
  const { server, hasStatements } = await startServer()
  const database = await openDatabase({ url: server.url })
  if (database.engine !== 'postgres') throw new Error('the server is not PostgreSQL')
  const client = database.openClient()
  const [{ directory } = {}] = (
    await client.query({
      text: `select setting as directory from pg_settings
    where name = 'data_directory'`,
    })
  ).rows
  const pid = Number((await readFile(join(String(directory), 'postmaster.pid'), 'utf8')).split('\n')[0])
  if (hasStatements) {
    await client.query({ text: `create extension ${STATEMENTS}` })
    await countStatements(client, 'none')
  }
  return {
    url: server.url,
    pid,
    counts: async () => {
      const { rows } = await client.query({
        name: 'counts',
        text: `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as wal,
          pg_snapshot_xmax(pg_current_snapshot())::text as xid`,
      })
      return { walBytes: Number(rows[0]?.['wal']), writes: Number(rows[0]?.['xid']) }
    },
    othersThan: async (name) => {
      const { rows } = await client.query({
        text: `select pid from pg_stat_activity where backend_type = 'client backend' and datname <> $1`,
        values: [name],
      })
      return rows.map((row) => Number(row['pid']))
    },
    watch: (name) => watch(client, name, hasStatements),
    stop: async () => {
      await client.close()
      await database.close()
      await server.stop()
    },
  }
}

/** With the library that counts statements, where it is installed: a server loads it only at its start. */
async function startServer() {
  const durable = true
  const counting = await startLocalPostgres({ durable, more: COUNTING }).catch(() => undefined)
  return { server: counting ?? (await startLocalPostgres({ durable })), hasStatements: counting !== undefined }
}

async function countStatements(client: PostgresClient, which: 'none' | 'all'): Promise<void> {
  await client.query({ text: `alter system set ${STATEMENTS}.track = '${which}'` })
  await client.query({ text: 'select pg_reload_conf()' })
  await delay(RELOAD_MS)
}

async function watch(client: PostgresClient, database: string, hasStatements: boolean) {
  if (hasStatements) {
    await client.query({ text: `select ${STATEMENTS}_reset()` })
    await countStatements(client, 'all')
  }
  const began = performance.now()
  let waits = NO_WAITS
  const end = new AbortController()
  const sampling = (async () => {
    for (let due = performance.now(); !end.signal.aborted; due = Math.max(due + SAMPLE_MS, performance.now())) {
      await delay(Math.max(0, due - performance.now()))
      waits = addSample(waits, await activityOf(client, database))
    }
  })()
  const stop = async (requests: number): Promise<Watched> => {
    end.abort()
    await sampling
    const found = { ...waits, requests, seconds: (performance.now() - began) / 1_000 }
    if (!hasStatements) return { waits: found, statements: undefined }
    await countStatements(client, 'none')
    const { rows } = await client.query({
      text: `select coalesce(sum(calls), 0)::integer as calls from ${STATEMENTS}
        join pg_database on pg_database.oid = dbid where datname = $1`,
      values: [database],
    })
    return { waits: found, statements: Number(rows[0]?.['calls']) }
  }
  return { stop }
}

async function activityOf(client: PostgresClient, database: string): Promise<readonly Activity[]> {
  const { rows } = await client.query({
    name: 'activity',
    text: `select state, wait_event_type as type, wait_event as event, count(*)::integer as connections
      from pg_stat_activity where datname = $1 and backend_type = 'client backend' and state <> 'idle' group by 1, 2, 3`,
    values: [database],
  })
  return rows as unknown as readonly Activity[]
}
