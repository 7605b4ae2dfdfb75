import { openDatabase } from '@sluice/store/database'
import { sortingOf } from '@sluice/store/paging'
import { findUserId } from '@sluice/store/queries/accounts/users'
import { LOG_SORT_COLUMNS } from '@sluice/store/queries/logs/log-choice'
import type { LogFilter } from '@sluice/store/queries/logs/log-filter'
import { listLogs, searchLogs, sumLogs } from '@sluice/store/queries/logs/logs'
import { readUsage } from '@sluice/store/queries/logs/usage'
import { recordPlans } from '@sluice/testkit/query-plans'

const NEWEST = { column: 'created_at', direction: 'desc' } as const
const PAGE = { limit: 10, offset: 0 }
const DAY_MS = 86_400_000

/** Prints the indexes that a call's queries use. `ownId`: the user whose rows are returned by calls for one's own rows. */
export async function printPlans(sqliteFile: string, path: string, ownId: number): Promise<void> {
  const { pathname, searchParams: query } = new URL(path, 'http://localhost')
  const database = await openDatabase({ sqliteFile })
  try {
    const own = pathname.includes('/self') ? ownId : undefined
    const name = query.get('username')
    const userId = own ?? (name === null ? undefined : await findUserId(database.kysely, name))
    const sorting = sortingOf(LOG_SORT_COLUMNS, { sort: query.get('sort') ?? '', order: orderOf(query) }, NEWEST)
    const reads = await recordPlans(database, (db) => {
      if (pathname.endsWith('/search')) return searchLogs(db, { userId }, query.get('keyword') ?? '', PAGE)
      if (pathname.endsWith('/stat')) return sumLogs(db, filterOf(query, userId))
      if (pathname.endsWith('/dashboard')) {
        const days = { from: dayOf(query.get('from_date')), to: dayOf(query.get('to_date')) }
        return readUsage(db, days, own, { models: 20, users: 15, tokens: 15 })
      }
      return listLogs(db, filterOf(query, userId), sorting, PAGE)
    })
    console.log(`\n${path}`)
    for (const { table, index, searched } of reads) {
      console.log(`  ${searched ? 'searches' : 'scans   '} ${table} by ${index}`)
    }
  } finally {
    await database.close()
  }
}

function orderOf(query: URLSearchParams): 'asc' | 'desc' {
  return query.get('order') === 'asc' ? 'asc' : 'desc'
}

function filterOf(query: URLSearchParams, userId: number | undefined): LogFilter {
  const number = (name: string): number | undefined => (query.has(name) ? Number(query.get(name)) : undefined)
  return {
    userId,
    channelId: number('channel'),
    type: number('type'),
    from: number('start_timestamp'),
    to: number('end_timestamp'),
    model: query.get('model_name') ?? undefined,
    tokenName: query.get('token_name') ?? undefined,
  }
}

function dayOf(date: string | null): number {
  return Math.floor(Date.parse(`${date ?? ''}T00:00:00Z`) / DAY_MS)
}
