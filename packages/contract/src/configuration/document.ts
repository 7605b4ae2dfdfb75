import * as v from 'valibot'
import { CHANNEL_KIND_CODES, CHANNEL_KINDS } from '../channel-kinds.ts'
import { CHANNEL_SETTINGS } from '../fields/channel.ts'
import type { Field } from '../fields/kinds.ts'
import { INT_MAX } from '../row-id.ts'

const CONFIGURATION_CHANNELS_MAX = 2_000
const DEFAULT_OWNER = 'default'

/** `${env:NAME}` or `${file:/path}`, which stands for a secret. */
const REFERENCE = /^\$\{(env:[A-Za-z_][A-Za-z0-9_]{0,127}|file:\/[^}\r\n]{1,1000})\}$/

export type SecretReference =
  | { readonly from: 'env'; readonly name: string }
  | { readonly from: 'file'; readonly path: string }

export function secretReference(text: string): SecretReference | undefined {
  if (!REFERENCE.test(text)) return undefined
  const inner = text.slice(2, -1)
  const value = inner.slice(inner.indexOf(':') + 1)
  return inner.startsWith('env:') ? { from: 'env', name: value } : { from: 'file', path: value }
}

const CONFIGURED_STATUSES = ['enabled', 'disabled'] as const

const textOf = (most: number) => v.pipe(v.string(), v.maxLength(most, `must have at most ${most} characters`))
/** Without commas, because stored entries are joined by them. */
const names = v.pipe(
  v.array(
    v.pipe(
      v.string(),
      v.maxLength(255, 'must have at most 255 characters'),
      v.regex(/^[^\s,]([^,\r\n]*[^\s,])?$/, 'must be a name without commas and without leading or trailing spaces'),
    ),
  ),
  v.maxLength(10_000, 'must have at most 10000 entries'),
)
const anything = v.record(v.string(), v.unknown())
const objects = { anything, texts: v.record(v.string(), v.string()), objects: v.record(v.string(), anything) }

/** The schema of a setting in a file, by its kind: JSON strings of the form are structured here. */
function declared({ kind, most = 0, least = 0, holds = 'anything' }: Field): v.GenericSchema {
  switch (kind) {
    case 'text':
    case 'long':
      return textOf(most)
    case 'names':
      return names
    case 'json':
      return objects[holds]
    case 'number':
    case 'code':
      return v.pipe(
        v.number(),
        v.integer('must be an integer'),
        v.minValue(least, `must be at least ${least}`),
        v.maxValue(INT_MAX, `must be at most ${INT_MAX}`),
      )
  }
}

const {
  name: _name,
  type: _type,
  ...settings
} = Object.fromEntries(CHANNEL_SETTINGS.map((setting) => [setting.declaredAs, v.optional(declared(setting))]))

/** The fields of the channel form, structured. A channel is identified by its name. */
export const configurationChannel = v.strictObject({
  name: v.pipe(
    v.string(),
    v.maxLength(100, 'must have at most 100 characters'),
    v.regex(/^\S(.*\S)?$/, 'must not be empty, or begin or end with a space'),
  ),
  type: v.union(
    [v.picklist(CHANNEL_KIND_CODES), v.picklist(CHANNEL_KINDS.map(({ name }) => name))],
    'must be the name or the number of a channel type',
  ),
  /** A reference to the key, or one per line for several keys. If absent, the channel keeps its keys. */
  key: v.optional(v.pipe(v.string(), v.regex(REFERENCE, 'must be a reference: ${env:NAME} or ${file:/path}'))),
  ...settings,
  /** Credentials in it must be references. */
  config: v.optional(anything),
  /** If absent, a new channel is enabled, and its status is managed by hand. */
  status: v.optional(v.picklist(CONFIGURED_STATUSES)),
})
export type ConfigurationChannel = v.InferOutput<typeof configurationChannel>

/** A configuration file. It owns everything that it names; everything else is left alone. */
export const configurationDocument = v.strictObject({
  version: v.literal(1, 'must be 1'),
  /** Identifies the file. Several files with different owners can each manage a part. */
  owner: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[A-Za-z0-9][A-Za-z0-9._/-]{0,63}$/, 'must be 1 to 64 characters from A-Z, a-z, 0-9 and . _ / -'),
    ),
    DEFAULT_OWNER,
  ),
  /** A file with a lower revision than the last applied one is refused. */
  revision: v.optional(
    v.pipe(
      v.number(),
      v.integer('must be an integer'),
      v.minValue(0, 'must be at least 0'),
      v.maxValue(Number.MAX_SAFE_INTEGER, 'is too large'),
    ),
    0,
  ),
  /** Options by key, each in its structured form. */
  options: v.optional(v.record(v.string(), v.unknown()), {}),
  channels: v.optional(
    v.pipe(
      v.array(configurationChannel),
      v.maxLength(CONFIGURATION_CHANNELS_MAX, `must have at most ${CONFIGURATION_CHANNELS_MAX} channels`),
    ),
    [],
  ),
})
export type ConfigurationDocument = v.InferOutput<typeof configurationDocument>
