import { BUDGET_PERIODS, type Budget, type BudgetPeriod } from '@sluice/contract/budget'
import { type Control, type FieldPath, type FieldValues, useWatch } from 'react-hook-form'
import { formatDateTime } from '~/lib/format/date.ts'
import { formatCurrency } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { OptionalNumberField } from '../form/date-time-field.tsx'
import { quotaTexts } from './texts/quota-texts.ts'

interface BudgetFieldsProps<V extends FieldValues, Out> {
  readonly control: Control<V, unknown, Out>
  readonly nameOf: (period: BudgetPeriod) => FieldPath<V>
  readonly stored: readonly Budget[]
}

/** One field each for day, week and month; an empty field sets no limit. */
export function BudgetFields<V extends FieldValues, Out>({ control, nameOf, stored }: BudgetFieldsProps<V, Out>) {
  const t = useTexts(quotaTexts)
  return BUDGET_PERIODS.map((period) => (
    <OptionalNumberField
      key={period}
      control={control}
      name={nameOf(period)}
      label={t.budget[period]}
      placeholder={t.noBudget}
      hint={
        <BudgetHint control={control} name={nameOf(period)} stored={stored.find((each) => each.period === period)} />
      }
    />
  ))
}

interface BudgetHintProps<V extends FieldValues, Out> {
  readonly control: Control<V, unknown, Out>
  readonly name: FieldPath<V>
  readonly stored: Budget | undefined
}

function BudgetHint<V extends FieldValues, Out>({ control, name, stored }: BudgetHintProps<V, Out>) {
  const t = useTexts(quotaTexts)
  const display = useSystemStatus()
  const quota: unknown = useWatch({ control, name })
  const worth = typeof quota === 'number' && Number.isFinite(quota) ? t.estimate(formatCurrency(quota, display)) : ''
  const used =
    stored === undefined
      ? ''
      : t.budgetUsed(formatCurrency(stored.used_quota, display), formatDateTime(stored.resets_time))
  return [worth, used].filter((text) => text !== '').join(' · ') || t.noBudgetHint
}
