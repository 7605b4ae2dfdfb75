/** A group: users are charged by it, and channels serve it. Ratios are in millionths of the list price. */
export interface Group {
  readonly ratio: bigint
  readonly title: string
  readonly text: string
  /** User groups whose tokens may name it, or `*` for all. Users may always use their own group. */
  readonly usableBy: ReadonlySet<string>
  /** Ratios for users of certain groups, in place of its own. */
  readonly ratioFor: ReadonlyMap<string, bigint>
  /** Its place in the list that `auto` stands for, from 1; 0: not there. */
  readonly order: number
}

export interface Groups {
  readonly byName: ReadonlyMap<string, Group>
  /** The groups that `auto` stands for. */
  readonly auto: readonly string[]
}

export type GroupDetails = Omit<Group, 'ratio'>
export type GroupRatios = ReadonlyMap<string, bigint>

export type Parsed<Value> = { readonly value: Value } | { readonly problem: string }

export const NO_DETAILS: GroupDetails = { title: '', text: '', usableBy: new Set(), ratioFor: new Map(), order: 0 }
export const EVERYONE = '*'

const MILLION = 1_000_000
const RATIO_MAX = 1_000
const GROUPS_MAX = 1_000
const TITLE_MAX = 60
export const TEXT_MAX = 300
export const ORDER_MAX = 1_000
/** Longer stored texts are not read. */
const SETTING_MAX = 100_000
const FIELDS: ReadonlySet<string> = new Set(['ratio', 'title', 'text', 'usable_by', 'ratio_for', 'order'])

/** Names and ratios come from one setting, the rest from another; details of a group that is gone are left out. */
export function groupsOf(ratios: GroupRatios, details: ReadonlyMap<string, GroupDetails>): Groups {
  const byName = new Map<string, Group>()
  for (const [name, ratio] of ratios) byName.set(name, { ...(details.get(name) ?? NO_DETAILS), ratio })
  return groupsByName(byName)
}

export function groupsByName(byName: ReadonlyMap<string, Group>): Groups {
  const placed = [...byName].filter(([, { order }]) => order > 0)
  return { byName, auto: placed.toSorted(([, a], [, b]) => a.order - b.order).map(([name]) => name) }
}

/** Reads `{"vip": 0.8}`. */
export function parseRatios(parsed: unknown): Parsed<GroupRatios> {
  if (!isObject(parsed)) return { problem: 'must be a JSON object that maps a name to a ratio' }
  const entries = Object.entries(parsed)
  const ratios = new Map<string, bigint>()
  const wrong = namesProblem(entries.map(([name]) => name))
  if (wrong !== undefined) return { problem: wrong }
  for (const [name, given] of entries) {
    const ratio = parseRatio(name, given)
    if ('problem' in ratio) return ratio
    ratios.set(name, ratio.value)
  }
  return withDefault(ratios)
}

/** Reads `{"vip": {"ratio": 0.8, "usable_by": ["*"]}}`; a group without a ratio has 1. */
export function parseGroups(parsed: unknown): Parsed<ReadonlyMap<string, Group>> {
  if (!isObject(parsed)) return { problem: 'must be a JSON object that maps a group to its settings' }
  const wrong = namesProblem(Object.keys(parsed))
  if (wrong !== undefined) return { problem: wrong }
  const groups = new Map<string, Group>()
  for (const [name, given] of Object.entries(parsed)) {
    const details = parseOne(name, given)
    if ('problem' in details) return details
    const ratio = parseRatio(name, isObject(given) ? (given['ratio'] ?? 1) : 1)
    if ('problem' in ratio) return ratio
    groups.set(name, { ...details.value, ratio: ratio.value })
  }
  return withDefault(groups)
}

export function parseDetails(text: string): Parsed<ReadonlyMap<string, GroupDetails>> {
  const parsed = text.trim() === '' ? {} : parseSetting(text)
  if (!isObject(parsed)) return { problem: 'must be a JSON object that maps a group to its settings' }
  const details = new Map<string, GroupDetails>()
  for (const [name, given] of Object.entries(parsed)) {
    const one = parseOne(name, given)
    if ('problem' in one) return one
    details.set(name, one.value)
  }
  return { value: details }
}

/** The groups as the text of their setting, with all fields of each. */
export function groupsText({ byName }: Groups): string {
  const shown = [...byName].map(([name, group]) => [
    name,
    { ratio: ratioNumber(group.ratio), title: group.title, text: group.text, ...listsOf(group), order: group.order },
  ])
  return JSON.stringify(Object.fromEntries(shown))
}

