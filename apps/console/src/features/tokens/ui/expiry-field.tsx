import { type Control, useController } from 'react-hook-form'
import { localZone } from '../../../lib/format/date.ts'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, TextInput } from '../../../ui/field.tsx'
import { halfTyped } from '../../../ui/form/half-typed.ts'
import { expiryAfter, type ExpiryStep } from '../model/expiry.ts'
import type { TokenFormInput, TokenFormValues } from '../model/token-form-values.ts'
import { tokenTexts } from '../texts/token-texts.ts'

/** Value for a half-typed date: the browser then reports an empty text, which would mean never. */
const INCOMPLETE = 'incomplete'

interface ExpiryFieldProps {
  readonly control: Control<TokenFormInput, unknown, TokenFormValues>
}

/** When the token stops working, with buttons for common periods from now. */
export function ExpiryField({ control }: ExpiryFieldProps) {
  const t = useTexts(tokenTexts)
  const { field, fieldState } = useController({ control, name: 'expired_time' })
  const quick: ReadonlyArray<readonly [string, ExpiryStep]> = [
    [t.neverExpire, {}],
    [t.month, { months: 1 }],
    [t.day, { days: 1 }],
    [t.hour, { hours: 1 }],
    [t.minute, { minutes: 1 }],
  ]
  const take = (input: HTMLInputElement) => field.onChange(input.validity.badInput ? INCOMPLETE : input.value)
  return (
    <div className="flex flex-col gap-2">
      <Field label={t.expiration} hint={t.expirationHint(localZone())} error={fieldState.error?.message}>
        {(ids) => (
          <TextInput
            {...ids}
            ref={field.ref}
            name={field.name}
            type="datetime-local"
            step={1}
            value={field.value === INCOMPLETE ? '' : field.value}
            {...halfTyped(take, field.onBlur)}
          />
        )}
      </Field>
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
