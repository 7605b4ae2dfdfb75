import { clsx } from 'clsx'
import { type Ref, useEffect, useState } from 'react'
import { useTexts } from '../lib/i18n/i18n.ts'
import { IconButton } from './button.tsx'
import { CONTROL } from './field.tsx'
import { SearchIcon } from './icons.tsx'
import { CloseIcon } from './sign-icons.tsx'
import { uiTexts } from './texts/ui-texts.ts'

/** How long typing rests before the text counts, in milliseconds. */
const REST_MS = 300

interface FilterFieldProps {
  /** Placeholder and name: 'Search models...'. */
  readonly label: string
  /** The text in force. */
  readonly value: string
  /** Called when typing rests, on Enter, and on clearing. */
  readonly onFilter: (text: string) => void
  readonly ref?: Ref<HTMLInputElement>
  /** Has the focus when the dialog around it opens. */
  readonly firstFocus?: boolean
}

/** A search field that narrows what is on the page while one types. */
export function FilterField({ label, value, onFilter, ref, firstFocus }: FilterFieldProps) {
  const t = useTexts(uiTexts)
  const [text, setText] = useState(value)
  const [seen, setSeen] = useState(value)
  // Back, Forward and "Clear Filters" change the text in force; what was typed here is in force already.
  if (seen !== value) {
    setSeen(value)
    if (value !== text.trim()) setText(value)
  }
  useEffect(() => {
    if (text.trim() === value) return
    const timer = setTimeout(() => onFilter(text.trim()), REST_MS)
    return () => clearTimeout(timer)
  }, [text, value, onFilter])
  const now = (wanted: string) => {
    setText(wanted)
    onFilter(wanted.trim())
  }
  return (
    <div role="search" className="relative min-w-0 grow sm:max-w-80">
      <span className="text-muted pointer-events-none absolute inset-y-0 start-2.5 flex items-center">
        <SearchIcon />
      </span>
      <input
        ref={ref}
        data-first-focus={firstFocus}
        type="text"
        enterKeyHint="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') now(text)
          if (event.key === 'Escape' && text !== '') now('')
        }}
        className={clsx(CONTROL, 'px-8')}
      />
      {text !== '' && (
        <span className="absolute inset-y-0 end-0.5 flex items-center">
          <IconButton label={t.clearSearch} onClick={() => now('')}>
            <CloseIcon />
          </IconButton>
        </span>
      )}
    </div>
  )
}
