import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useCommand } from '../../../lib/commands/use-commands.ts'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { IconButton } from '../../../ui/button.tsx'
import { TextInput } from '../../../ui/field.tsx'
import { CloseIcon } from '../../../ui/sign-icons.tsx'
import { optionTexts } from '../texts/option-texts.ts'

/** Pause after the last key before the address follows, in milliseconds. */
const ADDRESS_MS = 300

interface SettingsSearchProps {
  readonly text: string
  readonly onText: (text: string) => void
}

/** Searches all settings while typing. The text is in the address, so that what is found can be shown to others. */
export function SettingsSearch({ text, onText }: SettingsSearchProps) {
  const t = useTexts(optionTexts)
  const navigate = useNavigate({ from: '/settings' })
  const { find } = useSearch({ from: '/protected/settings' })
  const input = useRef<HTMLInputElement>(null)
  const [inForce, setInForce] = useState(find)
  // Back, Forward and links change the text in force; what is being typed follows it.
  if (inForce !== find) {
    setInForce(find)
    if (find !== text.trim()) onText(find)
  }
  const follow = useEffectEvent(() => {
    const wanted = text.trim()
    if (wanted !== find)
      void navigate({ search: (now) => ({ ...now, find: wanted }), replace: true, resetScroll: false })
  })
  useEffect(() => {
    const timer = setTimeout(follow, ADDRESS_MS)
    return () => clearTimeout(timer)
  }, [text])
  useCommand({
    id: 'options.search',
    label: t.searchCommand,
    group: t.commands,
    keys: '/',
    run: () => input.current?.focus(),
  })
  return (
    <div role="search" className="relative max-w-80">
      <TextInput
        ref={input}
        type="text"
        enterKeyHint="search"
        aria-label={t.search}
        placeholder={t.search}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onText('')
        }}
      />
      {text !== '' && (
        <span className="absolute inset-y-0 end-0.5 flex items-center">
          <IconButton
            label={t.clearSearch}
            onClick={() => {
              onText('')
              input.current?.focus()
            }}
          >
            <CloseIcon />
          </IconButton>
        </span>
      )}
    </div>
  )
}
