import type { Refusal } from '@sluice/contract/errors'
import type { Ledger, MoveAnswer } from '@sluice/ledger/ledger'
import type { ManagementLogRow, MoveKind } from '@sluice/ledger/operation'
import { mqFromQuota } from '@sluice/ledger/units'

/** A change of a user's balance, or of what a token has left. Quota in whole points. */
export interface QuotaMove {
  readonly requestId: string
  readonly kind: MoveKind
  readonly mode: 'add' | 'set'
  readonly quota: number
  /** Id of the user who did it; 0 for the system. */
  readonly actor: number
  readonly reason: string
  readonly log?: Omit<ManagementLogRow, 'amount'>
}

/** Opens the account if needed and moves quota; undefined when done, also when there was nothing to move. */
export async function moveQuota(
  ledger: Ledger,
  owner: { readonly kind: 'user' | 'token'; readonly id: number; readonly unlimited: boolean },
  { quota, ...move }: QuotaMove,
): Promise<Refusal | undefined> {
  const account = await ledger.openAccount(owner.kind, owner.id, owner.unlimited)
  if (account === 'unavailable') return { code: 'ledger_unavailable', retryAfter: 1 }
  return moveRefusal(await ledger.move({ ...move, account, amount: mqFromQuota(quota) }))
}

function moveRefusal(answer: MoveAnswer): Refusal | undefined {
  switch (answer) {
    case 'moved':
    case 'unchanged':
      return undefined
    case 'out_of_range':
      return { code: 'refused', params: { reason: 'The balance would grow beyond what can be recorded.' } }
    case 'unavailable':
      return { code: 'ledger_unavailable', retryAfter: 1 }
  }
}
