import { CONFIGURATION_DRIFT } from '@sluice/contract/configuration/drift'
import { openSchedule } from '@sluice/coordination/schedule'
import { listOwnedItems } from '@sluice/store/queries/configuration/owned-items'
import { replaceAlarms } from '@sluice/store/queries/ledger/alarms'
import type { Config } from '../environment/environment.ts'
import type { Log } from '../process/logger.ts'
import type { Data } from './open-data.ts'

const LOOK_MS = 60_000
/** Items named in a log line. */
const NAMED_MAX = 20
/** Items shown to root as alarms. */
const ALARMS_MAX = 200

export interface ConfigurationDrift {
  /** Number of items that configuration files own but something else has changed, as of the last check. */
  readonly count: () => number
  close(): Promise<void>
}

interface DriftDeps extends Pick<Data, 'database' | 'vault' | 'now'> {
  readonly config: Pick<Config, 'upstreamPrivate' | 'callerKeyOrigins'>
  readonly log: Pick<Log, 'warn' | 'info' | 'error'>
  readonly every: (ms: number, run: () => void) => () => void
}

/** Checks every minute whether owned items are as their files left them. Logs changes; keeps an alarm for each differing item. */
export function openConfigurationDrift({ config, database, vault, now, log, every }: DriftDeps): ConfigurationDrift {
  let last = ''
  let count = 0
  // There may be alarms from before the start.
  let hasAlarms = true

  const showAlarms = async (drifted: readonly { readonly name: string; readonly channel_id: number }[]) => {
    if (drifted.length === 0 && !hasAlarms) return
    const present = drifted
      .slice(0, ALARMS_MAX)
      .map(({ name, channel_id }) => ({ subject: name, channelId: channel_id }))
    await replaceAlarms(database.kysely, CONFIGURATION_DRIFT, present, now())
    hasAlarms = drifted.length > 0
  }
  const look = async (): Promise<void> => {
    // Most gateways have no configuration file, and never load the code for it.
    if ((await listOwnedItems(database.kysely)).length === 0) {
      count = 0
      last = ''
      await showAlarms([])
      return
    }
    const { configurationOf } = await import('./configuration-files.ts')
    const drifted = await configurationOf(config, { database, vault, now }).drift()
    count = drifted.length
    await showAlarms(drifted)
    const names = drifted.map(({ kind, name }) => `${kind} ${name}`)
    const text = names.join('\n')
    if (text === last) return
    last = text
    if (count === 0) log.info({}, 'settings owned by configuration files match them again')
    else
      log.warn(
        { count, changed: names.slice(0, NAMED_MAX) },
        'settings owned by a configuration file were changed by something else',
      )
  }
  const schedule = openSchedule({
    every,
    ms: LOOK_MS,
    look,
    onError: (error) => log.error({ error }, 'settings owned by configuration files could not be checked for changes'),
  })
  void schedule.look()
  return { count: () => count, close: schedule.close }
}
