import type { Budget, BudgetPeriod } from '@sluice/contract/budget'
import { type Control, useController } from 'react-hook-form'
import { formatDateTime } from '../../../lib/format/date.ts'
import { formatCurrency } from '../../../lib/format/quota.ts'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { useSystemStatus } from '../../../lib/status/system-status.ts'
import { Field, TextInput } from '../../../ui/field.tsx'
import type { TokenFormInput, TokenFormValues } from '../model/token-form.ts'
import { tokenTexts } from '../texts/token-texts.ts'

interface BudgetFieldProps {
  readonly control: Control<TokenFormInput, unknown, TokenFormValues>
  readonly period: BudgetPeriod
  /** The stored budget of the period. */
  readonly stored: Budget | undefined
}

/** What the token may spend in a period. A number typed half is NaN, not empty, or it would mean no budget. */
export function BudgetField({ control, period, stored }: BudgetFieldProps) {
  const t = useTexts(tokenTexts)
  const { field, fieldState } = useController({ control, name: `budgets.${period}` })
  const { value } = field
  const take = ({ value: text, valueAsNumber, validity }: HTMLInputElement) =>
    field.onChange(text === '' && !validity.badInput ? null : valueAsNumber)
  return (
    <Field
      label={t.budget[period]}
      hint={<BudgetHint quota={value} stored={stored} />}
      error={fieldState.error?.message}
    >
      {(ids) => (
        <TextInput
          {...ids}
          ref={field.ref}
          name={field.name}
          type="number"
          inputMode="numeric"
          min={0}
          step={1}
          placeholder={t.noBudget}
          value={value === null || Number.isNaN(value) ? '' : value}
          onChange={(event) => take(event.target)}
          onBlur={(event) => {
            take(event.target)
            field.onBlur()
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') take(event.currentTarget)
          }}
        />
      )}
    </Field>
  )
}

/** What the budget is worth, and how much of the stored one is used. */
function BudgetHint({ quota, stored }: { readonly quota: number | null; readonly stored: Budget | undefined }) {
  const t = useTexts(tokenTexts)
  const display = useSystemStatus()
  const worth = quota === null || !Number.isFinite(quota) ? '' : t.estimate(formatCurrency(quota, display))
  const used =
    stored === undefined
      ? ''
      : t.budgetUsed(formatCurrency(stored.used_quota, display), formatDateTime(stored.resets_time))
  return [worth, used].filter((text) => text !== '').join(' · ') || t.noBudgetHint
}
