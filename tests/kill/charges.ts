import type { Database } from '@sluice/store/database'
import type { CompleteAnswer } from './load.ts'

/** Quota per prompt and per answer token, as in `model_configs`: an answer token costs `ratio × completion_ratio`. */
export const PRICE = { ratio: 1, completion_ratio: 2 }

export interface WrongCharge {
  readonly wrong: 'uncharged' | 'double' | 'mismatch'
  readonly answer: CompleteAnswer
  readonly charges: readonly object[]
  readonly logged: readonly object[]
}

export interface ChargesFound {
  /** Not charged exactly once, with one log row, at the exact cost of their own usage. */
  readonly wrong: readonly WrongCharge[]
  /** Charged on behalf of a replica that was declared dead, and corrected when it continued. */
  readonly corrected: number
}

export async function findCharges({ kysely }: Database, answers: readonly CompleteAnswer[]): Promise<ChargesFound> {
  if (answers.length === 0) return { wrong: [], corrected: 0 }
  const ids = answers.map(({ requestId }) => requestId)
  const transfers = await kysely
    .selectFrom('transfer')
    .select(['request_id', 'kind', 'amount'])
    .where('request_id', 'in', ids)
    .execute()
  const logs = await kysely.selectFrom('log').select(['request_id', 'amount']).where('request_id', 'in', ids).execute()
  const chargesOf = Map.groupBy(transfers, ({ request_id }) => request_id)
  const logsOf = Map.groupBy(logs, ({ request_id }) => request_id)
  const wrongs = answers.flatMap((answer) => {
    const charges = chargesOf.get(answer.requestId) ?? []
    const logged = logsOf.get(answer.requestId) ?? []
    const wrong = checkCharges(answer, charges, logged)
    return wrong === undefined ? [] : [{ wrong, answer, charges, logged }]
  })
  return { wrong: wrongs, corrected: transfers.filter(({ kind }) => kind !== 'consume').length }
}

/** A replica that was declared dead and then continued may have had its charge corrected, once; the sum counts. */
function checkCharges(
  { usage }: CompleteAnswer,
  charges: readonly { readonly kind: string; readonly amount: bigint }[],
  logged: readonly { readonly amount: bigint }[],
): WrongCharge['wrong'] | undefined {
  const count = (...kinds: readonly string[]): number => charges.filter(({ kind }) => kinds.includes(kind)).length
  if (count('consume') === 0) return 'uncharged'
  if (count('consume') > 1 || count('adjust', 'refund') > 1 || logged.length > 1) return 'double'
  const net = charges.reduce((sum, { kind, amount }) => (kind === 'refund' ? sum - amount : sum + amount), 0n)
  const isRight = logged[0]?.amount === net && (usage === undefined || net === costMq(usage))
  return isRight ? undefined : 'mismatch'
}

function costMq(usage: NonNullable<CompleteAnswer['usage']>): bigint {
  const quota = usage.prompt_tokens * PRICE.ratio + usage.completion_tokens * PRICE.ratio * PRICE.completion_ratio
  return BigInt(quota) * 1_000n
}
