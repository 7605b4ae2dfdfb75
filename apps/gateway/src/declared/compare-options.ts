import type { ConfigurationChange } from '@sluice/contract/configuration/plan'
import { ratiosText } from '@sluice/store/options/groups'
import type { OptionKey } from '@sluice/store/options/option-definitions'
import {
  changeOptions,
  isOptionKey,
  type OptionEntry,
  type Options,
  optionText,
  readOptions,
} from '@sluice/store/options/options'
import type { OwnedItem } from '@sluice/store/queries/configuration/owned-items'
import { type CurrentState, sha256 } from './current-state.ts'
import { type DeclaredConfiguration, type DeclaredOption, ruleWithoutKey } from './document/check-document.ts'
import { canonicalJson, formOf } from './document/option-values.ts'

export interface ComparedOptions {
  readonly changes: readonly ConfigurationChange[]
  readonly entries: readonly OptionEntry[]
  /** Rows to delete, which resets the option to its default. */
  readonly unset: readonly OptionKey[]
  readonly items: readonly OwnedItem[]
  readonly after: Options
}

export interface OptionProblem {
  readonly key: string
  readonly rule: string
}

const ROWS_OF: Partial<Record<OptionKey, readonly OptionKey[]>> = { Groups: ['GroupRatio', 'Groups'] }

function rowsOf(key: OptionKey): readonly OptionKey[] {
  return ROWS_OF[key] ?? [key]
}

/** Whether an option was ever set, under any of its names. */
export function isSet(stored: CurrentState['stored'], key: OptionKey): boolean {
  return rowsOf(key).some((row) => stored.has(row))
}

/** Canonical text of an option that is not secret; undefined when it was never set. */
export function settingText(
  { stored, options }: Pick<CurrentState, 'stored' | 'options'>,
  key: OptionKey,
): string | undefined {
  return isSet(stored, key) ? canonicalText(key, options) : undefined
}

function canonicalText(key: OptionKey, options: Options): string {
  const text = optionText(key, options) ?? ''
  return formOf(key) === 'object' ? canonicalJson(text.trim() === '' ? '{}' : text) : text
}

/** Digest of an option as a file leaves it. For a secret, only the file itself can show that it differs. */
export function optionDigest(state: Pick<CurrentState, 'stored' | 'options'>, key: OptionKey): string {
  return sha256(
    formOf(key) === 'secret' ? `secret ${isSet(state.stored, key)}` : `text ${settingText(state, key) ?? ''}`,
  )
}

const SECRET = '(secret)'
const OTHER_SECRET = '(another secret)'

/** Compares the options that a file declares, and those that it owned but no longer names. */
export function compareOptions(
  state: CurrentState,
  declared: Pick<DeclaredConfiguration, 'owner' | 'options'>,
  prune: boolean,
): ComparedOptions | OptionProblem {
  const owned = new Map(state.items.filter(({ kind }) => kind === 'option').map((item) => [item.name, item]))
  for (const { key } of declared.options) {
    const owner = owned.get(key)?.owner
    if (owner !== undefined && owner !== declared.owner)
      return { key, rule: `is managed by the configuration file "${owner}"` }
  }
  const named = new Set<string>(declared.options.map(({ key }) => key))
  const dropped = [...owned.values()].filter(({ owner, name }) => owner === declared.owner && !named.has(name))
  const gone = prune ? dropped.map(({ name }) => name).filter(isOptionKey) : []
  const defaults = readOptions(new Map(), () => undefined).options
  const result = changeOptions(
    [...declared.options.map(submissionOf), ...gone.map((key) => resetOf(key, defaults))],
    state.options,
  )
  if (result.outcome === 'refused') return { key: result.key, rule: ruleWithoutKey(result.key, result.problem) }
  const after = { stored: withRows(state.stored, result.changes, declared.options, gone), options: result.after }
  const drifted = (key: OptionKey): boolean => {
    const item = owned.get(key)
    return item !== undefined && item.digest !== optionDigest(state, key)
  }
  const changes = [
    ...declared.options.flatMap(({ key }) =>
      changeOf(state, after, key, { isOwned: owned.has(key), drifted: drifted(key) }),
    ),
    ...gone.map((key) => removalOf(state, key, drifted(key))),
    ...dropped.filter(({ name }) => !prune || !isOptionKey(name)).map(({ name }) => releaseOf(name)),
  ]
  const written = new Set(
    changes.filter(({ action }) => action === 'create' || action === 'update').map(({ name }) => name),
  )
  return {
    changes,
    entries: entriesOf(state, result.changes, result.after, written),
    unset: gone.flatMap(rowsOf),
    items: declared.options.map(({ key }) => ({
      kind: 'option',
      name: key,
      owner: declared.owner,
      channel_id: 0,
      states_status: 0,
      digest: optionDigest(after, key),
    })),
    after: result.after,
  }
}

