import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Control, useController, useWatch } from 'react-hook-form'
import { localZone, toDateTimeInput } from '~/lib/format/date.ts'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { DateTimeField, OptionalNumberField } from '~/ui/form/date-time-field.tsx'
import { CheckboxField, NumberField, TextField } from '~/ui/form/form-fields.tsx'
import { MultiSelectField } from '~/ui/form/multi-select-field.tsx'
import { QuotaEstimate } from '~/ui/quota/quota-amount.tsx'
import { quotaTexts } from '~/ui/quota/texts/quota-texts.ts'
import { availableModelsQuery } from '../calls.ts'
import { REQUEST_LIMITS, type TokenFormInput, type TokenFormValues } from '../model/token-form-values.ts'
import { tokenTexts } from '../texts/token-texts.ts'

interface TokenFieldsProps {
  readonly control: Control<TokenFormInput, unknown, TokenFormValues>
}

export function ExpiryField({ control }: TokenFieldsProps) {
  const t = useTexts(tokenTexts)
  const { field } = useController({ control, name: 'expired_time' })
  const quick: ReadonlyArray<readonly [string, ExpiryStep]> = [
    [t.neverExpire, {}],
    [t.month, { months: 1 }],
    [t.day, { days: 1 }],
    [t.hour, { hours: 1 }],
    [t.minute, { minutes: 1 }],
  ]
  return (
    <div className="flex flex-col gap-2">
      <DateTimeField control={control} name="expired_time" label={t.expiration} hint={t.expirationHint(localZone())} />
      <div role="group" aria-label={t.quickExpiry} className="flex flex-wrap gap-1.5">
        {quick.map(([label, step]) => (
          <Button key={label} size="small" onClick={() => field.onChange(expiryAfter(step, Date.now()))}>
            {label}
          </Button>
        ))}
      </div>
    </div>
  )
}

export function QuotaFields({ control }: TokenFieldsProps) {
  const t = useTexts(tokenTexts)
  const unlimited = useWatch({ control, name: 'unlimited_quota' })
  return (
    <>
      <CheckboxField control={control} name="unlimited_quota" label={t.unlimitedQuota} hint={t.unlimitedHint} />
      <NumberField
        control={control}
        name="remain_quota"
        label={t.remainQuota}
        hint={<QuotaEstimate control={control} name="remain_quota" />}
        min={0}
        step={1}
        disabled={unlimited}
      />
    </>
  )
}

export function LimitFields({ control }: TokenFieldsProps) {
  const t = useTexts(tokenTexts)
  const { noBudget } = useTexts(quotaTexts)
  return (
    <>
      {REQUEST_LIMITS.map((limit) => (
        <OptionalNumberField
          key={limit}
          control={control}
          name={`limits.${limit}`}
          label={t.limit[limit]}
          placeholder={noBudget}
          hint={t.limitHint[limit]}
        />
      ))}
      <TextField
        control={control}
        name="quiet_hours"
        label={t.quietHours}
        hint={t.quietHoursHint(Intl.DateTimeFormat().resolvedOptions().timeZone)}
        autoComplete="off"
        spellCheck={false}
      />
    </>
  )
}

export function AccessFields({ control }: TokenFieldsProps) {
  const t = useTexts(tokenTexts)
  const groups = useWatch({ control, name: 'groups' })
  const { data: models = [] } = useQuery({
    ...availableModelsQuery(useCall(), groups),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <MultiSelectField
        control={control}
        name="models"
        label={t.models}
        placeholder={t.modelsPlaceholder}
        hint={t.modelsHint(String(models.length))}
        options={models}
      />
      <TextField
        control={control}
        name="subnet"
        label={t.subnet}
        hint={t.subnetHint}
        mono
        autoComplete="off"
        spellCheck={false}
      />
    </>
  )
}

/** Added to now; a month counts 30 days. */
interface ExpiryStep {
  readonly months?: number
  readonly days?: number
  readonly hours?: number
  readonly minutes?: number
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const MONTH_MS = 30 * DAY_MS

/** Text for the date-time input, counted from `now` (unix ms). A step of zero clears the input. */
export function expiryAfter({ months = 0, days = 0, hours = 0, minutes = 0 }: ExpiryStep, now: number): string {
  const distance = months * MONTH_MS + days * DAY_MS + hours * HOUR_MS + minutes * MINUTE_MS
  return distance === 0 ? '' : toDateTimeInput(new Date(now + distance))
}
