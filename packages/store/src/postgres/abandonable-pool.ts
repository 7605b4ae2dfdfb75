import { Client, type Pool, type PoolClient } from 'pg'
import { openPool } from './pool.ts'

/** A pool whose connections can be cut at any time, even between two statements. */
export interface AbandonablePool {
  readonly pool: Pool
  /**
   * Cuts the open connections: what runs on them rejects at once. Returns the process ids that served them: a server in the middle
   * of a statement notices the loss only when it has something to send. End the pool right away, because it opens new ones.
   */
  cut(): readonly number[]
}

export function openAbandonablePool(url: string, timeoutMs: number): AbandonablePool {
  const pool = openPool(url, timeoutMs)
  const clients = new Set<PoolClient>()
  pool.on('connect', (client) => clients.add(client))
  pool.on('remove', (client) => clients.delete(client))
  return {
    pool,
    cut: () => {
      const backends = [...clients].map(backendOf).filter((id) => id !== undefined)
      for (const client of clients) if (client instanceof Client) void client.end().catch(() => {})
      return backends
    },
  }
}

function backendOf(client: PoolClient): number | undefined {
  return 'processID' in client && typeof client.processID === 'number' ? client.processID : undefined
}
