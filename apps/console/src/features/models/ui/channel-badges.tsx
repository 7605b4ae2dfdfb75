import { useState } from 'react'
import { formatCount } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import type { ModelGroup } from '../model/catalogue.ts'
import { modelTexts } from '../texts/model-texts.ts'

/** Number of channels offered before the others are expanded. */
const SHOWN = 12

interface ChannelBadgesProps {
  readonly groups: readonly ModelGroup[]
  readonly chosen: readonly string[]
  readonly onChoose: (keys: readonly string[]) => void
}

/** The channels to choose from, each with the number of its models. */
export function ChannelBadges({ groups, chosen, onChoose }: ChannelBadgesProps) {
  const t = useTexts(modelTexts)
  const [all, setAll] = useState(false)
  if (groups.length < 2) return null
  const shown = all ? groups : groups.filter(({ key }, index) => index < SHOWN || chosen.includes(key))
  const toggle = (key: string) =>
    onChoose(chosen.includes(key) ? chosen.filter((other) => other !== key) : [...chosen, key])
  return (
    <div role="group" aria-label={t.channels} className="flex flex-wrap items-center gap-1.5">
      {shown.map(({ key, label, provider, models }) => (
        <button
          key={key}
          type="button"
          aria-pressed={chosen.includes(key)}
          data-tip={provider}
          onClick={() => toggle(key)}
          className="border-control/60 bg-surface text-muted hover:bg-hover aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent inline-flex h-7 max-w-full items-center gap-1.5 rounded-full border px-2.5 text-sm font-medium max-md:h-10"
        >
          <span className="truncate">{label}</span>
          <span className="text-xs tabular-nums">{formatCount(models.length)}</span>
        </button>
      ))}
      {groups.length > SHOWN && (
        <Button variant="ghost" size="small" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t.fewerChannels : t.allChannels(formatCount(groups.length))}
        </Button>
      )}
    </div>
  )
}
