import type { BalanceStep } from './balance-source.ts'
import { type FieldProblem, problem } from './channel-fields/field-problem.ts'
import { kindOf } from './kinds/all.ts'
import type { ProviderKind } from './kinds/kind.ts'

export const BALANCE_STEPS_MAX = 3

export function hasBalance(code: number): boolean {
  return kindOf(code)?.balance !== undefined
}

/** The first request of a channel's balance check; `now` in unix ms. */
export function balanceStep(
  code: number,
  { baseUrl, key, now }: { readonly baseUrl: string; readonly key: string; readonly now: number },
): BalanceStep | FieldProblem {
  const kind = kindOf(code)
  if (kind?.balance === undefined) {
    return problem('type', `channels of type ${kind?.name ?? code} do not report a balance`)
  }
  const base = baseOf(kind, baseUrl)
  if (base === '') return problem('base_url', 'Base URL is required for this channel type')
  return kind.balance({ base, key, now })
}

function baseOf({ balanceBaseUrl, address }: ProviderKind, baseUrl: string): string {
  const given = baseUrl.trim() || (balanceBaseUrl ?? address.defaultBaseUrl)
  return given.replace(/(?:(?<!\/)\/v\d[a-z0-9]*)?(?<!\/)\/*$/, '')
}
