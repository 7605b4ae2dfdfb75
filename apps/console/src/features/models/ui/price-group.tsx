import type { UsableGroups } from '@sluice/contract/groups'
import { formatRatio } from '~/lib/format/groups.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Select } from '~/ui/field.tsx'
import { modelTexts } from '../texts/model-texts.ts'

interface PriceGroupProps {
  readonly groups: UsableGroups
  /** Empty for list prices. */
  readonly chosen: string
  readonly onChoose: (group: string) => void
}

/** Whose prices are shown; absent where every choice would show the same. */
export function PriceGroup({ groups, chosen, onChoose }: PriceGroupProps) {
  const t = useTexts(modelTexts)
  const all = Object.entries(groups)
  if (all.length < 2 && all.every(([, { ratio }]) => ratio === 1)) return null
  return (
    <span className="flex min-w-0 md:max-w-72">
      <Select
        aria-label={t.priceGroup}
        value={chosen}
        onChange={(event) => onChoose(event.target.value)}
        options={[
          { value: '', label: t.listPrices },
          ...all.map(([name, { title, ratio }]) => ({
            value: name,
            label: `${title || name} ${formatRatio(Number(ratio))}`,
          })),
        ]}
      />
    </span>
  )
}
