import { reprice } from './reprice.ts'
import type { InvariantResult, ReadRows, Row } from './verify.ts'

export interface Invariant {
  readonly id: string
  readonly statement: string
  readonly check: (read: ReadRows, now: number) => Promise<Omit<InvariantResult, 'id' | 'statement'>>
}

/** A hold of a dead replica should be closed within two rounds of recovery; after this it is wrong. */
const ORPHAN_MS = 120_000
const CHARGES = `('consume', 'adjust', 'refund')`

/** What the ledger promises, in the order in which it is proved. All SQL is of the kind that both engines understand. */
export const INVARIANTS: readonly Invariant[] = [
  {
    id: 'I1',
    statement: 'every account’s balance is the sum of its transfers',
    check: (read) =>
      first(
        read,
        'select count(*) as checked from account',
        `with movement as (
          select credit as account, amount from transfer where credit is not null
          union all select debit, -amount from transfer where debit is not null
          union all select limit_account, case when kind in ('limit-set', 'refund') then amount else -amount end
            from transfer where limit_account is not null
        ), total as (select account, ${sumParts('amount')} from movement group by account)
        select account.id, account.kind, account.owner_id, account.posted, total.account as named, ${joined} as transfers
        from account full join total on total.account = account.id
        where account.id is null or account.posted <> ${joined}
        order by account.id limit 1`,
      ),
  },
  {
    id: 'I2',
    statement: 'what an account holds is the sum of its open holds, and not negative',
    check: (read) =>
      first(
        read,
        'select count(*) as checked from account',
        `with reserve as (select account, amount from hold union all select limit_account, amount from hold),
        total as (select account, ${sumParts('amount')} from reserve group by account)
        select account.id, account.kind, account.owner_id, account.held, total.account as named, ${joined} as holds
        from account full join total on total.account = account.id
        where account.id is null or account.held < 0 or account.held <> ${joined}
        order by account.id limit 1`,
      ),
  },
  {
    id: 'I3',
    statement: 'what an account spent, and in how many requests, is the sum of its charges',
    check: (read) =>
      first(
        read,
        'select count(*) as checked from account',
        `with charge as (
          select debit as account, amount, case kind when 'consume' then 1 else 0 end as request
            from transfer where kind in ('consume', 'adjust')
          union all select credit, -amount, 0 from transfer where kind = 'refund'
          union all select limit_account, case kind when 'refund' then -amount else amount end,
            case kind when 'consume' then 1 else 0 end from transfer where kind in ${CHARGES}
        ), total as (select account, ${sumParts('amount')}, sum(request) as requests from charge group by account)
        select account.id, account.kind, account.owner_id, account.spent, account.requests, ${joined} as charges,
          total.requests as charged_requests
        from account left join total on total.account = account.id
        where account.spent <> ${joined} or account.requests <> coalesce(total.requests, 0)
        order by account.id limit 1`,
      ),
  },
  {
    id: 'I4',
    statement: 'a request is charged once and corrected once at most, and is not open and charged at the same time',
    check: (read) =>
      first(
        read,
        `select count(*) as checked from transfer where kind in ${CHARGES}`,
        `select request_id, sum(case kind when 'consume' then 1 else 0 end) as charges,
          sum(case kind when 'consume' then 0 else 1 end) as corrections
        from transfer where kind in ${CHARGES} group by request_id
        having sum(case kind when 'consume' then 1 else 0 end) <> 1 or sum(case kind when 'consume' then 0 else 1 end) > 1
        order by request_id limit 1`,
        `select hold.request_id, hold.replica, transfer.amount as charged from hold
        join transfer on transfer.request_id = hold.request_id and transfer.kind = 'consume'
        order by hold.request_id limit 1`,
      ),
  },
  {
    id: 'I5',
    statement:
      'every charge has its one log row with the same amount, unless rows were switched off, and every such row its charge',
    check: async (read) => {
      const since = (await logsClearedBefore(read)) * 1_000
      return await first(
        read,
        `select count(*) as checked from transfer where kind = 'consume' and at_ms >= ${since}`,
        `select c.request_id, ${NET} as charged, log.amount as logged from ${CONSUMED}
        left join log on log.created_at = c.at_ms / 1000 and log.request_id = c.request_id and log.type = 2
        where c.kind = 'consume' and c.at_ms >= ${since}
          and ((log.id is null and c.reason <> 'unlogged') or log.amount <> ${NET})
        order by c.request_id limit 1`,
        `select log.id, log.request_id, log.amount as logged from log
        left join transfer on transfer.request_id = log.request_id and transfer.kind = 'consume'
          and transfer.at_ms = log.created_at * 1000
        where log.type = 2 and transfer.request_id is null
        order by log.id limit 1`,
        // Two rows of one request have the same time; so each second is looked at by itself.
        `select log.created_at, log.request_id, other.id as second_row from log join log other
          on other.created_at = log.created_at and other.request_id = log.request_id and other.id > log.id
        where log.type = 2 and other.type = 2 order by log.created_at limit 1`,
      )
    },
  },
  {
    id: 'I6',
    statement: 'the daily sums are the sums of the charges by day, user, token, channel and model',
    check: (read) =>
      first(
        read,
        'select count(*) as checked from usage_daily',
        `with entry as (
          select day, user_id, token_id, channel_id, model, requests, prompt_tokens, completion_tokens, amount from usage_daily
          union all
          select cast(c.at_ms as bigint) / 86400000, payer.owner_id, token.owner_id, c.channel_id, c.model, -1,
            -(${LAST('input_tokens')} + ${LAST('cached_tokens')} + ${LAST('cache_write_5m_tokens')}
              + ${LAST('cache_write_1h_tokens')} + ${LAST('other_prompt_tokens')}),
            -(${LAST('output_tokens')} + ${LAST('other_output_tokens')}), -(${NET})
          from ${CONSUMED}
          join account payer on payer.id = c.debit join account token on token.id = c.limit_account
          where c.kind = 'consume'
        ), total as (
          select day, user_id, token_id, channel_id, model, sum(requests) as requests, sum(prompt_tokens) as prompt_tokens,
            sum(completion_tokens) as completion_tokens, ${sumParts('amount')}
          from entry group by day, user_id, token_id, channel_id, model
        )
        select day, user_id, token_id, channel_id, model, requests as requests_too_many,
          prompt_tokens as prompt_tokens_too_many, completion_tokens as completion_tokens_too_many,
          ${joined} as amount_too_much
        from total where requests <> 0 or prompt_tokens <> 0 or completion_tokens <> 0 or ${joined} <> 0
        order by day, user_id, token_id, channel_id, model limit 1`,
      ),
  },
  {
    id: 'I7',
    statement: 'a redemption code is used exactly if it paid once, and its amount',
    check: (read) =>
      first(
        read,
        'select count(*) as checked from redemption',
        `select redemption.id, redemption.status, redemption.amount, transfer.amount as paid, transfer.actor
        from redemption left join transfer
          on transfer.request_id = 'redemption-' || redemption.id and transfer.kind = 'redeem'
        where (redemption.status = 3 and (transfer.amount is null or transfer.amount <> redemption.amount
            or transfer.actor <> redemption.redeemed_by))
          or (redemption.status <> 3 and transfer.amount is not null)
        order by redemption.id limit 1`,
        `select transfer.request_id, transfer.amount as paid from transfer
        left join redemption on transfer.request_id = 'redemption-' || redemption.id
        where transfer.kind = 'redeem' and redemption.id is null
        order by transfer.request_id limit 1`,
      ),
  },
  {
    id: 'I8',
    statement: 'every charge is what its stored tokens cost at its stored price',
    check: reprice,
  },
  {
    id: 'I9',
    statement: 'no hold of a dead replica is open for more than two minutes',
    check: (read, now) =>
      first(
        read,
        'select count(*) as checked from hold',
        `select hold.request_id, hold.replica, hold.amount, hold.touched_ms from hold
        left join replica on replica.id = hold.replica
        where (replica.id is null or replica.dead = 1) and hold.touched_ms < ${now - ORPHAN_MS}
        order by hold.request_id limit 1`,
      ),
  },
  {
    id: 'I10',
    statement: 'all money comes from somewhere: user and system accounts together are zero',
    check: (read) =>
      first(
        read,
        `select count(*) as checked from account where kind <> 'token'`,
        `with total as (select ${sumParts('posted')} from account where kind <> 'token')
        select ${joined} as too_much from total where ${joined} <> 0`,
      ),
  },
]

