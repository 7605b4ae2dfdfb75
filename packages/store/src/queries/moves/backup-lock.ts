import type { PostgresDatabase } from '../../database.ts'

/** Of all advisory locks of a server's database; the second key tells schemas apart. */
const BACKUP_LOCK = 0x51b4

/**
 * Lets one process at a time make backups of a database on PostgreSQL. Returns what ends it; it also ends with the connection.
 * Undefined when another process has it. It is a transaction's, so that it holds through a pooler that gives out connections by
 * transaction, and no snapshot is open meanwhile.
 */
export async function lockBackups(database: PostgresDatabase): Promise<(() => Promise<void>) | undefined> {
  const client = database.openClient()
  try {
    await client.query({ text: 'begin' })
    await client.query({ text: 'set local idle_in_transaction_session_timeout = 0' })
    const { rows } = await client.query({
      text: `select pg_try_advisory_xact_lock(${BACKUP_LOCK}, hashtext(current_schema())) as taken`,
    })
    if (rows[0]?.['taken'] === true) return () => client.close()
  } catch (error) {
    await client.close()
    throw error
  }
  await client.close()
  return undefined
}
