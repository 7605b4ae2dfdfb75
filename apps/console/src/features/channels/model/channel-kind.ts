import {
  CHANNEL_KINDS,
  type ChannelKind,
  CONFIG_FIELDS,
  type ConfigField,
  type KeyForm,
  SECRET_CONFIG_FIELDS,
} from '@sluice/contract/channel-kinds'
import { UNKNOWN } from '~/lib/format/units.ts'

export const TYPE = {
  openAi: 1,
  zhipu: 16,
  aws: 33,
  coze: 34,
  cloudflare: 37,
  vertexAi: 42,
  openAiCompatible: 50,
} as const

/** A generic kind named `#99` for a code that the specification does not know. */
export function kindOf(code: number): ChannelKind {
  return (
    CHANNEL_KINDS.find((kind) => kind.code === code) ?? {
      code,
      name: Number.isNaN(code) ? UNKNOWN : `#${code}`,
      baseUrl: 'optional',
      keys: [{ id: 'plain', parts: ['key'] }],
      plainKey: true,
      config: [],
    }
  )
}

/** The chosen form if the type has it; otherwise the type's usual form. */
export function keyFormOf(code: number, chosen: string): KeyForm {
  const { keys } = kindOf(code)
  return keys.find(({ id }) => id === chosen) ?? keys[0]
}

/** The credentials of the chosen key form, and the other fields of all forms, because the form of a stored key is not known. */
export function configFieldsOf(code: number, chosen: string): readonly ConfigField[] {
  const { keys, config } = kindOf(code)
  const ofKeys = keys.flatMap((form) => [...form.parts.filter(isConfigField), ...(form.config ?? [])])
  const credentials = keyFormOf(code, chosen).parts
  return [...new Set([...ofKeys, ...config])].filter(
    (name) => !SECRET_CONFIG_FIELDS.includes(name) || credentials.includes(name),
  )
}

/** Whether a key may stay when the type changes: both types write it as one plain word. */
export function hasSameKeyForm(code: number, other: number): boolean {
  return code === other || (kindOf(code).plainKey === true && kindOf(other).plainKey === true)
}

function isConfigField(name: string): name is ConfigField {
  return CONFIG_FIELDS.some((known) => known === name)
}
