import {
  detailsText,
  EVERYONE,
  type Group,
  type Groups,
  groupsByName,
  groupsText,
  isObject,
  NO_DETAILS,
  ORDER_MAX,
  parseGroups,
  parseRatio,
  parseRatios,
  parseSetting,
  type Parsed,
  ratioNumber,
  ratiosText,
  TEXT_MAX,
} from './groups.ts'

type ByName = ReadonlyMap<string, Group>

interface GroupSetting {
  /** Applies a submitted text to the groups. */
  readonly apply: (before: ByName, parsed: unknown) => Parsed<ByName>
  readonly text: (groups: Groups) => string
}

/**
 * The settings that concern groups, in the order in which a submission applies them: `Groups`, and the names that the family uses
 * for parts of it. Each group is stored once: its name and ratio in the row `GroupRatio`, which every version reads, and the rest
 * in the row `Groups`.
 */
const GROUP_SETTINGS = {
  Groups: { apply: (_, parsed) => parsedSubmission(parseGroups(parsed)), text: groupsText },
  GroupRatio: { apply: withRatios, text: (groups) => ratiosText(ratiosOf(groups.byName)) },
  UserUsableGroups: { apply: withUsable, text: usableText },
  GroupGroupRatio: { apply: withRatiosFor, text: ratiosForText },
  AutoGroups: { apply: withAuto, text: ({ auto }) => JSON.stringify(auto) },
} as const satisfies Readonly<Record<string, GroupSetting>>

export type GroupSettingKey = keyof typeof GROUP_SETTINGS

// oxlint-disable-next-line no-control-regex
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

const KEYS = Object.keys(GROUP_SETTINGS).filter(isGroupSetting)
/** The settings that have no row of their own. */
export const GROUP_VIEWS = KEYS.filter((key) => key !== 'Groups' && key !== 'GroupRatio')

export function isGroupSetting(key: string): key is GroupSettingKey {
  return Object.hasOwn(GROUP_SETTINGS, key)
}

/** The value of one of these settings, as the settings calls show it. */
export function groupSettingText(key: GroupSettingKey, groups: Groups): string {
  return GROUP_SETTINGS[key].text(groups)
}

export type ChangedGroups =
  | {
      readonly groups: Groups
      readonly ratios: ReadonlyMap<string, bigint>
      readonly rows: readonly { readonly key: 'GroupRatio' | 'Groups'; readonly text: string }[]
    }
  | { readonly key: GroupSettingKey; readonly problem: string }

/** Applies these texts to the groups, in any order: all are accepted or none. */
export function changeGroups(before: Groups, submitted: ReadonlyMap<string, string>): ChangedGroups {
  let byName = before.byName
  for (const key of KEYS) {
    const text = submitted.get(key)
    if (text === undefined) continue
    const applied = GROUP_SETTINGS[key].apply(byName, parseSetting(text))
    if ('problem' in applied) return { key, problem: applied.problem }
    byName = applied.value
  }
  if (!submitted.has('Groups')) byName = withoutGone(byName)
  const stray = strayName(byName)
  if (stray !== undefined) return { key: 'Groups', problem: stray }
  const groups = groupsByName(byName)
  const details = detailsText(groups)
  if (details === undefined) {
    return { key: 'Groups', problem: 'has group details (titles, descriptions, lists) that are too long to store' }
  }
  const rows: { readonly key: 'GroupRatio' | 'Groups'; readonly text: string }[] = []
  const ratios = ratiosText(ratiosOf(byName))
  if (submitted.has('GroupRatio') || ratios !== ratiosText(ratiosOf(before.byName))) {
    rows.push({ key: 'GroupRatio', text: submitted.get('GroupRatio') ?? ratios })
  }
  if (details !== detailsText(before)) rows.push({ key: 'Groups', text: details })
  return { groups, ratios: ratiosOf(byName), rows }
}

/** New names must not contain control characters: names are put into headers, files and logs. Stored names are read as they are. */
function parsedSubmission<Value>(parsed: Parsed<ReadonlyMap<string, Value>>): Parsed<ReadonlyMap<string, Value>> {
  if ('problem' in parsed || [...parsed.value.keys()].every((name) => !CONTROL_CHARACTERS.test(name))) return parsed
  return { problem: 'has a group name with a control character' }
}

function ratiosOf(byName: ByName): ReadonlyMap<string, bigint> {
  return new Map([...byName].map(([name, { ratio }]) => [name, ratio]))
}

/** Sets names and ratios; the other details of groups that remain are kept. */
function withRatios(before: ByName, parsed: unknown): Parsed<ByName> {
  const ratios = parsedSubmission(parseRatios(parsed))
  if ('problem' in ratios) return ratios
  return {
    value: new Map([...ratios.value].map(([name, ratio]) => [name, { ...(before.get(name) ?? NO_DETAILS), ratio }])),
  }
}

