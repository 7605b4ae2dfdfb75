import type { Database } from '@sluice/store/database'
import { isStartLocked, readDatabaseMove } from '@sluice/store/queries/moves/database-move'

/** The reason why no gateway may work on this database, as a sentence for the operator; undefined when its data is here. */
export async function problemOfMove(database: Pick<Database, 'engine' | 'kysely'>): Promise<string | undefined> {
  const move = await readDatabaseMove(database.kysely)
  if (move.left_ms > 0) {
    const day = new Date(move.left_ms).toISOString().slice(0, 10)
    return `The data of this database was moved to ${move.to_name} on ${day}: set DATABASE_URL to that one, or go back with "sluice move --undo", which does not bring back charges made there.`
  }
  if (move.from_id !== '' && move.arrived_ms === 0) {
    return `The move or restore of ${move.from_name} into this database is not complete: run that command again, or empty this database.`
  }
  return (await isStartLocked(database))
    ? 'The data of this database is being moved to another one: wait until "sluice move" has finished.'
    : undefined
}
