import type { Channel } from '@sluice/contract/channel'
import type { FindProblem, JsonProblem } from '@sluice/contract/channel-json'
import { CONFIG_CHOICES, CONFIG_FIELDS, SECRET_CONFIG_FIELDS } from '@sluice/contract/channel-kinds'
import { CHANNEL_SETTINGS, type ChannelFormSettings } from '@sluice/contract/fields/channel'
import { type Field, SECTIONS } from '@sluice/contract/fields/kinds'
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
import { splitNames } from './channel-types.ts'

type Texts = Translation<typeof en>
type ChannelFormSchema = ReturnType<typeof channelFormSchema>
/** Values while the form is edited: the type is its code as text, and numbers can be NaN. */
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

/** In the order of the form; `field` is the name in the form. */
export const FORM_SETTINGS = SECTIONS.flatMap((section) =>
  CHANNEL_SETTINGS.filter((setting) => setting.section === section).map((setting) => ({
    ...setting,
    field: setting.declaredAs as keyof ChannelFormSettings,
  })),
)

const EMPTY_SETTINGS = Object.fromEntries(
  FORM_SETTINGS.map(({ field, empty }) => [field, empty]),
) as ChannelFormSettings

export const NEW_CHANNEL: ChannelFormInput = withCredentials({ ...EMPTY_SETTINGS, type: String(TYPE.openAi) })

/** The order of the fields decides which invalid field is found first. */
function withCredentials({ name, type, base_url, other, ...settings }: ChannelFormSettings): ChannelFormInput {
  return { name, type, ...EMPTY_PARTS, base_url, other, ...EMPTY_CONFIG, ...settings }
}

export const CHANNEL_FIELDS = Object.keys(NEW_CHANNEL) as readonly (keyof ChannelFormInput)[]

/** Credentials are never sent to the console, so their fields are empty. */
export function formOfChannel(channel: Channel): ChannelFormInput {
  const stored = parseObject(channel.config) ?? {}
  const shown = CONFIG_FIELDS.filter((name) => !SECRET_CONFIG_FIELDS.includes(name)).flatMap((name) => {
    const value = stored[name]
    return typeof value === 'string' && value !== '' ? [[name, value] as const] : []
  })
  const settings = FORM_SETTINGS.map(({ name, field, kind }) => [field, formValue(kind, channel[name])])
  return {
    ...withCredentials(Object.fromEntries(settings) as ChannelFormSettings),
    ...Object.fromEntries(shown),
    // Typing one key must not discard many.
    key_mode: channel.key_count > 1 ? KEY_MODE.append : KEY_MODE.replace,
  }
}

function formValue(kind: Field['kind'], value: string | number | null): string | number | string[] {
  if (kind === 'number') return value ?? 0
  const text = String(value ?? '')
  return kind === 'names' ? splitNames(text) : text
}

export type KeyRule = (type: number, baseUrl: string) => KeyNeed

/** A new channel must have a key; a stored one keeps its key as long as the key stays at its address or the user may move it. */
export function channelFormSchema(t: Texts, keyRule: KeyRule) {
  const text = v.string()
  return v.pipe(
    v.object({
      ...rulesByKind(t),
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
      groups: v.pipe(
        v.array(text),
        v.transform((names) => (names.length === 0 ? [DEFAULT_GROUP] : names)),
      ),
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
    // A key that may not stay cannot get further keys, whatever was chosen before.
    v.transform((values) => {
      const isLost = values.key_mode === KEY_MODE.append && !mayStay(keyRule(values.type, values.base_url))
      return isLost ? { ...values, key_mode: KEY_MODE.replace } : values
    }),
  )
}

type RulesByKind = {
  readonly [F in keyof ChannelFormSettings]: v.GenericSchema<ChannelFormSettings[F], ChannelFormSettings[F]>
}

function rulesByKind(t: Texts): RulesByKind {
  return Object.fromEntries(
    FORM_SETTINGS.map(({ field, kind, least, find }) => {
      if (kind === 'number') return [field, wholeNumber(t, t.fields[field].label, least)]
      return [field, kind === 'names' ? NAMES : jsonText(t, find)]
    }),
  ) as RulesByKind
}

const NAMES = v.pipe(
  v.array(v.string()),
  v.transform((names) => splitNames(names.join(','))),
)

/** A whole number; an empty field counts as 0. */
function wholeNumber(t: Texts, label: string, least = -INT_MAX) {
  const message = t.notInteger(label)
  return v.pipe(
    v.union([v.number(), v.nan()]),
    v.transform((value) => (Number.isNaN(value) ? 0 : value)),
    v.integer(message),
    v.minValue(-INT_MAX, message),
    v.maxValue(INT_MAX, message),
    v.minValue(least, t.negative(label)),
  )
}

function jsonText(t: Texts, find: FindProblem | undefined) {
  return v.pipe(
    v.string(),
    v.rawCheck(({ dataset, addIssue }) => {
      const problem = dataset.typed ? find?.(dataset.value) : undefined
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
