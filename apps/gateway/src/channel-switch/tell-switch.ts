import type { Database } from '@sluice/store/database'
import { insertLog } from '@sluice/store/queries/logs'
import type { Notice, Notify } from '../messages/mail.ts'

/** Who made the gateway switch something: a person who asked for a test. Absent for the gateway itself. */
export interface Actor {
  readonly id: number
  readonly username: string
}

/** A channel, or one of its keys, that the gateway has just switched. */
export interface Switched {
  readonly channel: { readonly id: number; readonly name: string }
  /** Position of the key in its channel, from 1; absent when it is the channel. */
  readonly key?: number | undefined
  readonly became: 'enabled' | 'disabled'
  /** `its test`, `its calls`. */
  readonly by: string
  readonly reason: string
  readonly actor?: Actor | undefined
  /** Written into the log only: the operators have just heard of the same. */
  readonly isQuiet?: boolean
}

export interface TellSwitchDeps {
  readonly database: Pick<Database, 'kysely'>
  /** Unix milliseconds. */
  readonly now: () => number
  readonly notify: Notify
}

/** Writes the switch into the log and tells the operators. To be called by whoever made the change, so that it is told once. */
export async function tellSwitch({ database, now, notify }: TellSwitchDeps, switched: Switched): Promise<void> {
  const { channel, key, became, by, reason, actor, isQuiet = false } = switched
  const what = key === undefined ? 'Channel' : `Key ${key} of channel`
  await insertLog(database.kysely, {
    type: 4,
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
