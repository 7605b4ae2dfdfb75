import { describe, expect, test } from 'vitest'
import { GROUP_VIEWS, groupSettingText } from './group-changes.ts'
import { changeOptions, type Options, type OptionSubmission, optionText, readOptions } from './options.ts'
import { barredAt, mayUse, ratioFor, usableOf } from './usable-groups.ts'

type Stored = Readonly<Record<string, string>>

const read = (stored: Stored = {}) => readOptions(new Map(Object.entries(stored)), (sealed) => sealed)

/** The rows after a change, and the groups read from them. */
function change(stored: Stored, submitted: Readonly<Record<string, unknown>>) {
  const list = Object.entries(submitted).map(([key, value]): OptionSubmission => ({
    key,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  }))
  const result = changeOptions(list, read(stored).options)
  if (result.outcome === 'refused') throw new Error(`${result.key}: ${result.problem}`)
  const rows = { ...stored, ...Object.fromEntries(result.changes.map(({ key, text }) => [key, text])) }
  const { options, problems } = read(rows)
  expect(problems).toEqual([])
  expect(options).toEqual(result.after)
  return { rows, options }
}
const problemOf = (submitted: Readonly<Record<string, unknown>>, stored: Stored = {}) => {
  try {
    change(stored, submitted)
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
  return 'taken'
}
const json = (options: Options, key: Parameters<typeof groupSettingText>[0]): unknown =>
  JSON.parse(groupSettingText(key, options.Groups))

const PLAIN = { ratio: 1, title: '', text: '', usable_by: [], ratio_for: {}, order: 0 }
const THREE = { default: 1, vip: 0.8, fast: 2 }

describe('groups', () => {
  test('are those of GroupRatio, which is all that is stored until something else is said of them', () => {
    const { rows, options } = change({}, { GroupRatio: THREE })
    expect(Object.keys(rows)).toEqual(['GroupRatio'])
    expect(json(options, 'Groups')).toEqual({
      default: PLAIN,
      vip: { ...PLAIN, ratio: 0.8 },
      fast: { ...PLAIN, ratio: 2 },
    })
    expect(GROUP_VIEWS.map((key) => groupSettingText(key, options.Groups))).toEqual(['{}', '{}', '[]'])
  })

  test('are set together by Groups, with their ratios in the row that every version reads', () => {
    const Groups = {
      default: { ...PLAIN, ratio: 1 },
      vip: { ...PLAIN, ratio: 0.8, usable_by: ['*'], title: 'VIP', text: 'dearer', order: 2 },
      fast: { ...PLAIN, ratio: 2, usable_by: ['vip'], ratio_for: { vip: 1.5 }, order: 1 },
    }
    const { rows, options } = change({}, { Groups })
    expect(JSON.parse(rows['GroupRatio'] ?? '')).toEqual(THREE)
    expect(rows['Groups']).not.toContain('"ratio"')
    expect(json(options, 'Groups')).toEqual(Groups)
    expect(json(options, 'UserUsableGroups')).toEqual({ vip: 'dearer' })
    expect(json(options, 'GroupGroupRatio')).toEqual({ vip: { fast: 1.5 } })
    expect(json(options, 'AutoGroups')).toEqual(['fast', 'vip'])
    const again = changeOptions([{ key: 'Groups', value: optionText('Groups', options) ?? '' }], options)
    expect(again).toMatchObject({ outcome: 'set', changes: [] })
  })

  test('are set by the options of the family, in any order and in one submission', () => {
    const { options } = change(
      {},
      {
        AutoGroups: ['vip', 'default'],
        UserUsableGroups: { default: 'for all', vip: 'dearer', auto: 'ignored' },
        GroupGroupRatio: { vip: { vip: 0.5, fast: 1.2 } },
        GroupRatio: THREE,
      },
    )
    expect(json(options, 'Groups')).toEqual({
      default: { ...PLAIN, text: 'for all', usable_by: ['*'], order: 2 },
      vip: { ...PLAIN, ratio: 0.8, text: 'dearer', usable_by: ['*'], ratio_for: { vip: 0.5 }, order: 1 },
      fast: { ...PLAIN, ratio: 2, ratio_for: { vip: 1.2 } },
    })
  })

  test.each([...GROUP_VIEWS, 'GroupRatio', 'Groups'] as const)('what %s shows changes nothing', (key) => {
    const { rows, options } = change(
      {},
      {
        GroupRatio: THREE,
        UserUsableGroups: { vip: 'v' },
        GroupGroupRatio: { vip: { fast: 1 } },
        AutoGroups: ['fast'],
      },
    )
    expect(change(rows, { [key]: groupSettingText(key, options.Groups) }).options).toEqual(options)
  })

  test('that one option of the family says nothing of keep what the others say', () => {
    const { rows } = change(
      {},
      { Groups: { default: {}, vip: { usable_by: ['default'], ratio_for: { vip: 2 }, order: 3 } } },
    )
    const { options } = change(rows, { UserUsableGroups: { vip: 'now for all' } })
    expect(json(options, 'Groups')).toMatchObject({
      vip: { text: 'now for all', usable_by: ['*', 'default'], ratio_for: { vip: 2 }, order: 3 },
    })
    const { options: less } = change(change(rows, { UserUsableGroups: { vip: '' } }).rows, { UserUsableGroups: {} })
    expect(json(less, 'Groups')).toMatchObject({ vip: { usable_by: ['default'] } })
  })

  test('that are dropped do not return with their rights, in whichever way they are dropped', () => {
    const { rows } = change(
      {},
      { Groups: { default: {}, vip: { usable_by: ['gone'] }, gone: { usable_by: ['*'], order: 1 } } },
    )
    const without = change(rows, { GroupRatio: { default: 1, vip: 1 } })
    expect(without.options.Groups.byName.get('vip')?.usableBy).toEqual(new Set())
    expect(json(change(without.rows, { GroupRatio: { default: 1, vip: 1, gone: 1 } }).options, 'Groups')).toEqual({
      default: PLAIN,
      vip: PLAIN,
      gone: PLAIN,
    })
  })

  test('of a row that an earlier version wrote beside this one are those of its GroupRatio', () => {
    const { rows } = change({}, { Groups: { default: {}, vip: { ratio: 2, usable_by: ['*'] } } })
    const { options, problems } = read({ ...rows, GroupRatio: '{"default":1,"new":3,"vip":4}' })
    expect(problems).toEqual([])
    expect(json(options, 'Groups')).toEqual({
      default: PLAIN,
      new: { ...PLAIN, ratio: 3 },
      vip: { ...PLAIN, ratio: 4, usable_by: ['*'] },
    })
  })

  test('keep their ratios where what is stored besides cannot be read', () => {
    const { options, problems } = read({ GroupRatio: '{"default":1,"vip":2}', Groups: '{"vip":5}' })
    expect(problems).toEqual(['Groups needs an object like {"ratio": 1} for "vip"'])
    expect(json(options, 'Groups')).toEqual({ default: PLAIN, vip: { ...PLAIN, ratio: 2 } })
  })

  test.each([
    [{ Groups: '[]' }, 'Groups: Groups must be a JSON object that maps a group to its settings'],
    [{ Groups: {} }, 'Groups: Groups must name 1 to 1000 groups'],
    [{ Groups: { vip: {} } }, 'Groups: Groups must name the group "default", to which new users belong'],
    [{ Groups: { default: {}, 'a,b': {} } }, 'Groups: Groups has a group name that is empty'],
    [
      { Groups: { default: { price: 1 } } },
      'Groups: Groups supports only ratio, title, text, usable_by, ratio_for, order,',
    ],
    [{ Groups: { default: { ratio: -1 } } }, 'Groups: Groups needs a number from 0 to 1000 for "default"'],
    [{ Groups: { default: { text: 'x'.repeat(301) } } }, 'needs a text of at most 300 characters in text of "default"'],
    [{ Groups: { default: { title: 5 } } }, 'needs a text of at most 60 characters in title of "default"'],
    [{ Groups: { default: { usable_by: 'all' } } }, 'needs a list of user groups in usable_by of "default"'],
    [
      { Groups: { default: { usable_by: ['x'] } } },
      'names the user group "x" for "default", but does not define that group',
    ],
    [{ Groups: { default: { ratio_for: { x: 1 } } } }, 'names the user group "x" for "default"'],
    [{ Groups: { default: { ratio_for: { default: '1' } } } }, 'needs a number from 0 to 1000 for "default"'],
    [{ Groups: { default: { order: 1.5 } } }, 'needs a whole number from 0 to 1000 in order of "default"'],
    [{ Groups: { default: { order: 1 }, vip: { order: 1 } } }, 'has "default" and "vip" in the same position'],
    [
      { UserUsableGroups: [] },
      'UserUsableGroups: UserUsableGroups must be a JSON object that maps a group to its text',
    ],
    [{ UserUsableGroups: { nobody: '' } }, 'names the group "nobody", which is not in GroupRatio'],
    [{ UserUsableGroups: { vip: 5 } }, 'needs a text of at most 300 characters for "vip"'],
    [{ GroupGroupRatio: { vip: 1 } }, 'needs an object that maps groups to ratios for "vip"'],
    [{ GroupGroupRatio: { vip: { nobody: 1 } } }, 'names the group "nobody"'],
    [{ GroupGroupRatio: { nobody: { vip: 1 } } }, 'names the group "nobody"'],
    [{ GroupGroupRatio: { vip: { vip: 1.0000001 } } }, 'allows at most six decimals, which "vip" exceeds'],
    [{ AutoGroups: '"vip"' }, 'AutoGroups: AutoGroups must be a JSON list of groups'],
    [{ AutoGroups: ['vip', 'vip'] }, 'names a group twice'],
    [{ AutoGroups: ['nobody'] }, 'names the group "nobody"'],
    [{ AutoGroups: '[broken' }, 'must be a JSON list of groups'],
  ])('refuse %j, with the rule', (submitted, problem) => {
    expect(problemOf(submitted)).toContain(problem)
  })
})

describe('a user', () => {
  const { options } = change(
    {},
    {
      Groups: {
        default: {},
        vip: { ratio: 0.8, usable_by: ['*'], order: 2 },
        fast: { ratio: 2, usable_by: ['vip'], ratio_for: { vip: 1.5 }, order: 1 },
        closed: {},
      },
    },
  )
  const { Groups } = options

  test.each([
    ['default', ['default', 'vip']],
    ['vip', ['vip', 'fast']],
    ['closed', ['vip', 'closed']],
    ['unknown', ['vip']],
  ])('of the group %s may use %j', (userGroup, usable) => {
    const names = [...Groups.byName.keys()]
    expect(names.filter((name) => mayUse(Groups, userGroup, name))).toEqual(usable)
    expect(usableOf(Groups, userGroup, names)).toEqual(usable)
  })

  test('may use their own group even when it is not among the groups any more', () => {
    expect(mayUse(Groups, 'unknown', 'unknown')).toBe(true)
    expect(ratioFor(Groups, 'unknown', 'unknown')).toBe(1_000_000n)
  })

  test('pays the ratio of the group, or the one that is set for their own group', () => {
    expect(ratioFor(Groups, 'default', 'vip')).toBe(800_000n)
    expect(ratioFor(Groups, 'vip', 'fast')).toBe(1_500_000n)
    expect(ratioFor(Groups, 'default', 'fast')).toBe(2_000_000n)
  })

  test('has with auto those of AutoGroups that their own group may use, in their order', () => {
    expect(usableOf(Groups, 'vip', ['auto'])).toEqual(['fast', 'vip'])
    expect(usableOf(Groups, 'default', ['auto'])).toEqual(['vip'])
    expect(barredAt(Groups, 'default', ['auto'])).toBe(-1)
  })

  test('may give a token a list of groups only where all of them may be used', () => {
    expect(barredAt(Groups, 'vip', ['fast', 'vip'])).toBe(-1)
    expect(barredAt(Groups, 'default', ['vip', 'fast'])).toBe(1)
    expect(barredAt(Groups, 'default', ['nobody'])).toBe(0)
    expect(barredAt(read().options.Groups, 'default', ['auto'])).toBe(0)
  })

  test('means with auto a group of this name where there is one', () => {
    const { options: named } = change({}, { Groups: { default: { usable_by: ['*'], order: 1 }, auto: {} } })
    expect(usableOf(named.Groups, 'default', ['auto'])).toEqual([])
    expect(usableOf(named.Groups, 'auto', ['auto'])).toEqual(['auto'])
  })
})
