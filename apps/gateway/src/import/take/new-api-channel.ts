import { CHANNEL_STATUS } from '@sluice/store/statuses'
import { CUSTOM_TYPE } from './channel-types.ts'
import { type Fields, objectIn } from './fields.ts'
import type { PlacedChannel } from './placed-channel.ts'

const TYPE = { cloudflare: 37, vertex: 42, coze: 34, aws: 33, openAiCompatible: 50 } as const

/** Distributes the values of new-api's `other`, `setting`, `settings` and `channel_info`. */
export function newApiPlace(fields: Fields, channel: PlacedChannel): PlacedChannel {
  const setting = fields.object('setting', 200_000) ?? {}
  const decisive = decisiveOf(fields, setting)
  const keys = keysOf(fields, channel.key)
  const common: PlacedChannel = {
    ...channel,
    ...keys,
    systemPrompt: textOf(setting['system_prompt']) || channel.systemPrompt,
    testingModel: fields.text('test_model', 255),
    off: channel.off ?? decisive,
  }
  return byType(fields, common)
}

/** A setting that changes what is sent and where: without it, the channel would behave differently. */
function decisiveOf(fields: Fields, setting: Readonly<Record<string, unknown>>): string | undefined {
  if (textOf(setting['proxy']) !== '') return 'it needs a proxy'
  for (const field of ['param_override', 'header_override']) {
    const members = fields.object(field, 200_000)
    if (members === undefined || Object.keys(members).length > 0) return `it needs ${field}`
  }
  return undefined
}

/** The keys of a channel, one per line, and which of them are switched off. */
export function keysOf(fields: Fields, key: string): Pick<PlacedChannel, 'key' | 'keyStatuses'> {
  const info = fields.object('channel_info', 1_000_000)
  if (info === undefined) {
    fields.refuse('channel_info', 'is not a JSON object')
    return { key, keyStatuses: new Map() }
  }
  if (info['is_multi_key'] !== true) return { key, keyStatuses: new Map() }
  const lines = documentsIn(key) ?? key.split('\n').map((line) => line.trim())
  const given = objectIn(JSON.stringify(info['multi_key_status_list'] ?? {})) ?? {}
  const statuses = Object.entries(given).flatMap(([place, status]) =>
    status === CHANNEL_STATUS.disabled || status === CHANNEL_STATUS.autoDisabled
      ? [[Number(place), status] as const]
      : [],
  )
  return { key: lines.join('\n'), keyStatuses: new Map(statuses) }
}

/** Several service accounts are written as a JSON list. */
function documentsIn(key: string): readonly string[] | undefined {
  if (!key.startsWith('[')) return undefined
  try {
    const list: unknown = JSON.parse(key)
    return Array.isArray(list) ? list.map((document) => JSON.stringify(document)) : undefined
  } catch {
    return undefined
  }
}

function byType(fields: Fields, channel: PlacedChannel): PlacedChannel {
  switch (channel.type) {
    case TYPE.cloudflare:
      return { ...channel, other: '', config: { user_id: channel.other } }
    case TYPE.vertex:
      return vertexOf(fields, channel)
    case TYPE.aws:
      return awsOf(channel)
    case TYPE.coze:
      return { ...channel, other: '', off: channel.off ?? 'the bot of a Coze channel becomes a model here' }
    case CUSTOM_TYPE:
      return customOf(channel)
    default:
      return isWord(channel.baseUrl)
        ? { ...channel, baseUrl: '', off: channel.off ?? `"${channel.baseUrl}" is not an address` }
        : channel
  }
}

/** The region is in `other`; the key is one or several service accounts. */
function vertexOf(fields: Fields, channel: PlacedChannel): PlacedChannel {
  const regions = objectIn(channel.other)
  const region = regions === undefined ? channel.other : textOf(regions['default'])
  if (regions !== undefined && Object.keys(regions).length > 1) {
    fields.adapt('other', `has different regions by model: all models use ${region}`)
  }
  const documents =
    channel.key.startsWith('{') && objectIn(channel.key) !== undefined ? [channel.key] : channel.key.split('\n')
  const keys = documents.map((document) => {
    const project = textOf(objectIn(document)?.['project_id'])
    return `${region}|${project}|${document.replaceAll('\n', ' ')}`
  })
  return { ...channel, key: keys.join('\n'), other: '' }
}

/** `ak|sk|region`, or a Bedrock key with its region. */
function awsOf(channel: PlacedChannel): PlacedChannel {
  const parts = channel.key.split('|')
  const [key = '', region = ''] = parts
  return parts.length === 2 ? { ...channel, key, config: { region } } : channel
}

/** A Custom channel contains the whole address of the call, possibly with the model. */
function customOf(channel: PlacedChannel): PlacedChannel {
  if (channel.off !== undefined) return isWord(channel.baseUrl) ? { ...channel, baseUrl: '' } : channel
  const base = channel.baseUrl.replace(/\/chat\/completions$/, '')
  const isPlain = base !== channel.baseUrl && !base.includes('{')
  return isPlain
    ? { ...channel, type: TYPE.openAiCompatible, baseUrl: base }
    : {
        ...channel,
        type: TYPE.openAiCompatible,
        baseUrl: base.replaceAll(/[{}]/g, ''),
        off: 'its address is not of an OpenAI-compatible server',
      }
}

/** new-api puts plan names where an address belongs. */
function isWord(baseUrl: string): boolean {
  return baseUrl !== '' && !/^https?:\/\//i.test(baseUrl)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : ''
}
