import type { Found } from '@sluice/contract/findings/catalogue'
import { priceOverridesProblem } from '@sluice/providers/prices/price-overrides'
import { OPTION_DEFINITIONS, type OptionDefinition, type OptionKey } from '@sluice/store/options/option-definitions'
import type { Options } from '@sluice/store/options/options'
import { mailTransport } from '../../messages/mail-transport.ts'
import { type Check, orWell } from '../check.ts'

export interface SettingFacts {
  readonly options: () => Options
  /** Unusable stored values; each problem begins with the name of its option. */
  readonly problems: () => readonly string[]
}

/** Finds settings that contradict each other, so that one has no effect. */
export function settingCheck({ options, problems }: SettingFacts): Check {
  return {
    name: 'settings',
    examine: async () => {
      const now = options()
      return orWell(
        [...unreadable(now, problems()), ...needs(now), ...withoutMail(now), ...gifts(now), ...never(now)],
        { id: 'settings.ok' },
      )
    },
  }
}

function unreadable({ PriceOverrides }: Options, problems: readonly string[]): readonly Found[] {
  const prices = priceOverridesProblem(PriceOverrides)
  return [...problems, ...(prices === undefined ? [] : [`PriceOverrides ${prices}`])].map((reason): Found => {
    const [subject = ''] = reason.split(' ')
    return { id: 'settings.unreadable', subject, params: { reason } }
  })
}

const ELSEWHERE: readonly string[] = ['GitHubOAuthEnabled', 'WeChatAuthEnabled']

function needs(options: Options): readonly Found[] {
  const definitions: readonly (readonly [string, OptionDefinition])[] = Object.entries(OPTION_DEFINITIONS)
  return definitions.flatMap(([subject, definition]): readonly Found[] => {
    if (definition.type !== 'flag' || ELSEWHERE.includes(subject)) return []
    const isOn = options[subject as OptionKey] === true
    const missing = (definition.needs ?? []).filter((key) => isUnset(options[key as OptionKey]))
    return isOn && missing.length > 0
      ? [{ id: 'settings.needs', subject, params: { missing: missing.join(', ') } }]
      : []
  })
}

const isUnset = (value: unknown): boolean => value === '' || (Array.isArray(value) && value.length === 0)

function withoutMail(options: Options): readonly Found[] {
  const isNeeded = options.EmailVerificationEnabled && mailTransport(options) === undefined
  return isNeeded ? [{ id: 'settings.no_mail', subject: 'EmailVerificationEnabled' }] : []
}

function gifts(options: Options): readonly Found[] {
  if (options.EmailVerificationEnabled) return []
  const given = (['QuotaForNewUser', 'QuotaForInvitee', 'QuotaForInviter'] as const).filter((key) => options[key] > 0)
  return given.map((subject): Found => ({ id: 'settings.gifts', subject }))
}

function never({ AutomaticEnableChannelEnabled: isOn, ChannelRecoveryMinutes: value }: Options): readonly Found[] {
  if (!isOn || value > 0) return []
  const params = { option: 'ChannelRecoveryMinutes', value }
  return [{ id: 'settings.never', subject: 'AutomaticEnableChannelEnabled', params }]
}
