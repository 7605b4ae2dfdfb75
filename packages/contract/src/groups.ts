import * as v from 'valibot'

/** Stands for the groups in the option `AutoGroups` that a token's owner may use, in their order, unless a group has this name. */
export const AUTO_GROUP = 'auto'

export const TOKEN_GROUPS_MAX = 10

/** What the family shows as the ratio of `auto`, whose actual ratio is that of the answering group. */
export const AUTO_RATIO = '自动'

export const groupName = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, 'must name a group'),
  v.maxLength(32, 'is limited to 32 characters'),
  v.regex(/^[^,]*$/, 'must not contain a comma'),
  // oxlint-disable-next-line no-control-regex
  v.regex(/^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$/, 'must not contain control characters'),
)

/** In the order in which they are tried; empty for the owner's group. */
export const tokenGroups = v.pipe(
  v.array(groupName),
  v.maxLength(TOKEN_GROUPS_MAX, `is limited to ${TOKEN_GROUPS_MAX} groups`),
  v.check((groups) => new Set(groups).size === groups.length, 'names a group twice'),
  v.check(
    (groups) => groups.length < 2 || !groups.includes(AUTO_GROUP),
    '"auto" stands for a whole list of groups and cannot be combined with others',
  ),
)

export const usableGroup = v.object({
  /** Factor on every price for this user; a text for `auto`, whose ratio is that of the answering group. */
  ratio: v.union([v.number(), v.string()]),
  /** The description, otherwise the title, otherwise the name. */
  desc: v.string(),
  title: v.string(),
  own: v.boolean(),
  /** Position in `AutoGroups`, from 1; 0 if absent there. */
  order: v.number(),
})
export type UsableGroup = v.InferOutput<typeof usableGroup>

/** By name: the user's own group first, then those in `AutoGroups` in their order, then the others. */
export const usableGroups = v.record(v.string(), usableGroup)
export type UsableGroups = v.InferOutput<typeof usableGroups>
