import type { Refusal } from '@sluice/contract/errors'
import { splitList } from '@sluice/contract/fields/comma-list'
import type { BodyOutput } from '@sluice/contract/route'
import type { createToken } from '@sluice/contract/routes/tokens'
import type { Groups } from '@sluice/store/options/groups'
import { barredAt } from '@sluice/store/options/usable-groups'
import { invalidField } from '../issue-text.ts'

type Submitted = Pick<BodyOutput<typeof createToken>, 'groups' | 'group'>

export function groupsOnWire(stored: string | null): { readonly groups: string[]; readonly group: string } {
  const groups = [...splitList(stored)]
  return { groups, group: groups[0] ?? '' }
}

/**
 * The groups to store for those that a token's owner names; the owner must be able to use each. The family's clients know only one
 * group and send back the one they were shown; the list that they cannot see is preserved.
 */
export function storedGroups(
  options: { readonly Groups: Groups },
  userGroup: string,
  { groups, group }: Submitted,
  before: string | null,
): { readonly groups: string | null } | Refusal {
  const named = groups ?? (group === undefined || group === groupsOnWire(before).group ? undefined : namedBy(group))
  if (named === undefined) return { groups: before }
  const at = barredAt(options.Groups, userGroup, named)
  if (at !== -1) {
    const field = groups === undefined ? 'group' : `groups[${at}]`
    return invalidField(field, `names a group that this account cannot use: "${named[at] ?? ''}"`)
  }
  return { groups: named.length === 0 ? null : named.join(',') }
}

function namedBy(group: string): readonly string[] {
  return group === '' ? [] : [group]
}
