import { CHANNEL_SETTINGS, type ChannelSettings } from '@sluice/contract/fields/channel'
import type { ImportFamily } from '@sluice/contract/import'
import { INT_MAX } from '@sluice/contract/row-id'
import type { ForeignRow } from '@sluice/store/foreign/foreign-database'
import { CHANNEL_STATUS } from '@sluice/store/statuses'
import { CUSTOM_TYPE, typeHere } from './channel-types.ts'
import { Fields, objectIn, textFault } from './fields.ts'
import { keysOf, newApiPlace } from './new-api-channel.ts'
import { oneApiPlace } from './one-api-channel.ts'
import type { PlacedChannel } from './placed-channel.ts'
import { listOf } from './take-token.ts'
import { type Taken, takenFrom } from './taken.ts'

/** The settings that every channel has; unset ones are empty. */
type FormSettings = { readonly [Name in keyof ChannelSettings]: NonNullable<ChannelSettings[Name]> }

export interface SourceChannel extends Omit<FormSettings, 'config'> {
  /** One credential per line. */
  readonly key: string
  readonly config: Readonly<Record<string, unknown>>
  /** One of `CHANNEL_STATUS`. */
  readonly status: number
  /** Status of each key that is switched off, by its position among the lines of `key`, from 0. */
  readonly keyStatuses: ReadonlyMap<number, number>
  /** Unix seconds; 0 unknown. */
  readonly createdTime: number
  /** Whole points. */
  readonly usedQuota: number
}

export const CHANNEL_COLUMNS = [
  ...CHANNEL_SETTINGS.map(({ name }) => name),
  'id',
  'key',
  'status',
  'created_time',
  'used_quota',
  'test_model',
  'setting',
  'settings',
  'param_override',
  'header_override',
  'status_code_mapping',
  'auto_ban',
  'channel_info',
] as const

/** Settings that special code reads from the family's table. The others are read by their kind. */
const READ_APART: readonly string[] = [
  'name',
  'type',
  'base_url',
  'other',
  'models',
  'system_prompt',
  'group',
  'testing_model',
  'config',
]

/** Fields that may come from JSON, with the column in One API and in new-api. */
const FROM_JSON = [
  ['other', ['config', 'other']],
  ['systemPrompt', ['system_prompt', 'setting']],
  ['key', ['key', 'key']],
] as const
const NAME_MAX = 100
const GROUP_MAX = 32
const KEY_MAX = 500_000
const JSON_MAX = 200_000
const TEXT_MAX = 100_000
const TYPE_MAX = 100_000

const PLACES = { 'one-api': oneApiPlace, laisky: oneApiPlace, 'new-api': newApiPlace, sluice: ownPlace } as const

export function takeChannel(family: ImportFamily, row: ForeignRow): Taken<SourceChannel> {
  const fields = new Fields(row)
  const sourceType = fields.integer('type', 0, TYPE_MAX)
  const type = typeHere(family, sourceType)
  const place = PLACES[family]
  const placed: PlacedChannel = place(fields, {
    type: type === 'reported' ? CUSTOM_TYPE : type,
    key: keyOf(fields),
    baseUrl: fields.text('base_url', 500).trim(),
    other: fields.text('other', 500).trim(),
    config: {},
    systemPrompt: fields.text('system_prompt', 100_000),
    testingModel: '',
    keyStatuses: new Map(),
    off: type === 'reported' ? `type ${sourceType} of ${family} has no counterpart here` : undefined,
  })
  const { off, ...placedFields } = placed
  // Texts from JSON may contain characters that no column can store.
  for (const [field, column] of FROM_JSON) {
    const fault = textFault(placed[field])
    if (fault !== undefined) fields.refuse(column[family === 'new-api' ? 1 : 0], `contains text that ${fault}`)
  }
  if (off !== undefined) fields.adapt('status', `switched off: ${off}`)
  return takenFrom(fields, {
    ...placedFields,
    name: nameOf(fields),
    models: listOf(fields.text('models', 100_000), ',').join(','),
    ...settingsByKind(fields),
    groups: groupsOf(fields),
    status: off === undefined ? statusOf(fields) : CHANNEL_STATUS.disabled,
    createdTime: fields.seconds('created_time'),
    usedQuota: fields.integer('used_quota', -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 0),
  })
}

type ReadByKind = Omit<FormSettings, keyof PlacedChannel | 'name' | 'models' | 'groups'>

function settingsByKind(fields: Fields): ReadByKind {
  const settings = CHANNEL_SETTINGS.filter(({ name }) => !READ_APART.includes(name))
  return Object.fromEntries(
    settings.map(({ name, property, kind, least = 0, most = TEXT_MAX }) => {
      if (kind === 'number') return [property, fields.integer(name, least, INT_MAX, 0)]
      return [property, kind === 'json' ? jsonOf(fields, name) : fields.text(name, most)]
    }),
  ) as ReadByKind
}

function nameOf(fields: Fields): string {
  const name = fields.text('name', 10_000).trim()
  if (name.length > NAME_MAX) fields.adapt('name', `shortened to ${NAME_MAX} characters`)
  // Does not cut through the middle of a character.
  return name
    .slice(0, NAME_MAX)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trim()
}

/** An impossible group name would make the settings of all groups invalid. */
function groupsOf(fields: Fields): string {
  const groups = listOf(fields.text('group', 1_000), ',')
  const possible = groups.filter((group) => group.length <= GROUP_MAX && !/\p{Cc}/u.test(group))
  if (possible.length < groups.length) {
    fields.adapt('group', `names a group of more than ${GROUP_MAX} characters or with control characters: left out`)
  }
  return possible.join(',') || 'default'
}

function keyOf(fields: Fields): string {
  if (fields.isNull('key')) fields.refuse('key', 'is NULL')
  return fields.text('key', KEY_MAX).trim()
}

function statusOf(fields: Fields): number {
  const status = fields.integer('status', 0, 10, CHANNEL_STATUS.disabled)
  return status === CHANNEL_STATUS.enabled || status === CHANNEL_STATUS.autoDisabled ? status : CHANNEL_STATUS.disabled
}

/** The text of a JSON object; unreadable text is left out, because the family ignores it too. */
function jsonOf(fields: Fields, field: string): string {
  const text = fields.text(field, JSON_MAX).trim()
  if (text === '' || text === '{}' || text === 'null') return ''
  if (objectIn(text) !== undefined) return text
  fields.adapt(field, 'is not a JSON object: left empty')
  return ''
}

/** A channel that was exported from here: everything is in its place, and credentials are in the key. */
function ownPlace(fields: Fields, channel: PlacedChannel): PlacedChannel {
  const config = fields.object('config', 200_000)
  if (config === undefined) fields.adapt('config', 'is not a JSON object: left empty')
  return {
    ...channel,
    ...keysOf(fields, channel.key),
    config: config ?? {},
    testingModel: fields.text('testing_model', 255),
  }
}
