import { AUTO_GROUP, TOKEN_GROUPS_MAX, type UsableGroups } from '@sluice/contract/groups'

/** Whether this is no group, but stands for those that the operator has set: unlike groups it has no ratio of its own. */
export function isAuto(name: string, usable: UsableGroups): boolean {
  return name === AUTO_GROUP && typeof usable[name]?.ratio !== 'number'
}

/** Names of the groups that can be added to the chosen ones: `auto` stands alone. */
export function addableGroups(usable: UsableGroups, chosen: readonly string[]): readonly string[] {
  if (chosen.length >= TOKEN_GROUPS_MAX || chosen.some((name) => isAuto(name, usable))) return []
  return Object.keys(usable).filter((name) => !chosen.includes(name) && (chosen.length === 0 || !isAuto(name, usable)))
}

/** Whether there is anything to choose: more groups than one, or a choice that was made when there were. */
export function isChoice(usable: UsableGroups, chosen: readonly string[]): boolean {
  return chosen.length > 0 || Object.keys(usable).filter((name) => !isAuto(name, usable)).length > 1
}

/** The groups after one has moved up (-1) or down (1). */
export function movedGroup(chosen: readonly string[], name: string, step: -1 | 1): string[] {
  const at = chosen.indexOf(name)
  return chosen.toSpliced(at, 1).toSpliced(at + step, 0, name)
}
