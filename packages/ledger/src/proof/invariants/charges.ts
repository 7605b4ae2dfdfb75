import { SYSTEM_OWNER } from '../../engines/system-accounts.ts'
import { LOG_TYPE } from '../../rules/rows.ts'
import type { ReadRows, Row } from '../verify.ts'
import { findWrong, type Invariant, joinParts, sumParts } from './invariant.ts'
import { CHARGES } from './movements.ts'
import { idAt, inScope, type Scope, scopeStart } from './scope.ts'

/** Each charge `c` next to its correction `x`, if it has one. */
const CONSUMED = `transfer c left join transfer x on x.request_id = c.request_id and x.kind in ('adjust', 'refund')`
const NET = `(c.amount + case x.kind when 'adjust' then x.amount when 'refund' then -x.amount else 0 end)`
/** A count from the correction if there is one, otherwise from the charge. */
const LAST = (column: string): string => `coalesce(x.${column}, c.${column})`

/** All tokens that were read, and all that were generated. */
const PROMPT = `(${[
  'input_tokens',
  'cached_tokens',
  'cache_write_5m_tokens',
  'cache_write_1h_tokens',
  'other_prompt_tokens',
]
  .map(LAST)
  .join(' + ')})`
const OUTPUT = `(${LAST('output_tokens')} + ${LAST('other_output_tokens')})`

export const CHARGED_ONCE: Invariant = {
  id: 'I4',
  statement:
    'a request is charged at most once and corrected at most once, always to revenue, and is never open and charged at the same time',
  check: (read, _now, scope) =>
    findWrong(
      read,
      `select count(*) as checked from transfer where kind in ${CHARGES} and ${inScope('request_id', scope)}`,
      `select request_id, sum(case kind when 'consume' then 1 else 0 end) as charges,
        sum(case kind when 'consume' then 0 else 1 end) as corrections
      from transfer where kind in ${CHARGES} and ${inScope('request_id', scope)} group by request_id
      having sum(case kind when 'consume' then 1 else 0 end) <> 1 or sum(case kind when 'consume' then 0 else 1 end) > 1
      order by request_id limit 1`,
      `select request_id, kind, debit, credit, amount from transfer
      where kind in ${CHARGES} and ${inScope('request_id', scope)}
        and coalesce(case kind when 'refund' then debit else credit end, 0) <>
          (select id from account where kind = 'system' and owner_id = ${SYSTEM_OWNER.revenue})
      order by request_id limit 1`,
      `select hold.request_id, hold.replica, transfer.amount as charged from hold
      join transfer on transfer.request_id = hold.request_id and transfer.kind = 'consume'
      order by hold.request_id limit 1`,
    ),
}

/** Number of log rows of one request in the query of `LOGGED`. */
const LOG_ROWS = 'count(*) - sum(charges)'
/** Columns in which a charge and its log row must agree. */
const COMPARED = ['amount', 'user_id', 'token_id', 'channel_id', 'model', 'prompt', 'output']

