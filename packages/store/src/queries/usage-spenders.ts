import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../schema.ts'

/** Days since 1970-01-01 UTC, both included. */
export interface DayRange {
  readonly from: number
  readonly to: number
}

/** How many of each have rows of their own. */
export interface Apart {
  readonly models: number
  readonly users: number
  readonly tokens: number
}

export interface Spender {
  readonly user_id: number
  /** 0: the user as a whole. */
  readonly token_id: number
}

/** Those who spent the most in these days, the first first; equals in the order of their ids. */
export async function topSpenders(db: Kysely<Schema>, days: DayRange, userId: number | undefined, apart: Apart) {
  const { rows } = await sql<Spender & { kind: 'user' | 'token' }>`
    with spent as materialized (
      select user_id, token_id, sum(amount) as amount from (${spending(days, userId)}) as part group by user_id, token_id
    )
    select * from (
      select 'user' as kind, user_id, 0 as token_id, sum(amount) as total from spent
      group by user_id order by total desc, user_id limit ${apart.users}
    ) as users union all select * from (
      select 'token' as kind, user_id, token_id, amount as total from spent order by total desc, token_id limit ${apart.tokens}
    ) as tokens`.execute(db)
  return { users: rows.filter(({ kind }) => kind === 'user'), tokens: rows.filter(({ kind }) => kind === 'token') }
}

const BLOCK_DAYS = 32

/**
 * Amounts by token, to be added up. Whole blocks of 32 days come from their sums; of a block that lies partly in the range,
 * the days within are added, or the sum is added and the days without are taken off again, whichever is less.
 */
function spending({ from, to }: DayRange, userId: number | undefined): RawBuilder<unknown> {
  const [first, last] = [Math.floor(from / BLOCK_DAYS), Math.floor(to / BLOCK_DAYS)]
  const mine = userId === undefined ? sql`` : sql`and block.user_id = ${userId}`
  const parts: RawBuilder<unknown>[] = []
  const whole = { first, last }
  const addDays = (block: number, days: DayRange, sign: '' | '-') => {
    if (days.from > days.to) return
    parts.push(sql`select block.user_id, block.token_id, ${sql.raw(sign)}sum(daily.amount) as amount
      from usage_block_token as block cross join usage_daily_token as daily
      where block.block = ${block} ${mine} and daily.user_id = block.user_id and daily.token_id = block.token_id
        and daily.day >= ${days.from} and daily.day <= ${days.to}
      group by block.user_id, block.token_id`)
  }
  const daysOf = (block: number) => ({ start: block * BLOCK_DAYS, end: (block + 1) * BLOCK_DAYS - 1 })
  const [head, tail] = [daysOf(first), daysOf(last)]
  if (first === last && to - from + 1 <= BLOCK_DAYS / 2) {
    addDays(first, { from, to }, '')
    whole.last = first - 1
  } else if (first !== last && head.end - from + 1 <= BLOCK_DAYS / 2) {
    addDays(first, { from, to: head.end }, '')
    whole.first += 1
  } else {
    addDays(first, { from: head.start, to: from - 1 }, '-')
  }
  if (first !== last && to - tail.start + 1 <= BLOCK_DAYS / 2) {
    addDays(last, { from: tail.start, to }, '')
    whole.last -= 1
  } else if (whole.last >= last) {
    addDays(last, { from: to + 1, to: tail.end }, '-')
  }
  parts.push(sql`select user_id, token_id, sum(amount) as amount from usage_block_token as block
    where block >= ${whole.first} and block <= ${whole.last} ${mine} group by user_id, token_id`)
  return sql.join(parts, sql` union all `)
}
