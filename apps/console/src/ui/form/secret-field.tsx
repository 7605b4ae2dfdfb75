import { clsx } from 'clsx'
import { type ReactNode, useState } from 'react'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { useTexts } from '../../lib/i18n/i18n.ts'
import { IconButton } from '../button.tsx'
import { Field, MULTILINE } from '../field.tsx'
import { EyeIcon, EyeOffIcon } from '../sign-icons.tsx'
import { uiTexts } from '../texts/ui-texts.ts'

interface SecretFieldProps<V extends FieldValues, Out> {
  readonly control: Control<V, unknown, Out>
  readonly name: FieldPath<V>
  readonly label: string
  readonly hint?: ReactNode
}

/**
 * A credential, in a form: dots until its eye is pressed. It may have several lines, and being no password field it is
 * left alone by password managers, which would put the visitor's own password in.
 */
export function SecretField<V extends FieldValues, Out>({ control, name, label, hint }: SecretFieldProps<V, Out>) {
  const t = useTexts(uiTexts)
  const { field, fieldState } = useController({ control, name })
  const [shown, setShown] = useState(false)
  const value: unknown = field.value
  return (
    <Field label={label} hint={hint} error={fieldState.error?.message}>
      {(ids) => (
        <div className="relative">
          <textarea
            {...ids}
            {...field}
            value={typeof value === 'string' ? value : ''}
            rows={1}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            className={clsx(
              MULTILINE,
              'field-sizing-content max-h-48 min-h-8 pr-10 font-mono break-all max-md:min-h-10 max-md:pr-12',
              !shown && '[-webkit-text-security:disc]',
            )}
          />
          <span className="absolute top-0.5 right-0.5 max-md:top-1 max-md:right-1">
            <IconButton label={shown ? t.hide : t.show} aria-pressed={shown} onClick={() => setShown(!shown)}>
              {shown ? <EyeOffIcon /> : <EyeIcon />}
            </IconButton>
          </span>
        </div>
      )}
    </Field>
  )
}
