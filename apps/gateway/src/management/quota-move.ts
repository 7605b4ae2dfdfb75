import type { Refusal } from '@sluice/contract/errors'
import type { Ledger, MoveAnswer } from '@sluice/ledger/ledger'
import type { ManagementLogRow, MoveKind } from '@sluice/ledger/operation'
import { type Mq, mqFromQuota } from '@sluice/ledger/units'

interface Movement {
  readonly requestId: string
  readonly kind: MoveKind
  readonly mode: 'add' | 'set'
  /** Id of the user who made it; 0 for the system. */
  readonly actor: number
  readonly reason: string
  readonly log?: Omit<ManagementLogRow, 'amount'>
}

export interface QuotaMove extends Movement {
  readonly quota: number
}

interface MovedAccount {
  readonly kind: 'user' | 'token'
  readonly id: number
  readonly unlimited: boolean
}

/** Opens the account if needed and moves quota; undefined on success, also if there was nothing to move. */
export async function moveQuota(
  ledger: Ledger,
  owner: MovedAccount,
  { quota, ...move }: QuotaMove,
): Promise<Refusal | undefined> {
  return await moveAmount(ledger, owner, { ...move, amount: mqFromQuota(quota) })
}

export async function moveAmount(
  ledger: Ledger,
  owner: MovedAccount,
  move: Movement & { readonly amount: Mq },
): Promise<Refusal | undefined> {
  const account = await ledger.openAccount(owner.kind, owner.id, owner.unlimited)
  if (account === 'unavailable') return { code: 'ledger_unavailable', retryAfter: 1 }
  return moveRefusal(await ledger.move({ ...move, account }))
}

function moveRefusal(answer: MoveAnswer): Refusal | undefined {
  switch (answer) {
    case 'moved':
    case 'unchanged':
      return undefined
    case 'out_of_range':
      return {
        code: 'refused',
        params: { reason: 'The balance would exceed the largest amount that can be recorded.' },
      }
    case 'unavailable':
      return { code: 'ledger_unavailable', retryAfter: 1 }
  }
}
