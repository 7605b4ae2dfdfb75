import type { Channel } from '@sluice/contract/channel'
import { findModelConfigsProblem, findTextMapProblem, type JsonProblem } from '@sluice/contract/channel-json'
import { CONFIG_CHOICES, CONFIG_FIELDS, SECRET_CONFIG_FIELDS } from '@sluice/contract/channel-kinds'
import { INT_MAX } from '@sluice/contract/row-id'
import * as v from 'valibot'
import type { Translation } from '~/lib/i18n/texts.ts'
import type { en } from '../texts/channel-texts.ts'
import {
  cozeKeyProblem,
  isKeyHalfGiven,
  KEY_MODE,
  type KeyNeed,
  mayStay,
  missingKeyFields,
  parseObject,
} from './channel-key.ts'
import { kindOf, TYPE } from './channel-kind.ts'
import { splitNames } from './comma-names.ts'

type Texts = Translation<typeof en>
type ChannelFormSchema = ReturnType<typeof channelFormSchema>
/** What the form holds while it is edited: the type is its code as text, and numbers can be NaN. */
export type ChannelFormInput = v.InferInput<ChannelFormSchema>
export type ChannelFormValues = v.InferOutput<ChannelFormSchema>

export const DEFAULT_GROUP = 'default'
const LONGEST_NAME = 100

const EMPTY_CONFIG = {
  region: '',
  ak: '',
  sk: '',
  user_id: '',
  vertex_ai_project_id: '',
  vertex_ai_adc: '',
  auth_type: CONFIG_CHOICES.auth_type[0],
  api_format: CONFIG_CHOICES.api_format[0],
  credentials: CONFIG_CHOICES.credentials[0],
  caller_ratio: '',
}

const EMPTY_PARTS = {
  key_form: '',
  key: '',
  key_mode: '',
  tenant_id: '',
  client_id: '',
  client_secret: '',
  app_id: '',
  api_key: '',
  api_secret: '',
  session_token: '',
}

export const NEW_CHANNEL: ChannelFormInput = {
  name: '',
  type: String(TYPE.openAi),
  ...EMPTY_PARTS,
  base_url: '',
  other: '',
  ...EMPTY_CONFIG,
  models: [],
  model_mapping: '',
  model_configs: '',
  groups: [DEFAULT_GROUP],
  priority: 0,
  weight: 0,
  ratelimit: 0,
  system_prompt: '',
  inference_profile_arn_map: '',
}

export const CHANNEL_FIELDS = Object.keys(NEW_CHANNEL) as readonly (keyof ChannelFormInput)[]

/** The form as it shows a stored channel. Credentials are never sent to the console, so their fields are empty. */
export function formOfChannel(channel: Channel): ChannelFormInput {
  const stored = parseObject(channel.config) ?? {}
  const shown = CONFIG_FIELDS.filter((name) => !SECRET_CONFIG_FIELDS.includes(name)).flatMap((name) => {
    const value = stored[name]
    return typeof value === 'string' && value !== '' ? [[name, value] as const] : []
  })
  return {
    name: channel.name,
    type: String(channel.type),
    ...EMPTY_PARTS,
    // Typing one key must not discard many.
    key_mode: channel.key_count > 1 ? KEY_MODE.append : KEY_MODE.replace,
    base_url: channel.base_url,
    other: channel.other,
    ...EMPTY_CONFIG,
    ...Object.fromEntries(shown),
    models: splitNames(channel.models),
    model_mapping: channel.model_mapping ?? '',
    model_configs: channel.model_configs ?? '',
    groups: splitNames(channel.group),
    priority: channel.priority,
    weight: channel.weight,
    ratelimit: channel.ratelimit,
    system_prompt: channel.system_prompt ?? '',
    inference_profile_arn_map: channel.inference_profile_arn_map ?? '',
  }
}

/** What must be done about the key of a channel of this type at this address. */
export type KeyRule = (type: number, baseUrl: string) => KeyNeed

/**
 * Rules of the form in the visitor's language. A new channel must have a key; a stored one keeps its own as long as the key stays
 * at its address, or its owner may move it.
 */
