import { type Control, type FieldPath, type FieldValues, useWatch } from 'react-hook-form'
import {
  type CurrencyDecimals,
  formatCount,
  formatQuota,
  type QuotaDisplay,
  formatCurrency,
} from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { quotaTexts } from './texts/quota-texts.ts'

interface QuotaAmountProps {
  readonly quota: number
  /** Replaces the settings' way to display amounts. */
  readonly display?: QuotaDisplay
  /** Two, unless small amounts have to be distinguished. */
  readonly decimals?: CurrencyDecimals
}

/** `decimals` apply to the cell; the tooltip has six decimals and the raw points. */
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

interface QuotaEstimateProps<V extends FieldValues, Out> {
  readonly control: Control<V, unknown, Out>
  readonly name: FieldPath<V>
  readonly display?: QuotaDisplay
}

export function QuotaEstimate<V extends FieldValues, Out>({ control, name, display }: QuotaEstimateProps<V, Out>) {
  const t = useTexts(quotaTexts)
  const settings = useSystemStatus()
  const quota: unknown = useWatch({ control, name })
  const points = typeof quota === 'number' && Number.isFinite(quota) ? quota : 0
  return t.estimate(formatCurrency(points, display ?? settings))
}
