import type { ChartRow } from '@sluice/contract/dashboard'
import { isRefusal, type Refusal } from '@sluice/contract/errors'
import * as routes from '@sluice/contract/routes/dashboard'
import { findUserId } from '@sluice/store/queries/accounts/users'
import { modelUsage } from '@sluice/store/queries/logs/usage-hours'
import { type Binding, bind } from '../bind.ts'
import { invalidField } from '../issue-text.ts'
import type { SharedPorts } from '../ports.ts'
import { chargedOnWire } from '../quota-wire.ts'

const DAY_SECONDS = 86_400
/** New API's own limit for users. */
const OWN_DAYS_MAX = 31
const DAYS_MAX = 366
const USUAL_DAYS = 30
/** More rows would make a reply of many megabytes. */
const ROWS_MAX = 20_000

interface Time {
  readonly start_timestamp: number
  readonly end_timestamp: number
}

/** Usage by model and time, for charts and scripts made for New API. */
export function chartRoutes({ database, now }: Pick<SharedPorts, 'database' | 'now'>): readonly Binding[] {
  const db = database.kysely

  const rowsOf = async (
    time: Time,
    days: number,
    user: { readonly id: number; readonly username: string } | undefined,
  ): Promise<{ readonly data: ChartRow[] } | Refusal> => {
    const span = spanOf(time, days, now())
    if (isRefusal(span)) return span
    const rows = await modelUsage(db, span, user?.id, ROWS_MAX + 1)
    if (rows.length > ROWS_MAX) {
      return invalidField('start_timestamp', `matches more than ${ROWS_MAX} rows; choose a shorter period`)
    }
    return {
      data: rows.map(({ start, model, requests, tokens, amount }) => ({
        id: 0,
        user_id: user?.id ?? 0,
        username: user?.username ?? '',
        model_name: model,
        created_at: start,
        token_used: tokens,
        count: requests,
        ...chargedOnWire(amount),
      })),
    }
  }

  return [
    bind(routes.chartOfEveryone, async ({ query: { username, ...time } }) => {
      if (username === '') return await rowsOf(time, DAYS_MAX, undefined)
      const id = await findUserId(db, username)
      return id === undefined ? { data: [] } : await rowsOf(time, DAYS_MAX, { id, username })
    }),
    bind(routes.ownChart, ({ caller, query }) => rowsOf(query, OWN_DAYS_MAX, caller)),
  ]
}

function spanOf({ start_timestamp, end_timestamp }: Time, days: number, now: number) {
  const to = end_timestamp === 0 ? Math.floor(now / 1_000) : end_timestamp
  const from = start_timestamp === 0 ? to - USUAL_DAYS * DAY_SECONDS : start_timestamp
  // New API's month page requests 31 days plus the current hour.
  if (to - from > (days + 1) * DAY_SECONDS) {
    return invalidField('start_timestamp', `must be at most ${days} days before end_timestamp`)
  }
  return { from, to }
}
