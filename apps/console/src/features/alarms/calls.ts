import { type Alarm, listAlarms } from '@sluice/contract/routes/alarms'
import { type Call, successOf } from '~/lib/http/call.ts'
import { LIST_DEFAULTS, type ListSearch, pageQueryOf } from '~/lib/list/list-search.ts'
import type { QuerySpec } from '~/lib/query/queries.ts'

export const ALARMS = ['alarms'] as const

export interface AlarmPage {
  readonly rows: readonly Alarm[]
  readonly total: number
}

/** Alarms that have not been dismissed, latest first. */
export function alarmListQuery(call: Call, { p, size }: Pick<ListSearch, 'p' | 'size'>): QuerySpec<AlarmPage> {
  return {
    queryKey: [...ALARMS, 'list', { p, size }],
    queryFn: async ({ signal }) => {
      const query = pageQueryOf({ p, size, sort: '', order: 'desc' })
      const { data, total } = successOf(await call(listAlarms, { query: { p: query.p, size: query.size }, signal }))
      return { rows: data, total }
    },
  }
}

/** How long the banner trusts a reply. */
export const LOOK_MS = 60_000

/** What the banner requests: whether there are any alarms at all. */
export function alarmBannerQuery(call: Call): QuerySpec<AlarmPage> {
  return { ...alarmListQuery(call, LIST_DEFAULTS), staleTime: LOOK_MS }
}
