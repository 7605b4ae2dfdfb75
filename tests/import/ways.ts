import type { GatewayProcess } from '@sluice/testkit/gateway-process'
import type { SourceServers } from '@sluice/testkit/import/source-servers'
import { type Imported, importFixture, startImported, type Way } from './imported-gateway.ts'

/** Each program and each kind of source; each kind of target. */
const WAYS: readonly Way[] = [
  { family: 'one-api', from: 'sqlite', into: 'sqlite' },
  { family: 'one-api', from: 'postgres', into: 'sqlite' },
  { family: 'one-api', from: 'mysql', into: 'sqlite' },
  { family: 'laisky', from: 'upload', into: 'sqlite' },
  { family: 'laisky', from: 'postgres', into: 'sqlite' },
  { family: 'laisky', from: 'mysql', into: 'sqlite' },
  { family: 'new-api-2025', from: 'csv', into: 'sqlite' },
  { family: 'new-api-2025', from: 'sqlite', into: 'sqlite' },
  { family: 'new-api-2025', from: 'postgres', into: 'sqlite' },
  { family: 'new-api-2025', from: 'mysql', into: 'sqlite' },
  { family: 'new-api', from: 'upload', into: 'sqlite' },
  { family: 'new-api', from: 'postgres', into: 'sqlite' },
  { family: 'new-api', from: 'mysql', into: 'postgres' },
]

/** Those whose database servers are there. */
export function waysWith({ hasPostgres, hasMysql }: SourceServers): readonly Way[] {
  const isThere = (engine: string): boolean => (engine === 'postgres' ? hasPostgres : engine !== 'mysql' || hasMysql)
  return WAYS.filter(({ from, into }) => isThere(from) && isThere(into))
}

/** An installation that was imported, and runs. */
export interface ReadyWay extends Imported {
  readonly gateway: GatewayProcess
}

/** Ways that are imported and started ahead of the one that is asked for. */
const AHEAD = 2

/** Imports and starts installations in the order of the ways, a few of them before they are needed. */
export function createReadyWays(ways: readonly Way[]) {
  const begun = new Map<Way, Promise<ReadyWay>>()
  const begin = (way: Way): Promise<ReadyWay> => {
    const known = begun.get(way)
    if (known !== undefined) return known
    const ready = importFixture(way).then(async (imported) => ({
      ...imported,
      gateway: imported.gateway ?? (await startImported(imported)),
    }))
    begun.set(way, ready)
    // A failure is that of the tests which wait for it.
    ready.catch(() => {})
    return ready
  }
  return {
    of: async (way: Way): Promise<ReadyWay> => {
      const at = ways.indexOf(way)
      const [ready] = ways.slice(at, at + 1 + AHEAD).map(begin)
      if (ready === undefined) throw new Error('not one of the ways')
      return await ready
    },
    /** Stops and removes them all, whether they were asked for or not. */
    close: async (): Promise<void> => {
      await Promise.allSettled(
        [...begun.values()].map(async (ready) => {
          const imported = await ready
          await imported.gateway.stop()
          await imported.remove()
        }),
      )
    },
  }
}
