import * as routes from '@sluice/contract/routes/alarms'
import { pageOf } from '@sluice/store/paging'
import { dismissAlarm, listAlarms } from '@sluice/store/queries/ledger/alarms'
import { type Binding, bind } from '../bind.ts'
import type { SharedPorts } from '../ports.ts'

export type AlarmDeps = Pick<SharedPorts, 'database' | 'now'>

/** What needs the attention of administrators, until one of them has dismissed it. */
export function alarmRoutes({ database, now }: AlarmDeps): readonly Binding[] {
  const db = database.kysely
  return [
    bind(routes.listAlarms, async ({ query }) => {
      const { rows, total } = await listAlarms(db, pageOf(query))
      const data = rows.map(({ channelId, channelName, firstSeen, lastSeen, occurrences, ...row }) => ({
        ...row,
        channel_id: channelId,
        channel_name: channelName,
        first_seen_ms: firstSeen,
        last_seen_ms: lastSeen,
        count: occurrences,
      }))
      return { data, total }
    }),
    bind(routes.dismissAlarm, async ({ id }) =>
      (await dismissAlarm(db, id, now())) ? {} : { code: 'not_found', params: { what: 'Alarm' } },
    ),
  ]
}
