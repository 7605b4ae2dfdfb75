import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Field, TextInput } from '~/ui/field.tsx'
import { isWholeCode, typedCode } from '../model/sign-in.ts'
import { sessionTexts } from '../texts/session-texts.ts'

interface TotpFieldProps {
  readonly value: string
  readonly error: string | undefined
  readonly recovery: boolean
  /** Receives the new text, or the other kind of code with an empty text. */
  readonly onChange: (value: string, recovery: boolean) => void
}

/**
 * Takes the focus when it appears. Enter submits even an incomplete code, while the button is disabled, so that the form says what
 * is missing.
 */
export function TotpField({ value, error, recovery, onChange }: TotpFieldProps) {
  const t = useTexts(sessionTexts)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [recovery])
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || isWholeCode(value, recovery)) return
    event.preventDefault()
    event.currentTarget.form?.requestSubmit()
  }
  return (
    <Field
      label={recovery ? t.recoveryCode : t.totp}
      hint={recovery ? t.recoveryHint : t.totpHint}
      error={error}
      aside={
        <button type="button" className="text-accent text-sm hover:underline" onClick={() => onChange('', !recovery)}>
          {recovery ? t.useTotp : t.useRecoveryCode}
        </button>
      }
    >
      {(control) => (
        <TextInput
          {...control}
          ref={input}
          mono
          name="code"
          inputMode={recovery ? 'text' : 'numeric'}
          autoComplete={recovery ? 'off' : 'one-time-code'}
          autoCapitalize="characters"
          spellCheck={false}
          value={value}
          onKeyDown={onKeyDown}
          onChange={({ target }) => onChange(typedCode(target.value, recovery), recovery)}
        />
      )}
    </Field>
  )
}
