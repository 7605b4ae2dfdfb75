import { firstFilledTable } from '@sluice/store/copy/copy-tables'
import type { Database } from '@sluice/store/database'
import { readDatabaseMove, writeDatabaseMove } from '@sluice/store/queries/moves/database-move'

/** A database and its name for an operator: a file, or a server without user and password. */
export interface NamedDatabase {
  readonly database: Database
  readonly name: string
}

/**
 * Reserves a target for the data of a source, so that no gateway starts on it until the move is complete. It must be empty, or
 * contain the copy of an earlier run from the same source. Otherwise returns the reason as a sentence.
 */
export async function claimTarget(source: NamedDatabase, target: NamedDatabase): Promise<string | undefined> {
  const [from, to] = [await readDatabaseMove(source.database.kysely), await readDatabaseMove(target.database.kysely)]
  if (from.id === to.id) return `${target.name} is ${source.name} itself or a copy of it. Specify an empty database.`
  if (isArriving(from)) {
    return `The move of ${from.from_name} into ${source.name} is not complete. Complete it first.`
  }
  if (from.left_ms > 0 && from.to_id !== to.id) {
    return `The data of ${source.name} has already been moved to ${from.to_name}; "sluice move --undo" reverts that.`
  }
  if (from.left_ms > 0 && to.arrived_ms > 0) {
    return `The data of ${source.name} has already been moved to ${target.name}; "sluice move --undo" switches back to ${source.name}.`
  }
  if (isArriving(to)) {
    return to.from_id === from.id
      ? undefined
      : `${target.name} contains part of the data of ${to.from_name}. Specify an empty database.`
  }
  const filled = await firstFilledTable({ db: target.database.kysely })
  if (filled !== undefined) return `${target.name} is not empty: it has rows in ${filled}. Specify an empty database.`
  await writeDatabaseMove(target.database.kysely, { from_id: from.id, from_name: source.name })
  return undefined
}

function isArriving({ from_id: from, arrived_ms: arrived }: { readonly from_id: string; readonly arrived_ms: number }) {
  return from !== '' && arrived === 0
}
