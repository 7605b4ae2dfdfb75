import { type CurrencyDecimals, formatCount, formatQuota, type QuotaDisplay } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { quotaTexts } from './texts/quota-texts.ts'

interface QuotaAmountProps {
  readonly quota: number
  /** How amounts are displayed, if not according to the settings. */
  readonly display?: QuotaDisplay
  /** Two, unless small amounts have to be told apart. */
  readonly decimals?: CurrencyDecimals
}

/** An amount of quota: its decimals in the cell, six decimals and the raw points in the tooltip. */
export function QuotaAmount({ quota, display, decimals = 2 }: QuotaAmountProps) {
  const t = useTexts(quotaTexts)
  const settings = useSystemStatus()
  const shown = display ?? settings
  return (
    <span data-tip={`${formatQuota(quota, shown, 6)}\n${t.points(formatCount(quota))}`}>
      {formatQuota(quota, shown, decimals)}
    </span>
  )
}
