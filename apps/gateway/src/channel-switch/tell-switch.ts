import type { Database } from '@sluice/store/database'
import { insertLog } from '@sluice/store/queries/logs/logs'
import { LOG_TYPE } from '@sluice/store/statuses'
import type { Notice, Notify } from '../messages/mail.ts'

/** The person whose test made the gateway switch something. Absent for an automatic switch. */
export interface Actor {
  readonly id: number
  readonly username: string
}

export interface Switched {
  readonly channel: { readonly id: number; readonly name: string }
  /** Position of the key in its channel, from 1; absent for the channel itself. */
  readonly key?: number | undefined
  readonly became: 'enabled' | 'disabled'
  /** The cause in words: `its test` or `its calls`. */
  readonly by: string
  readonly reason: string
  readonly actor?: Actor | undefined
  /** The switch is only logged, because the operators have just been notified of a similar one. */
  readonly isQuiet?: boolean
}

export interface TellSwitchDeps {
  readonly database: Pick<Database, 'kysely'>
  /** Unix milliseconds. */
  readonly now: () => number
  readonly notify: Notify
}

/** Logs the switch and notifies the operators. Only the caller that made the change calls this, so it is reported once. */
export async function tellSwitch({ database, now, notify }: TellSwitchDeps, switched: Switched): Promise<void> {
  const { channel, key, became, by, reason, actor, isQuiet = false } = switched
  const what = key === undefined ? 'Channel' : `Key ${key} of channel`
  await insertLog(database.kysely, {
    type: LOG_TYPE.system,
    createdAt: Math.floor(now() / 1_000),
    userId: actor?.id ?? 0,
    username: actor?.username ?? '',
    content: `${what} ${channel.name} (id ${channel.id}) ${became} by ${by}: ${reason}`,
    channelId: channel.id,
    channelName: channel.name,
  })
  if (!isQuiet) await notify(noticeOf(switched))
}

function noticeOf({ channel: { id, name: channel }, key, became, reason }: Switched): Notice {
  if (key === undefined) {
    return became === 'enabled'
      ? { kind: 'channel_enabled', channel, id }
      : { kind: 'channel_disabled', channel, id, reason }
  }
  return became === 'enabled'
    ? { kind: 'channel_keys_enabled', channel, id }
    : { kind: 'channel_key_disabled', channel, id, key, reason }
}
