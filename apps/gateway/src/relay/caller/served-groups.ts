import type { Refusal } from '@sluice/contract/errors'
import type { Groups } from '@sluice/store/options/groups'
import { usableOf } from '@sluice/store/options/usable-groups'
import type { Identity } from '../stages/identity.ts'

type Served = Pick<Identity, 'group' | 'groups'>

/**
 * The token's groups that its owner can use now, in order: the owner may have moved since the token was created (class S37).
 * Undefined for a token without groups, which is served by its owner's group.
 */
export function servedGroups(
  groups: Groups,
  userGroup: string,
  named: readonly string[],
): readonly string[] | undefined {
  return named.length === 0 ? undefined : usableOf(groups, userGroup, named)
}

export function noGroupLeft(named: readonly string[]): Refusal {
  return { code: 'token_groups_unusable', params: { groups: named.join(', ') } }
}

export function isServedBy({ group, groups }: Served, ofChannel: readonly string[]): boolean {
  return groups === undefined ? ofChannel.includes(group) : groups.some((each) => ofChannel.includes(each))
}

/**
 * The group under which an explicitly selected channel serves the caller: the token's first group that the channel belongs to,
 * otherwise its first group, because administrators may select any channel. Undefined for a token without groups.
 */
export function groupAt({ groups }: Served, ofChannel: readonly string[]): string | undefined {
  return groups?.find((each) => ofChannel.includes(each)) ?? groups?.[0]
}

export function groupsText({ group, groups }: Served): string {
  return groups === undefined ? group : groups.join(', ')
}

/** The model is not offered to the caller; if the token has groups, they are listed, because other groups might help. */
export function modelNotFound(model: string, { groups }: Pick<Served, 'groups'>, field = 'model'): Refusal {
  const where = groups === undefined ? '' : ` (groups: ${groups.join(', ')})`
  return { code: 'model_not_found', params: { model, where }, field }
}
