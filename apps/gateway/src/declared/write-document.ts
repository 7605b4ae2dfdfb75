import { CHANNEL_KINDS } from '@sluice/contract/channel-kinds'
import type { ExportedConfiguration } from '@sluice/contract/configuration/plan'
import { CHANNEL_SETTINGS } from '@sluice/contract/fields/channel'
import { splitList } from '@sluice/contract/fields/comma-list'
import type { Field } from '@sluice/contract/fields/kinds'
import { OPTION_DEFINITIONS, type OptionKey } from '@sluice/store/options/option-definitions'
import { isOptionKey } from '@sluice/store/options/options'
import { stringify } from 'yaml'
import { channelFields, isInitial } from './channel-fields.ts'
import { isSet, settingText } from './compare-options.ts'
import { type CurrentState, meantStatus, sha256, type WholeChannel } from './current-state.ts'
import { formOf, isConfigurable, optionValueOf } from './document/option-values.ts'

export interface Unexportable {
  /** Names shared by several channels. */
  readonly sharedNames: readonly string[]
}

/** Writes everything that differs from a new installation as a file, sorted by name, with references in place of secrets. */
export function writeDocument(state: CurrentState): ExportedConfiguration | Unexportable {
  const names = state.channels.map(({ name }) => name)
  const shared = [...new Set(names.filter((name, at) => names.indexOf(name) !== at))]
  if (shared.length > 0) return { sharedNames: shared.sort() }
  const variables: string[] = []
  const reference = (name: string): string => {
    variables.push(name)
    return `\${env:${name}}`
  }
  const keys = Object.keys(OPTION_DEFINITIONS).filter(
    (key): key is OptionKey => isOptionKey(key) && isConfigurable(key) && isSet(state.stored, key),
  )
  const options = keys.sort().flatMap((key) => {
    if (formOf(key) !== 'secret') return [[key, optionValueOf(key, settingText(state, key) ?? '')] as const]
    return state.options[key] === '' ? [] : [[key, reference(`SLUICE_SECRET_OPTION_${key.toUpperCase()}`)] as const]
  })
  const named = variableNames(names)
  const channels = state.channels
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((channel) => channelOf(channel, reference(named.get(channel.name) ?? '')))
  const document = {
    version: 1,
    ...(options.length === 0 ? {} : { options: Object.fromEntries(options) }),
    ...(channels.length === 0 ? {} : { channels }),
  }
  return { document: stringify(document, { lineWidth: 0 }), variables }
}

function channelOf(channel: WholeChannel, key: string): Readonly<Record<string, unknown>> {
  const fields = channelFields(channel)
  const said = CHANNEL_SETTINGS.flatMap(({ declaredAs: name, kind }) => {
    const text = fields.get(name) ?? ''
    return isInitial(name, text) ? [] : [[name, valueOf(kind, text)] as const]
  })
  const [name, type, ...others] = said
  const status = meantStatus(channel.status) === 'disabled' ? [['status', 'disabled'] as const] : []
  return Object.fromEntries(
    [name, type, ['key', key] as const, ...others, ...status].filter((entry) => entry !== undefined),
  )
}

function valueOf(kind: Field['kind'], text: string): unknown {
  switch (kind) {
    case 'code':
      return CHANNEL_KINDS.find(({ code }) => code === Number(text))?.name ?? Number(text)
    case 'number':
      return Number(text)
    case 'names':
      return splitList(text)
    case 'json':
      return JSON.parse(text) as unknown
    case 'text':
    case 'long':
      return text
  }
}

/**
 * The variable for each channel's key. It is named after the channel; the name gets a digest where two channels would otherwise
 * share a variable, or where the channel's name cannot be written in full.
 */
function variableNames(names: readonly string[]): ReadonlyMap<string, string> {
  const plain = (name: string): string =>
    name
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, '_')
      .replace(/^_|_$/g, '')
      .slice(0, 60)
  const counts = new Map<string, number>()
  for (const name of names) counts.set(plain(name), (counts.get(plain(name)) ?? 0) + 1)
  return new Map(
    names.map((name) => {
      const isClear = /^[ -~]+$/.test(name) && name.length <= 60 && plain(name) !== '' && counts.get(plain(name)) === 1
      const digest = isClear ? '' : sha256(name).slice(0, 8).toUpperCase()
      return [name, ['SLUICE_SECRET_CHANNEL', plain(name), digest].filter((part) => part !== '').join('_')]
    }),
  )
}
