import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../../schema/schema.ts'

/** Days since 1970-01-01 UTC, both included. */
export interface DayRange {
  readonly from: number
  readonly to: number
}

/** How many users, tokens and models have rows of their own. */
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

/** The users or tokens that spent the most on these days, highest first; equal ones in the order of their ids. */
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
/** In longer ranges, whole blocks decide who spent the most; the amounts are still exact. */
const EXACT_BLOCKS = 4

/** Days of one block whose amounts are added to or subtracted from the sums of whole blocks. */
interface Correction extends DayRange {
  readonly block: number
  readonly sign: '' | '-'
}

/** Amounts by token, to be added up: the sums of whole blocks, and corrections for the blocks at both ends. */
function spending(days: DayRange, userId: number | undefined): RawBuilder<unknown> {
  const { whole, corrections } = splitBlocks(days)
  const mine = userId === undefined ? sql`` : sql`and block.user_id = ${userId}`
  const parts = corrections.map(
    ({ block, from, to, sign }) => sql`
      select block.user_id, block.token_id, ${sql.raw(sign)}sum(daily.amount) as amount
      from usage_block_token as block cross join usage_daily_token as daily
      where block.block = ${block} ${mine} and daily.user_id = block.user_id and daily.token_id = block.token_id
        and daily.day >= ${from} and daily.day <= ${to}
      group by block.user_id, block.token_id`,
  )
  const blocks = sql`select user_id, token_id, sum(amount) as amount from usage_block_token as block
    where block >= ${whole.from} and block <= ${whole.to} ${mine} group by user_id, token_id`
  return sql.join([...parts, blocks], sql` union all `)
}

/**
 * The blocks whose sums are used. For a block that is only partly in the range, either the days inside are added, or the sum is
 * used and the days outside are subtracted, whichever are fewer.
 */
function splitBlocks({ from, to }: DayRange) {
  const [first, last] = [Math.floor(from / BLOCK_DAYS), Math.floor(to / BLOCK_DAYS)]
  const whole = { from: first, to: last }
  const corrections: Correction[] = []
  if (last - first > EXACT_BLOCKS) return { whole, corrections }
  for (const block of new Set([first, last])) {
    const [start, end] = [block * BLOCK_DAYS, (block + 1) * BLOCK_DAYS - 1]
    const within = { from: Math.max(from, start), to: Math.min(to, end) }
    if (within.to - within.from < BLOCK_DAYS / 2) {
      corrections.push({ block, ...within, sign: '' })
      if (block === first) whole.from += 1
      else whole.to -= 1
    } else {
      corrections.push({ block, from: start, to: within.from - 1, sign: '-' })
      corrections.push({ block, from: within.to + 1, to: end, sign: '-' })
    }
  }
  return { whole, corrections: corrections.filter((days) => days.from <= days.to) }
}
