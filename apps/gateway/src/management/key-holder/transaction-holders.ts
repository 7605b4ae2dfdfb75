import { findUser } from '@sluice/store/queries/accounts/users'
import { findAccountIds } from '@sluice/store/queries/ledger/balances'
import type { TransactionRow } from '@sluice/store/queries/tokens/token-transactions'
import { findTokenName } from '@sluice/store/queries/tokens/tokens'
import type { KeyHolder, SharedPorts } from '../ports.ts'

/**
 * The payer of a transaction that expires without its key. A deleted user or token still pays: the ledger knows their accounts.
 * Undefined when the ledger knows none, so nothing was ever held.
 */
export function createHolders(
  deps: Pick<SharedPorts, 'database'>,
): (row: TransactionRow) => Promise<KeyHolder | undefined> {
  const db = deps.database.kysely
  return async (row) => {
    const [user, tokenName, accounts] = await Promise.all([
      findUser(db, row.user_id),
      findTokenName(db, row.token_id),
      findAccountIds(db, row.user_id, row.token_id),
    ])
    if (accounts === undefined) return undefined
    return {
      ...accounts,
      tokenId: row.token_id,
      tokenName: tokenName ?? '',
      userId: row.user_id,
      username: user?.username ?? `deleted_${row.user_id}`,
      group: user?.group ?? '',
      groups: undefined,
      models: undefined,
    }
  }
}
