import { type Control, useController } from 'react-hook-form'
import { localZone } from '~/lib/format/date.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { DateTimeField } from '~/ui/form/date-time-field.tsx'
import { expiryAfter, type ExpiryStep } from '../model/expiry.ts'
import type { TokenFormInput, TokenFormValues } from '../model/token-form-values.ts'
import { tokenTexts } from '../texts/token-texts.ts'

interface ExpiryFieldProps {
  readonly control: Control<TokenFormInput, unknown, TokenFormValues>
}

/** When the token stops working, with buttons for common periods from now. */
export function ExpiryField({ control }: ExpiryFieldProps) {
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
