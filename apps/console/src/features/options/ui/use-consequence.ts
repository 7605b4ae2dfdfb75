import { formatCount, formatCurrency } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { ratioChanges } from '../model/group-ratios.ts'
import type { Setting } from '../model/setting.ts'
import { optionTexts } from '../texts/option-texts.ts'
import { useSettingTexts } from './use-setting-texts.ts'

/** What follows from a change, and the change itself, in words. */
export function useConsequence(): (setting: Setting, before: string, after: string) => string {
  const t = useTexts(optionTexts)
  const textsOf = useSettingTexts()
  const display = useSystemStatus()

  const valueText = (setting: Setting, value: string): string => {
    if (value === '' && setting.kind !== 'choice') return t.nothing
    if (setting.kind === 'flag') return value === 'true' ? t.on : t.off
    if (setting.kind === 'choice') return `“${textsOf(setting.key).choices?.[value] ?? value}”`
    if (setting.kind !== 'integer' && setting.kind !== 'decimal') return value
    const count = formatCount(Number(value))
    return setting.unit === 'quota' ? `${count} (${formatCurrency(Number(value), display)})` : count
  }
  const changeText = (setting: Setting, before: string, after: string): string => {
    if (setting.kind !== 'ratios' && setting.kind !== 'groups')
      return t.fromTo(valueText(setting, before), valueText(setting, after))
    const changes = ratioChanges(before, after).map(({ group, from, to }) => {
      if (to === undefined) return t.ratioRemoved(group)
      return from === undefined ? t.ratioAdded(group, to) : t.ratioChanged(group, from, to)
    })
    return changes.length === 0 ? '' : `${changes.join('; ')}.`
  }
  return (setting, before, after) => {
    const { consequence = '' } = textsOf(setting.key)
    const newAmount = setting.key === 'QuotaPerUnit' && t.amountAnew(unitAs(before, before), unitAs(before, after))
    const parts = [consequence, changeText(setting, before, after), newAmount]
    return parts.filter(Boolean).join(' ')
  }
}

/** How this many points read where one unit is `perUnit` of them. */
function unitAs(points: string, perUnit: string): string {
  return formatCurrency(Number(points), { quota_per_unit: Number(perUnit), display_in_currency: true }, 4)
}
