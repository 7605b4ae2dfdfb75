import type { ImportReport } from '@sluice/contract/import'
import { importTexts } from '~/features/imports/texts/import-texts.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'

const EFFECTS = ['set', 'invalid', 'kept', 'unused'] as const

/** What becomes of the settings, those first that change something here. */
export function SettingList({ settings }: Pick<ImportReport, 'settings'>) {
  const t = useTexts(importTexts).settings
  return EFFECTS.map((effect) => {
    const some = settings.filter((setting) => setting.effect === effect)
    if (some.length === 0) return null
    return (
      <details key={effect} open={effect === 'set' || effect === 'invalid'} className="text-sm">
        <summary className="font-medium">
          {t[effect]} ({formatCount(some.length)})
        </summary>
        <ul className="pt-1 ps-4">
          {some.map(({ key, reason }) => (
            <li key={key} className="wrap-anywhere">
              <code className="font-mono">{key}</code>
              {reason !== '' && <span className="text-muted"> {reason}</span>}
            </li>
          ))}
        </ul>
      </details>
    )
  })
}
