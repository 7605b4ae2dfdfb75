import { clsx } from 'clsx'
import { type Ref, useEffect, useEffectEvent, useState } from 'react'
import { CONTROL } from './field.tsx'
import { SEARCH_FIELD, SearchFrame } from './search-frame.tsx'

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
  const [text, setText] = useState(value)
  const [seen, setSeen] = useState(value)
  // Back, Forward and "Clear Filters" change the text in force; what was typed here is in force already.
  if (seen !== value) {
    setSeen(value)
    if (value !== text.trim()) setText(value)
  }
  const rest = useEffectEvent(() => onFilter(text.trim()))
  useEffect(() => {
    if (text.trim() === value) return
    const timer = setTimeout(() => rest(), REST_MS)
    return () => clearTimeout(timer)
  }, [text, value])
  const now = (wanted: string) => {
    setText(wanted)
    onFilter(wanted.trim())
  }
  return (
    <div role="search" className={SEARCH_FIELD}>
      <SearchFrame filled={text !== ''} onClear={() => now('')}>
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
      </SearchFrame>
    </div>
  )
}
