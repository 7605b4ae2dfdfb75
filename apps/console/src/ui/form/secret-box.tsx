import { clsx } from 'clsx'
import { type ComponentProps, useState } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { IconButton } from '../button.tsx'
import { MULTILINE } from '../field.tsx'
import { EyeIcon, EyeOffIcon } from '../icon.tsx'
import { uiTexts } from '../texts/ui-texts.ts'

type SecretBoxProps = Omit<ComponentProps<'textarea'>, 'className' | 'rows'>

/**
 * Shows dots until its eye button is pressed. It can have several lines, and is not a password field, so that password managers do
 * not insert the visitor's own password.
 */
export function SecretBox(props: SecretBoxProps) {
  const t = useTexts(uiTexts)
  const [shown, setShown] = useState(false)
  return (
    <div className="relative">
      <textarea
        {...props}
        rows={1}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        className={clsx(
          MULTILINE,
          'field-sizing-content max-h-48 min-h-8 pe-10 font-mono break-all max-md:min-h-10 max-md:pe-12',
          !shown && '[-webkit-text-security:disc]',
        )}
      />
      <span className="absolute end-0.5 top-0.5 max-md:end-1 max-md:top-1">
        <IconButton label={shown ? t.hide : t.show} aria-pressed={shown} onClick={() => setShown(!shown)}>
          {shown ? <EyeOffIcon /> : <EyeIcon />}
        </IconButton>
      </span>
    </div>
  )
}
