import type { Control, FieldPath, FieldValues } from 'react-hook-form'
import { useController, useWatch } from 'react-hook-form'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Field } from '~/ui/field.tsx'
import { passwordStrength, type Strength } from '../model/registration-form.ts'
import { accessTexts } from '../texts/access-texts.ts'
import { PasswordInput, useShownPasswords } from './password-input.tsx'

interface PasswordFieldsProps<V extends FieldValues, Out> {
  readonly control: Control<V, unknown, Out>
  readonly names: readonly [FieldPath<V>, FieldPath<V>]
  readonly label: string
  /** Words that a guesser would try, such as the username. */
  readonly known: readonly string[]
}

export function PasswordFields<V extends FieldValues, Out>({
  control,
  names,
  label,
  known,
}: PasswordFieldsProps<V, Out>) {
  const t = useTexts(accessTexts)
  const { shown, toggle } = useShownPasswords()
  const first = useController({ control, name: names[0] })
  const second = useController({ control, name: names[1] })
  const typed: unknown = useWatch({ control, name: names[0] })
  const strength = passwordStrength(textOf(typed), known)
  return (
    <>
      <Field
        label={label}
        error={first.fieldState.error?.message}
        hint={<StrengthHint strength={strength} empty={textOf(typed) === ''} />}
      >
        {(ids) => (
          <PasswordInput
            {...ids}
            {...first.field}
            value={textOf(first.field.value)}
            autoComplete="new-password"
            shown={shown}
            onToggle={toggle}
          />
        )}
      </Field>
      <Field label={t.password2} error={second.fieldState.error?.message}>
        {(ids) => (
          <PasswordInput
            {...ids}
            {...second.field}
            value={textOf(second.field.value)}
            autoComplete="new-password"
            shown={shown}
          />
        )}
      </Field>
    </>
  )
}

const STEPS: Readonly<Record<Strength, number>> = { short: 0, weak: 1, fair: 2, strong: 3 }
const BARS = [1, 2, 3] as const

/** The words say everything that the bars show at a glance. */
function StrengthHint({ strength, empty }: { strength: Strength; empty: boolean }) {
  const t = useTexts(accessTexts)
  return (
    <span className="flex items-center gap-2">
      <span aria-live="polite">{t.strength[strength]}</span>
      {!empty && (
        <span aria-hidden="true" className="ms-auto flex gap-1">
          {BARS.map((bar) => (
            <span
              key={bar}
              className={`h-1 w-6 rounded-full ${STEPS[strength] < bar ? 'bg-line' : strength === 'weak' ? 'bg-warn' : 'bg-good'}`}
            />
          ))}
        </span>
      )}
    </span>
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
