import type { TransactionRow } from '@sluice/store/queries/token-transactions'
import { findUser } from '@sluice/store/queries/users'
import type { KeyHolder, ManagementDeps } from '../ports.ts'

/**
 * Who pays for a transaction whose key is not at hand, because its time is over. A user or token that is gone still pays:
 * the books know their accounts. Undefined while the ledger is away.
 */
export function createHolders(deps: ManagementDeps): (row: TransactionRow) => Promise<KeyHolder | undefined> {
  const db = deps.database.kysely
  return async (row) => {
    const [user, token, limit] = await Promise.all([
      findUser(db, row.user_id),
      db.selectFrom('token').select('name').where('id', '=', row.token_id).executeTakeFirst(),
      db
        .selectFrom('account')
        .select('unlimited')
        .where('kind', '=', 'token')
        .where('owner_id', '=', row.token_id)
        .executeTakeFirst(),
    ])
    const account = await deps.ledger.openAccount('user', row.user_id, false)
    const limitAccount = await deps.ledger.openAccount('token', row.token_id, limit?.unlimited === 1)
    if (account === 'unavailable' || limitAccount === 'unavailable') return undefined
    return {
      tokenId: row.token_id,
      tokenName: token?.name ?? '',
      userId: row.user_id,
      username: user?.username ?? `deleted_${row.user_id}`,
      group: user?.group ?? '',
      account,
      limitAccount,
      models: undefined,
    }
  }
}
