import { type ComponentProps, useState } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { IconButton } from '~/ui/button.tsx'
import { TextInput } from '~/ui/field.tsx'
import { EyeIcon, EyeOffIcon } from '~/ui/icon.tsx'
import { sessionTexts } from '../texts/session-texts.ts'

/** One switch for all passwords of a form. */
export function useShownPasswords() {
  const [shown, setShown] = useState(false)
  return { shown, toggle: () => setShown(!shown) }
}

interface PasswordInputProps extends Omit<ComponentProps<typeof TextInput>, 'type' | 'mono'> {
  readonly shown: boolean
  readonly onToggle?: () => void
}

/** Shows dots until the eye button is pressed; without `onToggle` there is no button. */
export function PasswordInput({ shown, onToggle, ...input }: PasswordInputProps) {
  const t = useTexts(sessionTexts)
  return (
    <div className="flex items-center gap-1">
      <TextInput {...input} type={shown ? 'text' : 'password'} autoCapitalize="none" spellCheck={false} />
      {onToggle !== undefined && (
        <IconButton label={shown ? t.hidePassword : t.showPassword} onClick={onToggle}>
          {shown ? <EyeOffIcon /> : <EyeIcon />}
        </IconButton>
      )}
    </div>
  )
}
