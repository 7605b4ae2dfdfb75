import { AUTO_GROUP, AUTO_RATIO, type UsableGroup, type UsableGroups } from '@sluice/contract/groups'
import { type Groups, ratioNumber } from '@sluice/store/options/groups'
import { mayUse, ratioFor } from '@sluice/store/options/usable-groups'

/** A group's usable groups with their ratios; for guests (undefined) those that everyone can use. */
export function usableGroupsOf(groups: Groups, userGroup: string | undefined): UsableGroups {
  const own = userGroup ?? ''
  const names = new Set([...(userGroup === undefined ? [] : [userGroup]), ...groups.byName.keys()])
  const shown = [...names]
    .filter((name) => mayUse(groups, own, name))
    .map((name) => [name, usableGroupOf(groups, own, name)] as const)
    .toSorted(([a, one], [b, other]) => rankOf(one) - rankOf(other) || (a < b ? -1 : 1))
  return Object.fromEntries(shown)
}

/** As `usableGroupsOf`, plus `auto` if a token with that group would be served. */
export function choosableGroups(groups: Groups, userGroup: string | undefined): UsableGroups {
  const usable = usableGroupsOf(groups, userGroup)
  const hasAuto = !groups.byName.has(AUTO_GROUP) && groups.auto.some((name) => Object.hasOwn(usable, name))
  const auto = { ratio: AUTO_RATIO, desc: AUTO_GROUP, title: '', own: false, order: 0 }
  return hasAuto ? { ...usable, [AUTO_GROUP]: auto } : usable
}

function usableGroupOf(groups: Groups, own: string, name: string): UsableGroup {
  const { title = '', text = '', order = 0 } = groups.byName.get(name) ?? {}
  return {
    ratio: ratioNumber(ratioFor(groups, own, name)),
    desc: text || title || name,
    title,
    own: name === own,
    order,
  }
}

/** The user’s own group first, then those of `AutoGroups` in their order, then the others. */
function rankOf({ own, order }: UsableGroup): number {
  if (own) return 0
  return order === 0 ? Number.MAX_SAFE_INTEGER : order
}
