import { EVERYONE, type Groups } from './groups.ts'

const AUTO = 'auto'
const LIST_PRICE = 1_000_000n

/** Whether users of a group may use another one: it allows them or everyone, or it is their own. */
export function mayUse({ byName }: Groups, userGroup: string, name: string): boolean {
  if (name === userGroup) return true
  const group = byName.get(name)
  return group !== undefined && (group.usableBy.has(EVERYONE) || group.usableBy.has(userGroup))
}

/**
 * The ratio at which a group charges users of another, in millionths of the list price; an unknown group charges the list price.
 */
export function ratioFor({ byName }: Groups, userGroup: string, name: string): bigint {
  const group = byName.get(name)
  if (group === undefined) return LIST_PRICE
  return group.ratioFor.size === 0 ? group.ratio : (group.ratioFor.get(userGroup) ?? group.ratio)
}

/** The groups of a list that users of a group may use, in list order; `auto` stands for the groups set for it. */
export function usableOf(groups: Groups, userGroup: string, named: readonly string[]): readonly string[] {
  return namesOf(groups, named).filter((name) => mayUse(groups, userGroup, name))
}

export function barredOf(groups: Groups, userGroup: string, named: readonly string[]): readonly string[] {
  return namesOf(groups, named).filter((name) => !mayUse(groups, userGroup, name))
}

/** Position of the first name that users of a group may not use, in the list submitted for a token; -1 for none. */
export function barredAt(groups: Groups, userGroup: string, named: readonly string[]): number {
  if (isAuto(groups, named)) return usableOf(groups, userGroup, named).length === 0 ? 0 : -1
  return named.findIndex((name) => !groups.byName.has(name) || !mayUse(groups, userGroup, name))
}

function namesOf(groups: Groups, named: readonly string[]): readonly string[] {
  return isAuto(groups, named) ? groups.auto : named
}

function isAuto({ byName }: Groups, named: readonly string[]): boolean {
  return named.length === 1 && named[0] === AUTO && !byName.has(AUTO)
}
