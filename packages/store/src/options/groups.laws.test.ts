import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { changeGroups, GROUP_VIEWS, groupSettingText } from './group-changes.ts'
import { detailsText, type Group, type Groups, groupsByName, groupsOf, parseDetails } from './groups.ts'
import { barredAt, mayUse, ratioFor, usableOf } from './usable-groups.ts'

const NAMES = ['default', 'vip', '快', 'a b', '__proto__', '1', 'auto']

const ratio = fc.bigInt({ min: 0n, max: 1_000_000_000n })

/** Any groups among these names, each of which names only existing groups. */
const someGroups: fc.Arbitrary<Groups> = fc
  .uniqueArray(fc.constantFrom(...NAMES), { maxLength: NAMES.length })
  .map((names) => [...new Set(['default', ...names])])
  .chain((names) =>
    fc
      .tuple(
        fc.array(
          fc.record({
            ratio,
            title: fc.string({ maxLength: 60 }),
            text: fc.string({ maxLength: 300, unit: 'grapheme-ascii' }),
            usableBy: fc.uniqueArray(fc.constantFrom('*', ...names)).map((each) => new Set(each)),
            ratioFor: fc.uniqueArray(fc.tuple(fc.constantFrom(...names), ratio), { selector: ([name]) => name }),
          }),
          { minLength: names.length, maxLength: names.length },
        ),
        fc.shuffledSubarray(names),
      )
      .map(([settings, auto]) => {
        const all = settings.map((each, at): [string, Group] => {
          const name = names[at] ?? ''
          return [name, { ...each, ratioFor: new Map(each.ratioFor), order: auto.indexOf(name) + 1 }]
        })
        return groupsByName(new Map(all))
      }),
  )

const apply = (before: Groups, texts: Readonly<Record<string, string>>): Groups => {
  const changed = changeGroups(before, new Map(Object.entries(texts)))
  if ('problem' in changed) throw new Error(`${changed.key} ${changed.problem}`)
  return changed.groups
}
const NOTHING = groupsOf(new Map([['default', 1_000_000n]]), new Map())

test('what is stored of groups is read back as it was, from two rows', () => {
  fc.assert(
    fc.property(someGroups, (groups) => {
      const details = parseDetails(detailsText(groups) ?? '')
      if ('problem' in details) throw new Error(details.problem)
      const ratios = new Map([...groups.byName].map(([name, group]) => [name, group.ratio]))
      expect(groupsOf(ratios, details.value)).toEqual(groups)
    }),
  )
})

test('the settings say the same whether they are set as one or as the parts that the family knows', () => {
  fc.assert(
    fc.property(someGroups, someGroups, (groups, before) => {
      const whole = apply(before, { Groups: groupSettingText('Groups', groups) })
      expect(whole).toEqual(groups)
      const parts = Object.fromEntries(GROUP_VIEWS.map((key) => [key, groupSettingText(key, groups)]))
      const fromParts = apply(NOTHING, { GroupRatio: groupSettingText('GroupRatio', groups), ...parts })
      for (const key of ['GroupRatio', ...GROUP_VIEWS] as const) {
        expect(JSON.parse(groupSettingText(key, fromParts))).toEqual(JSON.parse(groupSettingText(key, groups)))
      }
    }),
  )
})

test('setting what a setting shows changes nothing', () => {
  fc.assert(
    fc.property(
      someGroups,
      fc.constantFrom('Groups' as const, 'GroupRatio' as const, ...GROUP_VIEWS),
      (groups, key) => {
        const again = apply(groups, { [key]: groupSettingText(key, groups) })
        expect(groupSettingText('Groups', apply(again, {}))).toBe(groupSettingText('Groups', again))
        expect(JSON.parse(groupSettingText(key, again))).toEqual(JSON.parse(groupSettingText(key, groups)))
        expect(again.auto).toEqual(groups.auto)
      },
    ),
  )
})

test('a user is served by nothing but their own group and what is open to it, in the order of the token', () => {
  fc.assert(
    fc.property(someGroups, fc.constantFrom(...NAMES), fc.shuffledSubarray(NAMES), (groups, own, named) => {
      const usable = usableOf(groups, own, named)
      const isAuto = named.length === 1 && named[0] === 'auto' && !groups.byName.has('auto')
      const asked = isAuto ? groups.auto : named
      expect(usable).toEqual(asked.filter((name) => usable.includes(name)))
      for (const name of asked) {
        const open = groups.byName.get(name)?.usableBy
        const isOpen = name === own || open?.has('*') === true || open?.has(own) === true
        expect([name, usable.includes(name)]).toEqual([name, isOpen])
        expect(mayUse(groups, own, name)).toBe(isOpen)
      }
      if (barredAt(groups, own, named) === -1) expect(usable).toHaveLength(isAuto ? usable.length : named.length)
      for (const [name, group] of groups.byName) {
        expect(ratioFor(groups, own, name)).toBe(group.ratioFor.get(own) ?? group.ratio)
      }
    }),
  )
})
