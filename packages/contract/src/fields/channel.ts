import * as v from 'valibot'
import { findModelConfigsProblem, findObjectProblem, findTextMapProblem } from '../channel-json.ts'
import { CHANNEL_KIND_CODES } from '../channel-kinds.ts'
import { INT_MAX } from '../row-id.ts'
import { code, type Field, json, longText, names, optionalText, text, wholeNumber } from './kinds.ts'

/**
 * What an administrator sets for a channel, each setting under its name in replies and bodies, in the order of a configuration
 * file. All code that lists or copies channel settings loops over these entries, so a new setting is one entry here, a column and
 * its texts (docs/how-to/add-a-channel-field.md).
 */
const CHANNEL_FIELDS = {
  name: {
    ...text(100),
    property: 'name',
    column: 'name',
    body: v.pipe(
      v.string(),
      v.trim(),
      v.minLength(1, 'Channel name is required'),
      v.maxLength(100, 'Channel name is limited to 100 characters'),
    ),
    section: 'basics',
  },
  type: {
    ...code(),
    property: 'type',
    column: 'type',
    body: v.pipe(
      v.number('Channel type is required'),
      v.integer(),
      v.minValue(1, 'Channel type is required'),
      v.picklist(CHANNEL_KIND_CODES, 'Unknown channel type'),
    ),
    section: 'basics',
  },
  /** Empty: the default address of the type. */
  base_url: {
    ...text(500),
    property: 'baseUrl',
    column: 'base_url',
    body: v.optional(v.nullable(v.pipe(v.string(), v.trim(), v.maxLength(500)))),
    stored: (given: unknown): string => (typeof given === 'string' ? given.replace(/(?<!\/)\/+$/, '') : ''),
    section: 'credentials',
  },
  /** Its meaning depends on the type: an API version, a library. */
  other: {
    ...text(500),
    property: 'other',
    column: 'other',
    section: 'credentials',
  },
  models: {
    ...names(100_000, ''),
    property: 'models',
    column: 'models',
    section: 'models',
  },
  /** From requested to upstream model. */
  model_mapping: {
    ...json(findTextMapProblem, 'texts'),
    property: 'modelMapping',
    column: 'model_mapping',
    section: 'models',
  },
  /** Price ratios and token cap by model. */
  model_configs: {
    ...json(findModelConfigsProblem, 'objects'),
    property: 'modelConfigs',
    column: 'model_configs',
    section: 'models',
  },
  system_prompt: {
    ...longText(100_000),
    property: 'systemPrompt',
    column: 'system_prompt',
    section: 'advanced',
  },
  group: {
    ...names(1_000, 'default'),
    property: 'groups',
    column: 'group_names',
    declaredAs: 'groups',
    section: 'routing',
  },
  priority: {
    ...wholeNumber('Priority', -INT_MAX),
    property: 'priority',
    column: 'priority',
    section: 'routing',
  },
  weight: {
    ...wholeNumber('Weight', 0),
    property: 'weight',
    column: 'weight',
    section: 'routing',
  },
  /** Requests per token in three minutes; 0 is unlimited. */
  ratelimit: {
    ...wholeNumber('Rate limit', 0),
    property: 'ratelimit',
    column: 'ratelimit',
    section: 'routing',
  },
  testing_model: {
    ...optionalText(255),
    property: 'testingModel',
    column: 'testing_model',
  },
  /** From requested model to the ARN of an inference profile. */
  inference_profile_arn_map: {
    ...json(findTextMapProblem, 'texts'),
    property: 'inferenceProfileArnMap',
    column: 'inference_profile_arn_map',
    section: 'advanced',
  },
  /** Settings that only this type has. */
  config: {
    ...json(findObjectProblem, 'anything'),
    property: 'config',
    column: 'config',
    reply: v.string(),
    // Without credentials, which become parts of the key.
    stored: (given: unknown): string => (typeof given === 'string' ? given : ''),
  },
} as const satisfies Readonly<Record<string, Field>>

type Fields = typeof CHANNEL_FIELDS

/** The settings of a channel as in the store's records. JSON stays text. */
export type ChannelSettings = {
  readonly [Name in keyof Fields as Fields[Name]['property']]: ReturnType<Fields[Name]['stored']>
}
/** The settings as columns of the table `channel`. */
export type ChannelColumns = {
  [Name in keyof Fields as Fields[Name]['column']]: ReturnType<Fields[Name]['stored']>
}
/** The settings as in replies. */
export type ChannelReply = { readonly [Name in keyof Fields]: ReturnType<Fields[Name]['stored']> }

/** Names in a configuration file. */
export type DeclaredName = Exclude<keyof Fields, 'group'> | 'groups'

/** The settings in the form, under their names there, with the values of an empty form. */
export type ChannelFormSettings = {
  [Name in keyof Omit<Fields, 'group' | 'testing_model' | 'config'>]: Fields[Name]['empty']
} & { groups: Fields['group']['empty'] }

/** Every setting with all of its names: in replies and bodies, in records, in the table, in a configuration file and in the form. */
export const CHANNEL_SETTINGS = Object.entries<Field>(CHANNEL_FIELDS).map(([name, field]) => ({
  ...field,
  name: name as keyof Fields,
  property: field.property as keyof ChannelSettings,
  column: field.column as keyof ChannelColumns,
  declaredAs: field.declaredAs ?? name,
}))

type KindOfName = 'name' | 'property' | 'column' | 'declaredAs'

/** Renames the settings from one kind of name to another. */
function renamed(values: object, from: KindOfName, to: KindOfName): unknown {
  const given = new Map<string, unknown>(Object.entries(values))
  return Object.fromEntries(CHANNEL_SETTINGS.map((field) => [field[to], given.get(field[from])]))
}

export function settingsOfRow(row: ChannelColumns): ChannelSettings {
  return renamed(row, 'column', 'property') as ChannelSettings
}

export function columnsOfSettings(settings: ChannelSettings): ChannelColumns {
  return renamed(settings, 'property', 'column') as ChannelColumns
}

export function replyOfSettings(settings: ChannelSettings): ChannelReply {
  return renamed(settings, 'property', 'name') as ChannelReply
}

/** What is stored for a body; an empty one gives the settings of a new channel. */
export function settingsOfBody(body: { readonly [Name in keyof Fields]?: unknown }): ChannelSettings {
  const given = new Map<string, unknown>(Object.entries(body))
  return Object.fromEntries(
    CHANNEL_SETTINGS.map(({ name, property, stored }) => [property, stored(given.get(name))]),
  ) as ChannelSettings
}

/* @__NO_SIDE_EFFECTS__ */
export function replySchemas() {
  return Object.fromEntries(CHANNEL_SETTINGS.map(({ name, reply }) => [name, reply])) as {
    readonly [Name in keyof Fields]: Fields[Name]['reply']
  }
}

/* @__NO_SIDE_EFFECTS__ */
export function bodySchemas() {
  return Object.fromEntries(CHANNEL_SETTINGS.map(({ name, body }) => [name, body])) as {
    readonly [Name in keyof Fields]: Fields[Name]['body']
  }
}
