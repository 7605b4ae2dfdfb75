/** A step of a history. Amounts are whole quota; tokens of every class cost 10 quota each. */
export type ModelStep =
  | {
      readonly step: 'batch'
      readonly replica: ModelReplica
      readonly replay: boolean
      readonly operations: readonly ModelOperation[]
    }
  /** The replica is declared dead, but may continue, as a paused one would. */
  | { readonly step: 'recover'; readonly dead: ModelReplica }
  /** A user's balance at another gateway has changed by this much. Unless it is noted, the importer dies after its transfer. */
  | {
      readonly step: 'import'
      readonly replica: ModelReplica
      readonly user: number
      readonly quota: number
      readonly isNoted: boolean
    }

export type ModelReplica = 'r1' | 'r2'

export type ModelOperation =
  | { readonly op: 'hold'; readonly request: number; readonly quota: number }
  | { readonly op: 'extend'; readonly request: number; readonly quota: number }
  | { readonly op: 'renew'; readonly request: number; readonly tokens: number }
  | { readonly op: 'settle'; readonly request: number; readonly tokens: number }
  | { readonly op: 'void'; readonly request: number }
  /** Everything that is left, if no quota is given. */
  | { readonly op: 'refund'; readonly request: number; readonly id: number; readonly quota: number | undefined }
  | {
      readonly op: 'move'
      readonly id: number
      readonly payer: number
      readonly what: MoveName
      readonly quota: number
    }
  | { readonly op: 'redeem'; readonly code: number; readonly payer: number }
  | { readonly op: 'unlimited'; readonly payer: number; readonly unlimited: boolean }
  | {
      readonly op: 'budgets'
      readonly payer: number
      readonly of: 'user' | 'token'
      readonly budgets: readonly ModelBudget[]
    }

export type MoveName = 'gift' | 'adjust-add' | 'adjust-set' | 'limit-add' | 'limit-set'

export interface ModelBudget {
  readonly period: 'day' | 'week' | 'month'
  readonly quota: number
}

/** Payer i pays with token i; payers 0 and 1 are one user. */
export const MODEL_USER_OF = [0, 0, 1] as const
export const MODEL_CODES = [30, 0, 70, 50] as const
/** A code that was used at another gateway, and pays nothing. */
export const MODEL_USED_CODE = 3
export const QUOTA_PER_TOKEN = 10

export function payerOfRequest(request: number): number {
  return request % MODEL_USER_OF.length
}
