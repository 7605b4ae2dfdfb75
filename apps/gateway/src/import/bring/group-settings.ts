import type { ImportFamily } from '@sluice/contract/import'
import type { Options } from '@sluice/store/options/options'
import { objectIn } from '../take/fields.ts'
import type { SourceSetting } from '../take/take-settings.ts'

const GROUPS_MAX = 1_000
const RATIO_MAX = 1_000
const MILLION = 1_000_000
const TEXT_MAX = 300
/** Defaults of new-api, absent from its database until changed: the groups that any key can name, and those that `auto` tries. */
const NEW_API_USABLE = { default: '', vip: '' }
const NEW_API_AUTO = ['default']

interface Known {
  /** Whether groups have been set here; then they stay unchanged. */
  readonly isSet: boolean
  readonly inUse: ReadonlySet<string>
}

/** A group in use without a ratio gets 1, as the family charges it; an unused one without a ratio is left out. */
export function groupSettings(
  family: ImportFamily,
  settings: readonly SourceSetting[],
  current: Options,
  { isSet, inUse }: Known,
): readonly (readonly [key: string, value: string])[] {
  const valueOf = (key: string): string | undefined => settings.find((setting) => setting.key === key)?.value
  const here = Object.fromEntries([...current.GroupRatio].map(([group, ratio]) => [group, Number(ratio) / MILLION]))
  const theirs = Object.fromEntries(
    Object.entries(objectIn(valueOf('GroupRatio') ?? '{}') ?? {}).flatMap(([group, ratio]) => pairOf(group, ratio)),
  )
  const others = Object.fromEntries([...inUse].slice(0, GROUPS_MAX).map((group) => [group, 1]))
  // An export from here contains all groups if any were set.
  const builtIn = family === 'sluice' && valueOf('GroupRatio') !== undefined ? {} : here
  // A group that was removed here returns only if it is in use.
  const used = Object.fromEntries(Object.entries(theirs).filter(([group]) => inUse.has(group)))
  const ratios = isSet ? { ...others, ...used, ...here } : { ...others, ...builtIn, ...theirs }
  const ratioSetting = sameText(ratios, here) ? [] : [['GroupRatio', JSON.stringify(ratios)] as const]
  const all = valueOf('Groups')
  if (!isSet && family === 'sluice' && all !== undefined) return [...ratioSetting, ['Groups', all]]
  if (isSet || family !== 'new-api') return ratioSetting
  const isKnown = (group: string): boolean => Object.hasOwn(ratios, group)
  return [
    ...ratioSetting,
    ['UserUsableGroups', JSON.stringify(usable(valueOf('UserUsableGroups'), isKnown))],
    ['GroupGroupRatio', JSON.stringify(ratiosFor(valueOf('GroupGroupRatio'), isKnown))],
    ['AutoGroups', JSON.stringify(auto(valueOf('AutoGroups'), isKnown))],
  ]
}

type IsKnown = (group: string) => boolean

function usable(text: string | undefined, isKnown: IsKnown): Readonly<Record<string, string>> {
  const given = text === undefined ? NEW_API_USABLE : (objectIn(text) ?? {})
  const texts = Object.entries(given).map(
    ([group, description]) => [group, typeof description === 'string' ? description.slice(0, TEXT_MAX) : ''] as const,
  )
  return Object.fromEntries(texts.filter(([group]) => isKnown(group)))
}

function ratiosFor(text: string | undefined, isKnown: IsKnown) {
  const given = Object.entries(objectIn(text ?? '{}') ?? {}).flatMap(([userGroup, ratios]) =>
    isKnown(userGroup) && typeof ratios === 'object' && ratios !== null ? [[userGroup, ratios] as const] : [],
  )
  return Object.fromEntries(
    given.map(([userGroup, ratios]) => {
      const pairs = Object.entries(ratios).flatMap(([group, ratio]) => pairOf(group, ratio))
      return [userGroup, Object.fromEntries(pairs.filter(([group]) => isKnown(group)))]
    }),
  )
}

function auto(text: string | undefined, isKnown: IsKnown): readonly string[] {
  if (text === undefined) return NEW_API_AUTO
  const given = listIn(text).filter((group): group is string => typeof group === 'string')
  return [...new Set(given)].filter(isKnown)
}

function listIn(text: string): readonly unknown[] {
  return Object.values(objectIn(`{"list":${text}}`)?.['list'] ?? [])
}

function pairOf(group: string, ratio: unknown): readonly (readonly [string, number])[] {
  const isRatio = typeof ratio === 'number' && ratio >= 0 && ratio <= RATIO_MAX
  return isRatio ? [[group, Math.round(ratio * MILLION) / MILLION]] : []
}

function sameText(a: object, b: object): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