export function channelFormSchema(t: Texts, keyRule: KeyRule) {
  const text = v.string()
  return v.pipe(
    v.object({
      name: v.pipe(text, v.trim(), v.minLength(1, t.nameRequired), v.maxLength(LONGEST_NAME, t.nameTooLong)),
      type: v.pipe(text, v.transform(Number), v.integer(t.typeRequired), v.minValue(1, t.typeRequired)),
      key_form: text,
      key: text,
      key_mode: text,
      tenant_id: text,
      client_id: text,
      client_secret: text,
      app_id: text,
      api_key: text,
      api_secret: text,
      session_token: text,
      base_url: v.pipe(
        text,
        v.transform((url) => url.trim().replace(/(?<!\/)\/+$/, '')),
        v.check((url) => url === '' || isHttpUrl(url), t.baseUrlInvalid),
      ),
      other: v.pipe(text, v.trim()),
      region: text,
      ak: text,
      sk: text,
      user_id: text,
      vertex_ai_project_id: text,
      vertex_ai_adc: text,
      auth_type: text,
      api_format: text,
      credentials: text,
      caller_ratio: text,
      models: v.pipe(
        v.array(text),
        v.transform((names) => splitNames(names.join(','))),
      ),
      model_mapping: jsonText(t, findTextMapProblem),
      model_configs: jsonText(t, findModelConfigsProblem),
      groups: v.pipe(
        v.array(text),
        v.transform((names) => (names.length === 0 ? [DEFAULT_GROUP] : names)),
      ),
      priority: integer(t.priorityInteger, -INT_MAX),
      weight: v.pipe(integer(t.weightInteger, -INT_MAX), v.minValue(0, t.weightNegative)),
      ratelimit: v.pipe(integer(t.ratelimitInteger, -INT_MAX), v.minValue(0, t.ratelimitNegative)),
      system_prompt: text,
      inference_profile_arn_map: jsonText(t, findTextMapProblem),
    }),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return
      const { value } = dataset
      const complain = (key: keyof typeof value, message: string) =>
        addIssue({ message, path: [{ type: 'object', origin: 'value', input: value, key, value: value[key] }] })
      if (kindOf(value.type).baseUrl === 'required' && value.base_url === '') {
        complain('base_url', t.baseUrlRequired)
      }
      const need = keyRule(value.type, value.base_url)
      if (!mayStay(need) || isKeyHalfGiven(value.type, value)) {
        for (const field of missingKeyFields(value.type, value)) complain(field, t.keyRequired)
      }
      const coze = cozeKeyProblem(value.type, value)
      if (coze !== undefined) complain('key', coze.kind === 'format' ? t.json.format : t.missingField(coze.field))
    }),
    // Keys cannot be added to keys that may not stay, whatever was chosen before.
    v.transform((values) => {
      const isLost = values.key_mode === KEY_MODE.append && !mayStay(keyRule(values.type, values.base_url))
      return isLost ? { ...values, key_mode: KEY_MODE.replace } : values
    }),
  )
}

/** A whole number; an empty field counts as 0. */
function integer(message: string, least: number) {
  return v.pipe(
    v.union([v.number(), v.nan()]),
    v.transform((value) => (Number.isNaN(value) ? 0 : value)),
    v.integer(message),
    v.minValue(least, message),
    v.maxValue(INT_MAX, message),
  )
}

function jsonText(t: Texts, find: (text: string) => JsonProblem | undefined) {
  return v.pipe(
    v.string(),
    v.rawCheck(({ dataset, addIssue }) => {
      const problem = dataset.typed ? find(dataset.value) : undefined
      if (problem !== undefined) addIssue({ message: jsonMessage(problem, t) })
    }),
  )
}

function jsonMessage(problem: JsonProblem, t: Texts): string {
  switch (problem.kind) {
    case 'format':
      return t.json.format
    case 'configs_not_object':
      return t.json.configsNotObject
    case 'empty_name':
      return t.json.emptyName
    case 'config_not_object':
      return t.json.configNotObject(problem.model)
    case 'config_empty':
      return t.json.configEmpty(problem.model)
    case 'config_field':
      return t.json.configField(problem.field, problem.model)
    case 'value_not_text':
      return t.json.valueNotText(problem.name)
  }
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\/[^\s\\]+$/i.test(text) && URL.canParse(text)
}