export const LOGGED: Invariant = {
  id: 'I5',
  statement:
    'every charge has exactly one log row with the same payer, model, tokens and amount, unless log rows are disabled, and every such row has its charge',
  check: async (read, _now, scope) => {
    // A charge follows the start of its request, so no charge of a request in the scope is older than the scope's start.
    const since = Math.max(await logsClearedBefore(read), Math.floor(scopeStart(scope) / 1_000))
    const kept = `c.kind = 'consume' and c.at_ms >= ${since * 1_000} and ${inScope('c.request_id', scope)}`
    // Imported rows were charged by another gateway.
    const recent = `log.type = ${LOG_TYPE.consume} and log.created_at >= ${since} and log.ended <> 'imported'`
    return await findWrong(
      read,
      `select count(*) as checked from transfer c where ${kept}`,
      // Log rows have no index by request, and looking for each one within its second is quadratic when a second has thousands. So
      // charges and rows are sorted into one list.
      `with entry as (
        select c.request_id, 1 as charges, case c.reason when 'unlogged' then 0 else 1 end as due, ${NET} as amount,
          payer.owner_id as user_id, token.owner_id as token_id, c.channel_id, c.model, ${PROMPT} as prompt,
          ${OUTPUT} as output
        from ${CONSUMED}
        left join account payer on payer.id = c.debit left join account token on token.id = c.limit_account
        where ${kept}
        union all
        select log.request_id, 0, 0, log.amount, log.user_id, log.token_id, log.channel_id, log.model_name,
          log.prompt_tokens, log.completion_tokens
        from log where ${recent} and ${inScope('log.request_id', scope)}
      )
      select request_id, ${LOG_ROWS} as log_rows,
        ${COMPARED.map((column) => `min(${column}) as least_${column}, max(${column}) as most_${column}`).join(', ')}
      from entry group by request_id
      having ${LOG_ROWS} < sum(due) or ${LOG_ROWS} > 1
        or ${COMPARED.map((column) => `min(${column}) <> max(${column})`).join(' or ')}
      order by request_id limit 1`,
      `select log.id, log.request_id, log.amount as logged from log
      left join transfer on transfer.request_id = log.request_id and transfer.kind = 'consume'
        and transfer.at_ms = log.created_at * 1000
      where ${recent} and transfer.request_id is null
      order by log.id limit 1`,
    )
  },
}

export const DAILY_SUMS: Invariant = {
  id: 'I6',
  statement: 'the daily sums are the sums of the charges by day, user, token, channel and model',
  check: (read, _now, scope) => {
    const since = Math.floor(scopeStart(scope) / MS_PER_DAY)
    return findWrong(
      read,
      `select count(*) as checked from usage_daily where day >= ${since}`,
      `with entry as (
        select day, user_id, token_id, channel_id, model, requests, prompt_tokens, completion_tokens, amount
        from usage_daily where day >= ${since}
        union all
        select cast(c.at_ms as bigint) / ${MS_PER_DAY}, payer.owner_id, token.owner_id, c.channel_id, c.model, -1,
          -${PROMPT}, -${OUTPUT}, -(${NET})
        from ${CONSUMED}
        join account payer on payer.id = c.debit join account token on token.id = c.limit_account
        where c.kind = 'consume' and ${inScope('c.request_id', wholeDays(scope))} and c.at_ms >= ${since * MS_PER_DAY}
      ), total as (
        select day, user_id, token_id, channel_id, model, sum(requests) as requests, sum(prompt_tokens) as prompt_tokens,
          sum(completion_tokens) as completion_tokens, ${sumParts('amount')}
        from entry group by day, user_id, token_id, channel_id, model
      )
      select day, user_id, token_id, channel_id, model, requests as requests_too_many,
        prompt_tokens as prompt_tokens_too_many, completion_tokens as completion_tokens_too_many,
        ${joinParts()} as amount_too_much
      from total where requests <> 0 or prompt_tokens <> 0 or completion_tokens <> 0 or ${joinParts()} <> 0
      order by day, user_id, token_id, channel_id, model limit 1`,
    )
  },
}

const MS_PER_DAY = 86_400_000
/** A request may begin on the day before its charge; one that runs longer than this leads to a recount. */
const LONG_REQUEST_MS = 6 * 3_600_000

/** The requests that may have been charged on or after the first day of a scope. */
function wholeDays(scope: Scope): Scope {
  if (scope.from === '') return scope
  const midnight = Math.floor(scopeStart(scope) / MS_PER_DAY) * MS_PER_DAY
  return { from: idAt(midnight - LONG_REQUEST_MS), checkpoint: 0 }
}

/** Unix seconds before which log rows have been cleared. */
async function logsClearedBefore(read: ReadRows): Promise<number> {
  const [row]: readonly Row[] = await read(`select value from "option" where "key" = 'LogClearedBefore'`)
  const seconds = Number(row?.['value'] ?? 0)
  return Number.isSafeInteger(seconds) && seconds > 0 ? seconds : 0
}