/**
 * A sum of 64-bit integers may leave 64 bits on the way, or SQLite's `sum` would fail. So halves are summed apart and
 * joined at the end: the joined value is exact whenever it fits.
 */
function sumParts(expression: string): string {
  return `cast(sum(${expression} >> 32) as bigint) as high, cast(sum(${expression} & 4294967295) as bigint) as low`
}
const joined =
  '(cast(coalesce(total.high, 0) + (coalesce(total.low, 0) >> 32) as numeric) * 4294967296 + (coalesce(total.low, 0) & 4294967295))'

/** Each charge `c` beside its correction `x`, if it has one. */
const CONSUMED = `transfer c left join transfer x on x.request_id = c.request_id and x.kind in ('adjust', 'refund')`
const NET = `(c.amount + case x.kind when 'adjust' then x.amount when 'refund' then -x.amount else 0 end)`
/** A count as the correction has it, else as the charge has it. */
const LAST = (column: string): string => `coalesce(x.${column}, c.${column})`

/** Runs queries that each find a wrong row, until one does. */
async function first(read: ReadRows, count: string, ...searches: readonly string[]) {
  const [counted] = await read(count)
  const checked = Number(counted?.['checked'] ?? 0)
  for (const search of searches) {
    const [firstWrong] = await read(search)
    if (firstWrong !== undefined) return { checked, firstWrong }
  }
  return { checked }
}

/** Unix seconds before which log rows have been cleared. */
async function logsClearedBefore(read: ReadRows): Promise<number> {
  const [row]: readonly Row[] = await read(`select value from "option" where "key" = 'LogClearedBefore'`)
  const seconds = Number(row?.['value'] ?? 0)
  return Number.isSafeInteger(seconds) && seconds > 0 ? seconds : 0
}
