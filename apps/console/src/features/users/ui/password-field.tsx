import { useState } from 'react'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { CopyButton } from '~/ui/copy-button.tsx'
import { Field, TextInput } from '~/ui/field.tsx'
import { uiTexts } from '~/ui/texts/ui-texts.ts'
import { userTexts } from '../texts/user-texts.ts'

interface PasswordFieldProps<V extends FieldValues, Out> {
  readonly control: Control<V, unknown, Out>
  readonly name: FieldPath<V>
  readonly label: string
  readonly hint?: string
}

/**
 * For someone else's password, which can be revealed, generated and copied because it has to be handed over. Does not offer saved
 * passwords, which are the administrator's own.
 */
export function PasswordField<V extends FieldValues, Out>({ control, name, label, hint }: PasswordFieldProps<V, Out>) {
  const t = useTexts(userTexts)
  const ui = useTexts(uiTexts)
  const { field, fieldState } = useController({ control, name })
  const [shown, setShown] = useState(false)
  const text: unknown = field.value
  const value = typeof text === 'string' ? text : ''
  const generate = () => {
    field.onChange(generatedPassword((bytes) => crypto.getRandomValues(bytes)))
    setShown(true)
  }
  return (
    <Field label={label} hint={hint} error={fieldState.error?.message}>
      {(ids) => (
        <div className="flex flex-wrap items-center gap-2">
          <span className="min-w-40 grow">
            <TextInput
              {...ids}
              {...field}
              value={value}
              type={shown ? 'text' : 'password'}
              mono={shown}
              autoComplete="new-password"
              autoCapitalize="off"
              spellCheck={false}
            />
          </span>
          <span className="flex items-center gap-1">
            {value !== '' && (
              <Button
                size="small"
                variant="ghost"
                aria-label={shown ? t.hidePassword : t.showPassword}
                onClick={() => setShown(!shown)}
              >
                {shown ? ui.hide : ui.show}
              </Button>
            )}
            {value !== '' && <CopyButton text={value} label={ui.copy} />}
            <Button size="small" onClick={generate}>
              {t.generate}
            </Button>
          </span>
        </div>
      )}
    </Field>
  )
}

/** Base64 turns these into 16 characters. */
const RANDOM_BYTES = 12

/** 16 characters, safe in addresses and chats. `fill` puts random bytes into the array and returns it. */
export function generatedPassword(fill: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array): string {
  const text = String.fromCharCode(...fill(new Uint8Array(RANDOM_BYTES)))
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_')
}