function submissionOf({ key, text }: DeclaredOption) {
  return { key, value: text }
}

function resetOf(key: OptionKey, defaults: Options) {
  return formOf(key) === 'secret' ? { key, value: '', clear: true } : { key, value: optionText(key, defaults) ?? '' }
}

/** The rows after the change. Secrets are in clear text here: it only matters whether they are set. */
function withRows(
  stored: CurrentState['stored'],
  entries: readonly OptionEntry[],
  declared: readonly DeclaredOption[],
  gone: readonly OptionKey[],
): CurrentState['stored'] {
  const rows = new Map(stored)
  for (const { key, text } of entries) rows.set(key, text)
  // Groups that equal the defaults get a row as well.
  for (const { key } of declared) if (!isSet(rows, key)) rows.set(rowsOf(key)[0] ?? key, '')
  for (const key of gone.flatMap(rowsOf)) rows.delete(key)
  return rows
}

function changeOf(
  before: Pick<CurrentState, 'stored' | 'options'>,
  after: Pick<CurrentState, 'stored' | 'options'>,
  key: OptionKey,
  { isOwned, drifted }: { readonly isOwned: boolean; readonly drifted: boolean },
): ConfigurationChange[] {
  const base = { kind: 'option', name: key, drifted } as const
  const was = isSet(before.stored, key)
  const isSecret = formOf(key) === 'secret'
  const old = isSecret ? textOfSecret(before.options, key) : settingText(before, key)
  const next = isSecret ? textOfSecret(after.options, key) : canonicalText(key, after.options)
  if (was && old === next) return isOwned ? [] : [{ ...base, action: 'adopt', fields: [] }]
  const shown = isSecret
    ? { before: was ? SECRET : null, after: was ? OTHER_SECRET : SECRET }
    : { before: old ?? null, after: next }
  return [{ ...base, action: was ? 'update' : 'create', fields: [{ field: 'value', ...shown }] }]
}

function textOfSecret(options: Options, key: OptionKey): string {
  const value = options[key]
  return typeof value === 'string' ? value : ''
}

function removalOf(state: CurrentState, key: OptionKey, drifted: boolean): ConfigurationChange {
  const before = formOf(key) === 'secret' ? SECRET : (settingText(state, key) ?? null)
  return { kind: 'option', name: key, action: 'remove', drifted, fields: [{ field: 'value', before, after: null }] }
}

function releaseOf(name: string): ConfigurationChange {
  return { kind: 'option', name, action: 'release', drifted: false, fields: [] }
}

/** The rows of changed options. A group option that equals the defaults gets a row as well. */
function entriesOf(
  { stored }: CurrentState,
  changes: readonly OptionEntry[],
  after: Options,
  written: ReadonlySet<string>,
): readonly OptionEntry[] {
  const entries = changes.filter(({ key }) => written.has(key) || (key === 'GroupRatio' && written.has('Groups')))
  const lacksGroups =
    written.has('Groups') && !stored.has('GroupRatio') && !entries.some(({ key }) => key === 'GroupRatio')
  return lacksGroups ? [...entries, { key: 'GroupRatio', text: ratiosText(after.GroupRatio), secret: false }] : entries
}
