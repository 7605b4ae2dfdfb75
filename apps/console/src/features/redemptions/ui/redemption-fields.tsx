import type { Control } from 'react-hook-form'
import { localZone } from '~/lib/format/date.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { DateTimeField } from '~/ui/form/date-time-field.tsx'
import { NumberField, TextField } from '~/ui/form/form-fields.tsx'
import { QuotaEstimate } from '~/ui/quota/quota-amount.tsx'
import {
  FIXED_UNIT,
  MOST_CODES,
  type RedemptionFormInput,
  type RedemptionFormValues,
} from '../model/redemption-form-values.ts'
import { redemptionTexts } from '../texts/redemption-texts.ts'

interface RedemptionFieldsProps {
  readonly control: Control<RedemptionFormInput, unknown, RedemptionFormValues>
  /** A stored code cannot become several. */
  readonly isNew: boolean
  readonly hasExpiry?: boolean
  readonly inDialog?: boolean
}

export function RedemptionFields({ control, isNew, hasExpiry = false, inDialog = false }: RedemptionFieldsProps) {
  const t = useTexts(redemptionTexts)
  return (
    <>
      <TextField
        control={control}
        name="name"
        label={t.name}
        hint={t.nameHint}
        autoComplete="off"
        data-first-focus={inDialog || undefined}
      />
      <NumberField
        control={control}
        name="quota"
        label={t.quota}
        hint={<QuotaEstimate control={control} name="quota" display={FIXED_UNIT} />}
        min={0}
        step={1}
      />
      {hasExpiry && (
        <DateTimeField
          control={control}
          name="expired_time"
          label={t.expiration}
          hint={t.expirationHint(localZone())}
        />
      )}
      {isNew && (
        <NumberField
          control={control}
          name="count"
          label={t.count}
          hint={t.countHint}
          min={1}
          max={MOST_CODES}
          step={1}
        />
      )}
    </>
  )
}
