import type { ImportReport } from '@sluice/contract/import'
import { isGroupSetting } from '@sluice/store/options/group-changes'
import { RETIRED_OPTIONS } from '@sluice/store/options/option-definitions'
import {
  changeOptions,
  isOptionKey,
  type OptionEntry,
  optionText,
  type Options,
  readOptions,
} from '@sluice/store/options/options'
import { findOptionOwners, keepOwners } from '@sluice/store/queries/configuration/owned-items'
import { setOptions } from '@sluice/store/queries/options'
import { loadOptions } from '@sluice/store/snapshots/options'
import type { ImportContext } from '../import-context.ts'
import type { SourceSetting } from '../take/take-settings.ts'
import { groupSettings } from './group-settings.ts'

const NAMED_MAX = 20

type SettingEntry = ImportReport['settings'][number]

export interface PlannedSettings {
  readonly changes: readonly OptionEntry[]
  readonly entries: readonly SettingEntry[]
  readonly after: Options
}

/**
 * Chooses the settings to take: those that have a meaning here, have no value yet, and are not owned by a configuration file. A
 * setting that breaks a rule is left out, with the reason. Groups of the source's users, tokens and channels are added with a ratio
 * of 1, as the family charges them; where a configuration file owns the groups, it must have them.
 */
export async function planSettings(
  { database, vault, family, report }: Pick<ImportContext, 'database' | 'vault' | 'family' | 'report'>,
  settings: readonly SourceSetting[],
  inUse: ReadonlySet<string>,
): Promise<PlannedSettings> {
  const stored = await loadOptions(database.kysely)
  const current = readOptions(stored, (sealed) => {
    const opened = vault.open('option', sealed)
    return opened.ok ? opened.text : undefined
  }).options
  const owners = await findOptionOwners(database.kysely)
  const entries: SettingEntry[] = []
  const wanted = new Map<string, string>()
  for (const { source, key, value } of settings) {
    if (isGroupSetting(key)) continue
    if (!isOptionKey(key)) {
      const reason = Object.hasOwn(RETIRED_OPTIONS, key) ? (RETIRED_OPTIONS[key] ?? '') : 'has no counterpart here'
      entries.push({ key: source, effect: 'unused', reason })
    } else if (optionText(key, current) === value) continue
    else if (owners.has(key)) entries.push({ key: source, effect: 'kept', reason: ownedBy(owners.get(key)) })
    else if (stored.has(key)) entries.push({ key: source, effect: 'kept', reason: 'already has a value here' })
    else wanted.set(key, value)
  }
  const ownerOfGroups = owners.get('Groups')
  if (ownerOfGroups === undefined) {
    const isSet = stored.has('GroupRatio') || stored.has('Groups')
    for (const [key, value] of groupSettings(family, settings, current, { isSet, inUse })) wanted.set(key, value)
  } else {
    const kept = settings.filter(({ key }) => isGroupSetting(key))
    entries.push(
      ...kept.map(({ source }) => ({ key: source, effect: 'kept', reason: ownedBy(ownerOfGroups) }) as const),
    )
    const missing = [...inUse].filter((group) => !current.GroupRatio.has(group)).toSorted()
    if (missing.length > 0) report.refuse(missingGroups(ownerOfGroups, missing))
  }
  const { changes, after, refused } = accepted(wanted, current)
  for (const { key } of changes) entries.push({ key, effect: 'set', reason: '' })
  for (const { key, problem } of refused) entries.push({ key, effect: 'invalid', reason: problem })
  return { changes, entries, after }
}

export async function bringSettings(
  { database, vault }: Pick<ImportContext, 'database' | 'vault'>,
  { changes }: PlannedSettings,
): Promise<void> {
  await database.kysely.transaction().execute(async (trx) => {
    // A file may have been applied since the settings were planned.
    await keepOwners(trx, database.engine)
    const owners = await findOptionOwners(trx)
    const free = changes.filter(({ key }) => !owners.has(isGroupSetting(key) ? 'Groups' : key))
    await setOptions(
      trx,
      free.map(({ key, text, secret }) => ({ key, value: secret ? vault.seal('option', text) : text })),
    )
  })
}

function ownedBy(owner = ''): string {
  return `is managed by the configuration file "${owner}"`
}

function missingGroups(owner: string, missing: readonly string[]): string {
  const more = missing.length > NAMED_MAX ? ` and ${missing.length - NAMED_MAX} more` : ''
  return `Groups ${ownedBy(owner)}, which lacks groups that the source uses: ${missing.slice(0, NAMED_MAX).join(', ')}${more}. Add them to the file first.`
}

/** The settings that can be set together; each of the others is left out, with the reason. */
function accepted(wanted: ReadonlyMap<string, string>, current: Options) {
  const left = new Map(wanted)
  const refused: { key: string; problem: string }[] = []
  for (;;) {
    const submitted = [...left].map(([key, value]) => ({ key, value }))
    const result = changeOptions(submitted, current)
    if (result.outcome === 'set') return { changes: result.changes, after: result.after, refused }
    refused.push({ key: result.key, problem: result.problem })
    // A rule about two settings may name one that is not being set.
    if (!left.delete(result.key)) return { changes: [], after: current, refused }
  }
}
