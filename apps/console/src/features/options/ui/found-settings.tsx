import { Link } from '@tanstack/react-router'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { buttonClass } from '~/ui/button.tsx'
import type { StoredOptions } from '../calls.ts'
import { findSettings } from '../model/find-settings.ts'
import type { PlacedCard } from '../model/placed-settings.ts'
import { optionTexts } from '../texts/option-texts.ts'
import { SettingsCard } from './settings-card.tsx'
import { useSettingTexts } from './use-setting-texts.ts'

interface FoundSettingsProps {
  readonly cards: readonly PlacedCard[]
  readonly text: string
  readonly options: StoredOptions
}

/** The cards of all tabs that a search finds; settings are edited right there. */
export function FoundSettings({ cards, text, options }: FoundSettingsProps) {
  const t = useTexts(optionTexts)
  const textsOf = useSettingTexts()
  const found = findSettings(cards, text, {
    ofCard: ({ id, tab }) => `${t.tabs[tab]} ${t.cards[id]}`,
    ofSetting: ({ key, group }) => {
      const { label, help } = textsOf(key)
      return `${t.groups[group]} ${label} ${help}`
    },
  })
  const count = found.reduce((sum, { settings }) => sum + settings.length, 0)
  return (
    <div className="flex min-w-0 flex-col gap-5">
      <p role="status" className="text-muted text-sm">
        {found.length === 0 ? t.noMatch(text.trim()) : t.found(count)}
      </p>
      {found.map((card) => (
        <SettingsCard
          key={card.id}
          card={card}
          options={options}
          settingsOnly={!card.whole}
          aside={
            <Link
              to="/settings"
              search={{ tab: card.tab, find: '' }}
              hash={card.id}
              className={buttonClass('ghost', 'small')}
            >
              {t.openTab(`${t.tabs[card.tab]} › ${t.cards[card.id]}`)}
            </Link>
          }
        />
      ))}
    </div>
  )
}
