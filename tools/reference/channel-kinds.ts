import {
  CONFIG_CHOICES,
  CONFIG_FIELDS,
  type ConfigField,
  PART_FIELDS,
  SECRET_CONFIG_FIELDS,
} from '@sluice/providers/channel-fields/field-names'
import { hasPlainKey } from '@sluice/providers/channel-fields/key-forms'
import { KINDS } from '@sluice/providers/kinds/all'
import { WORD } from '@sluice/providers/kinds/defaults'
import type { KeyForm, ProviderKind } from '@sluice/providers/kinds/kind'
import { vendorOf } from '@sluice/providers/kinds/vendor-hosts'

/** The text of `packages/contract/src/channel-kinds.ts`: the public part of every provider kind. */
export function channelKindsText(): string {
  return `// Written by \`node tools/reference/write.ts\` from packages/providers/src/kinds. Change the kinds, not this file.

/** Codes of all channel types. */
export const CHANNEL_KIND_CODES: readonly number[] = ${source(KINDS.map(({ code }) => code))}

/** Fields of a channel's \`config\` that its form shows. */
export const CONFIG_FIELDS = ${source(CONFIG_FIELDS)} as const
export type ConfigField = (typeof CONFIG_FIELDS)[number]

/** Credentials in \`config\`: the gateway accepts them and never returns them. */
export const SECRET_CONFIG_FIELDS: readonly ConfigField[] = ${source(SECRET_CONFIG_FIELDS)}

/** Parts of a key that have their own field in the form but are sent within the key. */
export const PART_FIELDS = ${source(PART_FIELDS)} as const
export type PartField = (typeof PART_FIELDS)[number]

export type KeyField = 'key' | ConfigField | PartField

/** Choices for members of \`config\`; the first is the default. */
export const CONFIG_CHOICES = ${source(CONFIG_CHOICES)} as const

/** A way to write a key: fields joined by \`|\`, in this order. */
export interface KeyForm {
  readonly id: ${union(KINDS.flatMap(({ keyForms }) => keyForms.map(({ id }) => id)))}
  readonly parts: readonly [KeyField, ...KeyField[]]
  /** Appended to the others when present. */
  readonly optionalPart?: KeyField
  /** Fields of \`config\` required in addition to the key. */
  readonly config?: readonly ConfigField[]
}

/** What the form of a channel needs to know about its type. */
export interface ChannelKind {
  readonly code: number
  readonly name: string
  /** \`none\` where the address follows from the region. */
  readonly baseUrl: 'optional' | 'required' | 'none'
  /** The first is the usual one. */
  readonly keys: readonly [KeyForm, ...KeyForm[]]
  /** A key is one word in any format, so it may stay when the type changes to another such type. */
  readonly plainKey?: true
  /** Format of a key that has one field but is not one word. */
  readonly written?: string
  /** The column \`other\`: its meaning, the value stored when it is empty, its choices. */
  readonly other?: {
    readonly meaning: ${union(KINDS.flatMap(({ other }) => other?.meaning ?? []))}
    readonly fallback?: string
    readonly choices?: readonly string[]
  }
  /** Fields of \`config\` that do not belong to a key. */
  readonly config: readonly ConfigField[]
  /** A model can be called by the ARN of an inference profile. */
  readonly arnMap?: true
  /** The provider reports the account's balance. */
  readonly balance?: true
  /** The provider lists its models. */
  readonly modelList?: true
  /**
   * Status of a provider that is not current. \`reseller\`: not known to work still · \`older\`: superseded by another type ·
   * \`closed\`: the service has ended. \`instead\` is the type to choose.
   */
  readonly standing?: { readonly state: 'reseller' | 'older' | 'closed'; readonly instead: number }
}

const PLAIN: KeyForm = ${source(publicForm(WORD))}
const BASE = { baseUrl: 'optional', keys: [PLAIN], config: [] } as const
const NO_LIST = { ...BASE, plainKey: true } as const
/** A default address, a one-word key, and a model list. */
const USUAL = { ...NO_LIST, modelList: true } as const

/** All channel types, by code. */
export const CHANNEL_KINDS: readonly ChannelKind[] = [
${KINDS.map((kind) => `  ${row(kind)},`).join('\n')}
]
`
}

type Members = Readonly<Record<string, unknown>>

function row(kind: ProviderKind): string {
  const { code, name, baseUrl, keys, plainKey: _plain, config: _config, modelList: _list, ...rest } = publicHalf(kind)
  const isPlain = hasPlainKey(kind)
  const base = isPlain ? (kind.modelList ? 'USUAL' : 'NO_LIST') : 'BASE'
  const own = {
    ...(baseUrl === 'optional' ? {} : { baseUrl }),
    ...(isPlain ? {} : { keys }),
    ...(configOf(kind).length === 0 ? {} : { config: configOf(kind) }),
    ...rest,
    ...flag('modelList', !isPlain && kind.modelList),
  }
  return `{ ${[member('code', code), member('name', name), `...${base}`, ...members(own)].join(', ')} }`
}

function publicHalf(kind: ProviderKind): Members {
  const { address, keyForms, standing, other } = kind
  const [usual = keyForms[0]] = keyForms.filter((form) => form.usual === true)
  return {
    code: kind.code,
    name: kind.name,
    baseUrl: address.baseUrlRequired ? 'required' : address.baseUrlEditable ? 'optional' : 'none',
    keys: [usual, ...keyForms.filter((form) => form !== usual)].map(publicForm),
    ...flag('plainKey', hasPlainKey(kind)),
    ...(kind.keyPlaceholder === undefined ? {} : { written: kind.keyPlaceholder }),
    ...(other === undefined ? {} : { other: withoutRules(other) }),
    config: configOf(kind),
    ...flag('arnMap', kind.takesArnMap === true),
    ...flag('balance', kind.balance !== undefined),
    ...flag('modelList', kind.modelList),
    ...(standing === 'current' ? {} : { standing }),
  }
}

/** Callers' keys are sent only to vendors themselves. */
function configOf({ code, config = [] }: ProviderKind): readonly ConfigField[] {
  return vendorOf(code) === undefined ? config : [...config, 'credentials', 'caller_ratio']
}

function publicForm({ id, parts, optionalPart, config }: KeyForm): Members {
  return {
    id,
    parts,
    ...(optionalPart === undefined ? {} : { optionalPart }),
    ...(config === undefined ? {} : { config }),
  }
}

function withoutRules({ meaning, fallback, choices }: NonNullable<ProviderKind['other']>): Members {
  return { meaning, ...(fallback === undefined ? {} : { fallback }), ...(choices === undefined ? {} : { choices }) }
}

function flag(name: string, isSet: boolean): Members {
  return isSet ? { [name]: true } : {}
}

const member = (name: string, value: unknown): string => `${name}: ${source(value)}`
const members = (object: object): readonly string[] =>
  Object.entries(object).map(([name, value]: [string, unknown]) => member(name, value))
const union = (texts: readonly string[]): string => [...new Set(texts)].map(source).join(' | ')

function source(value: unknown): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "\\'")}'`
  if (Array.isArray(value)) return `[${value.map(source).join(', ')}]`
  return typeof value === 'object' && value !== null ? `{ ${members(value).join(', ')} }` : String(value)
}
