import * as v from 'valibot'
import { findModelConfigsProblem, findObjectProblem, findTextMapProblem } from '../channel-json.ts'
import { CHANNEL_KIND_CODES } from '../channel-kinds.ts'
import { INT_MAX } from '../row-id.ts'
import { code, type Field, json, longText, names, optionalText, text, wholeNumber } from './kinds.ts'

/**
 * An administrator's settings for a channel, by their names in replies and bodies, in the order of a configuration file. All code
 * that lists or copies channel settings loops over these entries, so a new setting is one entry here, a column and its texts
 * (docs/how-to/add-a-channel-field.md).
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
  /** Empty for the type's default address. */
  base_url: {
    ...text(500),
    property: 'baseUrl',
    column: 'base_url',
    body: v.optional(v.nullable(v.pipe(v.string(), v.trim(), v.maxLength(500)))),
    stored: (given: unknown): string => (typeof given === 'string' ? given.replace(/(?<!\/)\/+$/, '') : ''),
    section: 'credentials',
  },
  /** Meaning depends on the type: an API version, a library. */
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
  /** Requested model → upstream model. */
  model_mapping: {
    ...json(findTextMapProblem, 'texts'),
    property: 'modelMapping',
    column: 'model_mapping',
    section: 'models',
  },
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
  /** Requests per token in three minutes; 0 for unlimited. */
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
  /** Requested model → ARN of an inference profile. */
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
    // Without credentials, which become part of the key.
    stored: (given: unknown): string => (typeof given === 'string' ? given : ''),
  },
} as const satisfies Readonly<Record<string, Field>>

type Fields = typeof CHANNEL_FIELDS

export type ChannelSettings = {
  readonly [Name in keyof Fields as Fields[Name]['property']]: ReturnType<Fields[Name]['stored']>
}
export type ChannelColumns = {
  [Name in keyof Fields as Fields[Name]['column']]: ReturnType<Fields[Name]['stored']>
}
export type ChannelReply = { readonly [Name in keyof Fields]: ReturnType<Fields[Name]['stored']> }

export type DeclaredName = Exclude<keyof Fields, 'group'> | 'groups'

/** Settings in the form, by their names there, with the values of an empty form. */
export type ChannelFormSettings = {
  [Name in keyof Omit<Fields, 'group' | 'testing_model' | 'config'>]: Fields[Name]['empty']
} & { groups: Fields['group']['empty'] }

/** Every setting with all of its names: in replies and bodies, records, the table, configuration files and the form. */
export const CHANNEL_SETTINGS = Object.entries<Field>(CHANNEL_FIELDS).map(([name, field]) => ({
  ...field,
  name: name as keyof Fields,
  property: field.property as keyof ChannelSettings,
  column: field.column as keyof ChannelColumns,
  declaredAs: field.declaredAs ?? name,
}))

type KindOfName = 'name' | 'property' | 'column' | 'declaredAs'

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

/** Stored values for a body; an empty body gives the settings of a new channel. */
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