/** The details that differ from the defaults, without ratios. Undefined when the text would be too long to read back. */
export function detailsText({ byName }: Groups): string | undefined {
  const shown = [...byName].flatMap(([name, group]) => {
    const { title, text, order } = group
    const { usable_by: usableBy, ratio_for: ratioFor } = listsOf(group)
    const kept = {
      ...(title === '' ? {} : { title }),
      ...(text === '' ? {} : { text }),
      ...(usableBy.length === 0 ? {} : { usable_by: usableBy }),
      ...(group.ratioFor.size === 0 ? {} : { ratio_for: ratioFor }),
      ...(order === 0 ? {} : { order }),
    }
    return Object.keys(kept).length === 0 ? [] : [[name, kept] as const]
  })
  const text = JSON.stringify(Object.fromEntries(shown))
  return text.length > SETTING_MAX ? undefined : text
}

export function ratiosText(ratios: GroupRatios): string {
  return JSON.stringify(Object.fromEntries([...ratios].map(([name, ratio]) => [name, ratioNumber(ratio)])))
}

export const ratioNumber = (ratio: bigint): number => Number(ratio) / MILLION

/** A ratio in millionths, or what is wrong with it. */
export function parseRatio(name: string, ratio: unknown): Parsed<bigint> {
  if (typeof ratio !== 'number' || !(ratio >= 0 && ratio <= RATIO_MAX))
    return { problem: `needs a number from 0 to ${RATIO_MAX} for "${name.slice(0, 32)}"` }
  const millionths = Math.round(ratio * MILLION)
  if (millionths / MILLION !== ratio) {
    return { problem: `allows at most six decimals, which "${name.slice(0, 32)}" exceeds` }
  }
  return { value: BigInt(millionths) }
}

/** Undefined if the text is not JSON, or is too long. */
export function parseSetting(text: string): unknown {
  if (text.length > SETTING_MAX) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads everything except the ratio. Whether the groups that it names exist is checked where all groups are known. */
function parseOne(name: string, given: unknown): Parsed<GroupDetails> {
  const shown = `"${name.slice(0, 32)}"`
  if (!isObject(given)) return { problem: `needs an object like {"ratio": 1} for ${shown}` }
  const unknown = Object.keys(given).find((field) => !FIELDS.has(field))
  if (unknown !== undefined) {
    return { problem: `supports only ${[...FIELDS].join(', ')}, but ${shown} contains "${unknown.slice(0, 32)}"` }
  }
  const { title = '', text = '', usable_by: usable = [], ratio_for: ratios = {}, order = 0 } = given
  if (typeof title !== 'string' || title.length > TITLE_MAX) {
    return { problem: `needs a text of at most ${TITLE_MAX} characters in title of ${shown}` }
  }
  if (typeof text !== 'string' || text.length > TEXT_MAX) {
    return { problem: `needs a text of at most ${TEXT_MAX} characters in text of ${shown}` }
  }
  if (!Array.isArray(usable) || !usable.every((each) => typeof each === 'string')) {
    return { problem: `needs a list of user groups in usable_by of ${shown}` }
  }
  if (!isObject(ratios)) return { problem: `needs an object that maps user groups to ratios in ratio_for of ${shown}` }
  if (typeof order !== 'number' || !Number.isInteger(order) || order < 0 || order > ORDER_MAX) {
    return { problem: `needs a whole number from 0 to ${ORDER_MAX} in order of ${shown}` }
  }
  const ratioFor = new Map<string, bigint>()
  for (const [userGroup, ratio] of Object.entries(ratios)) {
    const parsed = parseRatio(userGroup, ratio)
    if ('problem' in parsed) return parsed
    ratioFor.set(userGroup, parsed.value)
  }
  return { value: { title, text, usableBy: new Set<string>(usable), ratioFor, order } }
}

function listsOf({ usableBy, ratioFor }: GroupDetails) {
  return {
    usable_by: [...usableBy],
    ratio_for: Object.fromEntries([...ratioFor].map(([group, ratio]) => [group, ratioNumber(ratio)])),
  }
}

function namesProblem(names: readonly string[]): string | undefined {
  if (names.length === 0 || names.length > GROUPS_MAX) return `must name 1 to ${GROUPS_MAX} groups`
  return names.every((name) => /^[^\s,][^,]{0,31}$/.test(name) && name === name.trim())
    ? undefined
    : 'has a group name that is empty, longer than 32 characters or contains a comma'
}

function withDefault<Value>(groups: ReadonlyMap<string, Value>): Parsed<ReadonlyMap<string, Value>> {
  return groups.has('default')
    ? { value: groups }
    : { problem: 'must name the group "default", to which new users belong' }
}
