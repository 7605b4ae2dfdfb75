import type { Channel } from '@sluice/contract/channel'
import { CONFIG_FIELDS, type ConfigField } from '@sluice/contract/channel-kinds'
import { CHANNEL_SETTINGS, type ChannelFormSettings, type ChannelReply } from '@sluice/contract/fields/channel'
import type { ChannelFormValues } from './channel-form-values.ts'
import { channelKey, KEY_MODE, keyCount, parseObject } from './channel-key.ts'
import { configFieldsOf, kindOf } from './channel-kind.ts'

export function createBody(values: ChannelFormValues) {
  return {
    ...commonBody(values, { type: 0, config: '' }),
    key: channelKey(values.type, values),
    ...(values.key_mode === KEY_MODE.one && areSeveral(values) && { keys_in_one: true }),
    other: otherOf(values),
  }
}

/** Leaves out the key unless one was typed. Keeps config fields, and `other`, that the form does not show. */
export function updateBody(stored: Pick<Channel, 'id' | 'type' | 'config'>, values: ChannelFormValues) {
  const key = channelKey(values.type, values)
  const knowsOther = kindOf(values.type).other !== undefined || values.type !== stored.type
  return {
    ...commonBody(values, stored),
    id: stored.id,
    ...(key !== '' && { key, ...keyMode(values) }),
    ...(knowsOther && { other: otherOf(values) }),
  }
}

/** Body of the calls that test an unsaved channel; `stored` is the one being edited. Empty `model`: the cheapest. */
export function draftBody(
  stored: Pick<Channel, 'id' | 'type' | 'config'> | undefined,
  values: ChannelFormValues,
  model = '',
) {
  return { ...(stored === undefined ? createBody(values) : updateBody(stored, values)), model }
}

function commonBody(values: ChannelFormValues, stored: Pick<Channel, 'type' | 'config'>) {
  const { other: _other, ...settings } = settingsOf(values)
  const isRegional = kindOf(values.type).baseUrl === 'none'
  return {
    ...settings,
    ...(isRegional && values.type !== stored.type && { base_url: '' }),
    config: configText(values, stored.config),
  }
}

type FormReply = Omit<ChannelReply, 'testing_model' | 'config'>

function settingsOf(values: ChannelFormValues): FormReply {
  const settings = CHANNEL_SETTINGS.filter(({ section }) => section !== undefined)
  return Object.fromEntries(
    settings.map(({ name, declaredAs, stored }) => {
      const value = values[declaredAs as keyof ChannelFormSettings]
      return [name, stored(Array.isArray(value) ? value.join(',') : value)]
    }),
  ) as FormReply
}

/** Several lines for a stored channel are several keys of that channel. */
function keyMode(values: ChannelFormValues) {
  if (values.key_mode === KEY_MODE.append) return { key_mode: 'append' } as const
  return areSeveral(values) ? { keys_in_one: true } : {}
}

const areSeveral = ({ type, key, key_form }: ChannelFormValues): boolean => keyCount(type, key, key_form) > 1

function otherOf(values: ChannelFormValues): string {
  const { other } = kindOf(values.type)
  return other === undefined ? '' : values.other || (other.fallback ?? '')
}

/** Filled-in fields of the type, plus fields of the stored config that the form has for no type. */
function configText(values: ChannelFormValues, storedConfig: string): string {
  const foreign = Object.entries(parseObject(storedConfig) ?? {}).filter(
    ([name]) => !CONFIG_FIELDS.some((known) => known === name),
  )
  const own = configFieldsOf(values.type, values.key_form)
    .map((name) => [name, values[name].trim()] as const)
    // The default, `own`, needs no setting, and a ratio for callers means nothing without callers' credentials.
    .filter(([name, value]) => value !== '' && !(isAboutCallers(name) && values.credentials === 'own'))
  return JSON.stringify(Object.fromEntries([...foreign, ...own]))
}

const isAboutCallers = (name: ConfigField): boolean => name === 'credentials' || name === 'caller_ratio'
