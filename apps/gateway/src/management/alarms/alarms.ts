import { can } from '@sluice/contract/capability'
import { CONFIGURATION_DRIFT } from '@sluice/contract/configuration/drift'
import * as routes from '@sluice/contract/routes/alarms'
import { pageOf } from '@sluice/store/paging'
import { dismissAlarm, listAlarms } from '@sluice/store/queries/ledger/alarms'
import { type Binding, bind } from '../bind.ts'
import type { SharedPorts } from '../ports.ts'
import type { Caller } from '../sessions/caller.ts'

export type AlarmDeps = Pick<SharedPorts, 'database' | 'now'>

/** Alarms for administrators, shown until one of them dismisses them. */
export function alarmRoutes({ database, now }: AlarmDeps): readonly Binding[] {
  const db = database.kysely
  return [
    bind(routes.listAlarms, async ({ caller, query }) => {
      const { rows, total } = await listAlarms(db, pageOf(query), hiddenFrom(caller))
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
    bind(routes.dismissAlarm, async ({ caller, id }) =>
      (await dismissAlarm(db, id, now(), hiddenFrom(caller))) ? {} : { code: 'not_found', params: { what: 'Alarm' } },
    ),
  ]
}

/** Only users who may apply configuration files can act on drift. */
function hiddenFrom({ role }: Pick<Caller, 'role'>): readonly string[] {
  return can(role, 'configuration.manage') ? [] : [CONFIGURATION_DRIFT]
}
