import { channelCreate } from '@sluice/contract/channel'
import { isRefusal, refusalText } from '@sluice/contract/errors'
import { type ChannelSettings, replyOfSettings, settingsOfBody } from '@sluice/contract/fields/channel'
import { findChannelOwners, keepOwners, type OwnedItem } from '@sluice/store/queries/configuration/owned-items'
import { disableChannels } from '@sluice/store/queries/imports/gone-rows'
import { bumpVersion } from '@sluice/store/snapshots/versions'
import { CHANNEL_STATUS } from '@sluice/store/statuses'
import * as v from 'valibot'
import type { ImportContext, PlannedChannel } from '../import-context.ts'
import { CUSTOM_TYPE } from '../take/channel-types.ts'
import { CHANNEL_COLUMNS, type SourceChannel, takeChannel } from '../take/take-channel.ts'
import { type Taken, takenAs } from '../take/taken.ts'
import { type BroughtTable, STATUS, SWITCHED_OFF } from './table.ts'
import { channelsHere, wantedChannel, writeChannels } from './write-channels.ts'

export interface PlannedSourceChannel {
  readonly channel: SourceChannel
  readonly planned: PlannedChannel
  readonly status: number
}

/** The family's table `channels`. A channel that breaks a rule here is stored switched off, and the report names the rule. */
export function channelsTable(
  context: ImportContext,
  seen: (id: number, channel: PlannedSourceChannel) => void,
): BroughtTable<PlannedSourceChannel> {
  const { family } = context
  return {
    kind: 'channel',
    table: 'channels',
    columns: CHANNEL_COLUMNS,
    take: (row, id) => plan(context, takeChannel(family, row), id),
    // Everything else about a channel can change, and a new channel at the source has a new id.
    mark: ({ channel }) => `created ${channel.createdTime}`,
    replaces: true,
    distinct: () => [],
    isAnnounced: false,
    amounts: ({ channel }) => ({ quota: 0, used: channel.usedQuota, requests: 0 }),
    profile: ({ channel: { usedQuota: _used, keyStatuses, ...profile } }) => {
      const { groups, priority, weight, ratelimit, status, createdTime, ...others } = profile
      // Stored digests were computed with the fields in this order.
      return { ...others, groups, priority, weight, ratelimit, status, createdTime, keyStatuses: [...keyStatuses] }
    },
    refer: async (rows) => {
      const owners = await findChannelOwners(
        context.database.kysely,
        rows.flatMap(({ target }) => target ?? []),
      )
      noteOwned(context, [...owners.values()])
      return new Map(rows.flatMap(({ id, target = 0 }) => (owners.has(target) ? [[id, 'stay'] as const] : [])))
    },
    wanted: async (_, rows) => new Map(rows.map(({ id, row }) => [id, wantedChannel(row)])),
    here: async (db, engine, ids) => await channelsHere(context.vault, db, engine, ids),
    rules: { isSafer: ({ field, wanted }) => field === STATUS && wanted === SWITCHED_OFF },
    write: async (trx, rows) => {
      const ids = await writeChannels(context, trx, rows)
      await bumpVersion(trx, 'channels')
      return ids
    },
    gone: async (trx, targets) => {
      await keepOwners(trx, context.database.engine)
      const owners = await findChannelOwners(trx, targets)
      noteOwned(context, [...owners.values()])
      await disableChannels(
        trx,
        targets.filter((target) => !owners.has(target)),
      )
      await bumpVersion(trx, 'channels')
    },
    seen,
  }
}

const NAMED_MAX = 20

function noteOwned({ report }: ImportContext, owned: readonly OwnedItem[]): void {
  if (owned.length === 0) return
  const named = owned.slice(0, NAMED_MAX).map(({ name, owner }) => `"${name}" (${owner})`)
  const more = owned.length > NAMED_MAX ? ` and ${owned.length - NAMED_MAX} more` : ''
  report.note(`Channels owned by a configuration file stay as they are: ${named.join(', ')}${more}.`)
}

function plan({ planChannel }: ImportContext, taken: Taken<SourceChannel>, id: number): Taken<PlannedSourceChannel> {
  if (taken.outcome !== 'taken') return taken
  const { row: channel, adapted } = taken
  const form = formOf(channel, id)
  const parsed = v.safeParse(channelCreate, form)
  const planned = parsed.success ? planChannel(parsed.output) : undefined
  if (planned !== undefined && !isRefusal(planned)) {
    return takenAs({ channel, planned, status: channel.status }, adapted)
  }
  const [issue] = parsed.issues ?? []
  const why = planned === undefined ? (issue?.message ?? 'it breaks a rule') : refusalText(planned)
  // A person reviews the stored channel before it is used.
  const problem = {
    field: 'status',
    problem: `disabled, because it breaks a rule of this gateway: ${why.slice(0, 300)}`,
  }
  const isOff = adapted.some(({ field }) => field === 'status')
  return takenAs(
    { channel, planned: asItIs(form), status: CHANNEL_STATUS.disabled },
    isOff ? adapted : [...adapted, problem],
  )
}

function formOf(channel: SourceChannel, id: number) {
  const { config, models, testingModel } = channel
  const settings: ChannelSettings = {
    ...channel,
    name: channel.name || `channel ${id}`,
    testingModel: models.split(',').includes(testingModel) ? testingModel : null,
    config: Object.keys(config).length === 0 ? '' : JSON.stringify(config),
  }
  return { ...replyOfSettings(settings), key: channel.key, keys_in_one: channel.key.includes('\n') }
}

/** An unusable channel, stored so that a person can correct it. */
function asItIs(form: ReturnType<typeof formOf>): PlannedChannel {
  return {
    settings: {
      ...settingsOfBody(form),
      type: form.type === 0 ? CUSTOM_TYPE : form.type,
      baseUrl: /^https?:\/\/[^\s\\]+$/i.test(form.base_url) && URL.canParse(form.base_url) ? form.base_url : '',
      modelConfigs: null,
      inferenceProfileArnMap: null,
      // The config may contain credentials, which are stored sealed or not at all.
      config: '',
    },
    keys: form.keys_in_one ? form.key.split('\n').filter((line) => line.trim() !== '') : [form.key],
  }
}
