import type { GatewayProcess } from '@sluice/testkit/gateway-process'
import type { SourceServers } from '@sluice/testkit/import/source-servers'
import { type ExportedFiles, exportedFiles } from './exported-files.ts'
import { type Imported, importFixture, startImported, type Way } from './imported-gateway.ts'

/** Each program at least once, and with them each kind of source and of target; users' actions are tested on these. */
const USED: readonly Way[] = [
  { family: 'one-api', from: 'sqlite', into: 'sqlite' },
  { family: 'laisky', from: 'postgres', into: 'sqlite' },
  { family: 'new-api-2025', from: 'csv', into: 'sqlite' },
  { family: 'new-api', from: 'mysql', into: 'postgres' },
]

/** The other kinds of source, which must bring exactly the same. */
const COMPARED: readonly Way[] = [
  { family: 'one-api', from: 'postgres', into: 'sqlite' },
  { family: 'one-api', from: 'mysql', into: 'sqlite' },
  { family: 'laisky', from: 'upload', into: 'sqlite' },
  { family: 'laisky', from: 'mysql', into: 'sqlite' },
  { family: 'new-api-2025', from: 'sqlite', into: 'sqlite' },
  { family: 'new-api-2025', from: 'postgres', into: 'sqlite' },
  { family: 'new-api-2025', from: 'mysql', into: 'sqlite' },
  { family: 'new-api', from: 'upload', into: 'sqlite' },
  { family: 'new-api', from: 'postgres', into: 'sqlite' },
]

/** Those whose database servers exist, each compared with its family's way in `USED`. */
export function waysWith({ hasPostgres, hasMysql }: SourceServers) {
  const has = (engine: string): boolean => (engine === 'postgres' ? hasPostgres : engine !== 'mysql' || hasMysql)
  const isThere = ({ from, into }: Way): boolean => has(from) && has(into)
  const used = USED.filter(isThere)
  const compared = COMPARED.filter(isThere).flatMap((way) => {
    const like = used.find(({ family }) => family === way.family)
    return like === undefined ? [] : [{ way, like }]
  })
  return { used, compared }
}

export interface ReadyWay extends Imported {
  readonly gateway: GatewayProcess
  /** Its state before it was started. */
  readonly exported: ExportedFiles
}

const AHEAD = 2

/** Imports and starts installations in the order of the ways, a few of them in advance. */
export function createReadyWays(ways: readonly Way[]) {
  const begun = new Map<Way, Promise<ReadyWay>>()
  const begin = (way: Way): Promise<ReadyWay> => {
    const known = begun.get(way)
    if (known !== undefined) return known
    const ready = importFixture(way).then(async (imported) => {
      const exported = await exportedFiles(imported)
      return { ...imported, exported, gateway: imported.gateway ?? (await startImported(imported)) }
    })
    begun.set(way, ready)
    // A failure belongs to the tests that wait for it.
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
    /** Stops and removes all of them, used or not. */
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