/**
 * Sets the groups that everyone may use, with their descriptions. `auto` is not a group: it is usable when it stands for groups.
 */
function withUsable(before: ByName, parsed: unknown): Parsed<ByName> {
  if (!isObject(parsed)) return { problem: 'must be a JSON object that maps a group to its text' }
  const named = Object.entries(parsed).filter(([name]) => name !== 'auto' || before.has(name))
  const wrong = unknownName(
    before,
    named.map(([name]) => name),
  )
  if (wrong !== undefined) return { problem: wrong }
  const texts = new Map<string, string>()
  for (const [name, text] of named) {
    if (typeof text !== 'string' || text.length > TEXT_MAX) {
      return { problem: `needs a text of at most ${TEXT_MAX} characters for "${name}"` }
    }
    texts.set(name, text)
  }
  return changed(before, (name, group) => {
    const text = texts.get(name)
    const others = [...group.usableBy].filter((each) => each !== EVERYONE)
    return text === undefined
      ? { ...group, usableBy: new Set(others) }
      : { ...group, text, usableBy: new Set([EVERYONE, ...others]) }
  })
}

function usableText({ byName }: Groups): string {
  const shown = [...byName].filter(([, { usableBy }]) => usableBy.has(EVERYONE)).map(([name, { text }]) => [name, text])
  return JSON.stringify(Object.fromEntries(shown))
}

/** `{"user group": {"group": 0.5}}`. */
function withRatiosFor(before: ByName, parsed: unknown): Parsed<ByName> {
  if (!isObject(parsed)) return { problem: 'must be a JSON object that maps a user group to the ratios of groups' }
  const ratios = new Map<string, Map<string, bigint>>()
  for (const [userGroup, given] of Object.entries(parsed)) {
    if (!isObject(given))
      return { problem: `needs an object that maps groups to ratios for "${userGroup.slice(0, 32)}"` }
    const wrong = unknownName(before, [userGroup, ...Object.keys(given)])
    if (wrong !== undefined) return { problem: wrong }
    for (const [name, each] of Object.entries(given)) {
      const ratio = parseRatio(name, each)
      if ('problem' in ratio) return ratio
      const known = ratios.get(name) ?? new Map<string, bigint>()
      ratios.set(name, known.set(userGroup, ratio.value))
    }
  }
  return changed(before, (name, group) => ({ ...group, ratioFor: ratios.get(name) ?? new Map() }))
}

function ratiosForText({ byName }: Groups): string {
  const shown: Record<string, Record<string, number>> = Object.create(null)
  for (const [name, { ratioFor }] of byName) {
    for (const [userGroup, ratio] of ratioFor) (shown[userGroup] ??= Object.create(null))[name] = ratioNumber(ratio)
  }
  return JSON.stringify(shown)
}

/** `["a", "b"]`: what `auto` stands for, in this order. */
function withAuto(before: ByName, parsed: unknown): Parsed<ByName> {
  if (!Array.isArray(parsed) || !parsed.every((name) => typeof name === 'string') || parsed.length > ORDER_MAX) {
    return { problem: 'must be a JSON list of groups' }
  }
  const places = new Map(parsed.map((name, at) => [name, at + 1]))
  if (places.size < parsed.length) return { problem: 'names a group twice' }
  const wrong = unknownName(before, parsed)
  if (wrong !== undefined) return { problem: wrong }
  return changed(before, (name, group) => ({ ...group, order: places.get(name) ?? 0 }))
}

function changed(before: ByName, change: (name: string, group: Group) => Group): { readonly value: ByName } {
  return { value: new Map([...before].map(([name, group]) => [name, change(name, group)])) }
}

function unknownName(known: ByName, names: readonly string[]): string | undefined {
  const wrong = names.find((name) => !known.has(name))
  return wrong === undefined ? undefined : `names the group "${wrong.slice(0, 32)}", which is not in GroupRatio`
}

/** A dropped group must not come back with its old rights. */
function withoutGone(byName: ByName): ByName {
  const isKnown = (name: string) => name === EVERYONE || byName.has(name)
  return changed(byName, (_, group) => ({
    ...group,
    usableBy: new Set([...group.usableBy].filter(isKnown)),
    ratioFor: new Map([...group.ratioFor].filter(([name]) => isKnown(name))),
  })).value
}

/** A right or ratio for a group that does not exist would go unnoticed, as would one of two groups in the same place. */
function strayName(byName: ByName): string | undefined {
  const places = new Map<number, string>()
  for (const [name, { usableBy, ratioFor, order }] of byName) {
    const stray = [...usableBy, ...ratioFor.keys()].find((each) => each !== EVERYONE && !byName.has(each))
    if (stray !== undefined)
      return `names the user group "${stray.slice(0, 32)}" for "${name}", but does not define that group`
    const other = places.get(order)
    if (order > 0 && other !== undefined) return `has "${other}" and "${name}" in the same position`
    places.set(order, name)
  }
  return undefined
}
