import { can } from '@sluice/contract/capability'
import type { Refusal } from '@sluice/contract/errors'
import type { BodyOutput } from '@sluice/contract/route'
import * as routes from '@sluice/contract/routes/options'
import { GROUP_VIEWS, groupSettingText, isGroupSetting } from '@sluice/store/options/group-changes'
import { OPTION_DEFINITIONS, type OptionDefinition } from '@sluice/store/options/option-definitions'
import { changeOptions, isOptionKey, type Options, optionText } from '@sluice/store/options/options'
import { findGroupBeyond } from '@sluice/store/queries/accounts/users'
import { findOptionOwners } from '@sluice/store/queries/configuration/owned-items'
import { setOptions } from '@sluice/store/queries/options'
import { type Binding, bind } from '../bind.ts'
import { unlessOptionsOwned } from '../configuration/owned-by-file.ts'
import { invalidField } from '../issue-text.ts'
import type { SharedPorts } from '../ports.ts'
import type { Caller } from '../sessions/caller.ts'
import { createReleaseFeed, type ReleaseFeedDeps } from './release-feed.ts'

/** Options that only the gateway sets. */
const OWN_OPTIONS: readonly string[] = ['LogClearedBefore']

export type OptionDeps = Pick<SharedPorts, 'database' | 'kinds' | 'options' | 'vault'> & ReleaseFeedDeps

/** Administrators read the settings, root changes them. */
export function optionRoutes(deps: OptionDeps): readonly Binding[] {
  const db = deps.database.kysely
  const newestRelease = createReleaseFeed(deps)

  const update = async (body: BodyOutput<typeof routes.updateOption>): Promise<object | Refusal> => {
    const submitted = Array.isArray(body) ? body : [body]
    const own = submitted.find(({ key }) => OWN_OPTIONS.includes(key))
    if (own !== undefined) return invalidField('key', `${own.key} cannot be set manually`)
    const keys = submitted.map(({ key }) => key)
    return await unlessOptionsOwned(deps.database, keys, async (trx): Promise<object | Refusal> => {
      const result = changeOptions(submitted, deps.options())
      if (result.outcome === 'refused') {
        return { code: 'refused', params: { reason: result.problem }, field: result.key }
      }
      const overrides = result.changes.find(({ key }) => key === 'PriceOverrides')
      const problem = overrides && deps.kinds.priceOverridesProblem(overrides.text)
      if (problem !== undefined) {
        return { code: 'refused', params: { reason: `PriceOverrides: ${problem}` }, field: 'PriceOverrides' }
      }
      const lost = result.changes.some(({ key }) => key === 'GroupRatio')
        ? await findGroupBeyond(trx, [...result.after.GroupRatio.keys()])
        : undefined
      if (lost !== undefined) {
        const reason = `GroupRatio must keep the group "${lost}", because users belong to it`
        return { code: 'refused', params: { reason }, field: keys.find((key) => isGroupSetting(key)) ?? '' }
      }
      await setOptions(
        trx,
        result.changes.map(({ key, text, secret }) => ({
          key,
          value: secret ? deps.vault.seal('option', text) : text,
        })),
      )
      return {}
    })
  }

  return [
    bind(routes.listOptions, async ({ caller }) => ({
      data: shownOptions(deps.options(), caller),
      extra: {
        secrets_set: can(caller.role, 'settings.manage') ? secretsSet(deps.options()) : [],
        managed_by: ownersOnWire(await findOptionOwners(db)),
      },
    })),
    bind(routes.updateOption, ({ body }) => update(body)),
    bind(routes.updateInfo, async () => await newestRelease()),
  ]
}

/** Every option that a caller may see, with its current or default value, and the family's separate group options. */
function shownOptions(options: Options, caller: Pick<Caller, 'role'>): { key: string; value: string }[] {
  const shown = Object.entries<OptionDefinition>(OPTION_DEFINITIONS).flatMap(([key, definition]) => {
    if (!isOptionKey(key) || !maySee(caller, definition)) return []
    const value = optionText(key, options)
    return value === undefined ? [] : [{ key, value }]
  })
  const views = GROUP_VIEWS.map((key) => ({ key, value: groupSettingText(key, options.Groups) }))
  return [...shown, ...views, { key: 'AvailableGroups', value: [...options.GroupRatio.keys()].toSorted().join(',') }]
}

function ownersOnWire(owners: ReadonlyMap<string, string>): Record<string, string> {
  const owner = owners.get('Groups')
  const parts = owner === undefined ? [] : ['GroupRatio', ...GROUP_VIEWS].map((key) => [key, owner] as const)
  return Object.fromEntries([...owners, ...parts])
}

/** Names the secrets that are set; this reveals nothing about them. */
function secretsSet(options: Options): string[] {
  return Object.entries<OptionDefinition>(OPTION_DEFINITIONS).flatMap(([key, { type }]) =>
    type === 'secret' && isOptionKey(key) && options[key] !== '' ? [key] : [],
  )
}

/** A private address might contain a key in its path or query. */
function maySee({ role }: Pick<Caller, 'role'>, definition: OptionDefinition): boolean {
  return definition.type !== 'address' || definition.public === true || can(role, 'settings.manage')
}
