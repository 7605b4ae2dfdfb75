import type { ReactNode } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import type { StoredOptions } from '../calls.ts'
import type { PlacedCard } from '../model/placed-settings.ts'
import { optionTexts } from '../texts/option-texts.ts'
import { LogClearing } from './log-clearing.tsx'
import { SettingField } from './setting-field.tsx'
import { UpdateCheck } from './update-check.tsx'

interface SettingsCardProps {
  readonly card: PlacedCard
  readonly options: StoredOptions
  /** Shown at the right of the heading. */
  readonly aside?: ReactNode
  /** Leaves out actions other than setting values. */
  readonly settingsOnly?: boolean
}

/** A card: heading, its settings by group, and its actions. */
export function SettingsCard({ card, options, aside, settingsOnly = false }: SettingsCardProps) {
  const t = useTexts(optionTexts)
  const { id, tab, settings } = card
  const groups = card.groups.filter((group) => settings.some((setting) => setting.group === group))
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="border-line bg-surface scroll-mt-4 rounded-lg border">
      <div className="border-line flex flex-wrap items-start justify-between gap-x-4 gap-y-1 border-b px-4 py-3 md:px-5">
        <div className="min-w-0">
          <h2 id={`${id}-title`} tabIndex={-1} className="text-base font-semibold outline-none">
            {t.cards[id]}
          </h2>
          <p className="text-muted text-xs">{t.cardTexts[id]}</p>
        </div>
        {aside}
      </div>
      <div className="divide-line divide-y">
        {groups.map((group) => (
          <div key={group} className="divide-line divide-y">
            {card.groups.length > 1 && (
              <h3 className="bg-subtle text-muted px-4 py-1.5 text-xs font-semibold md:px-5">{t.groups[group]}</h3>
            )}
            {settings
              .filter((setting) => setting.group === group)
              .map((setting) => (
                <SettingField key={setting.key} setting={setting} options={options} tab={tab} />
              ))}
          </div>
        ))}
        {!settingsOnly && id === 'logManagement' && <LogClearing />}
        {!settingsOnly && id === 'updates' && <UpdateCheck />}
      </div>
    </section>
  )
}
