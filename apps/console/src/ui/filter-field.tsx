import { clsx } from 'clsx'
import type { Ref } from 'react'
import { CONTROL } from './field.tsx'
import { SEARCH_FIELD, SearchFrame } from './search-frame.tsx'
import type { RestingText } from './use-resting-text.ts'

interface FilterFieldProps {
  readonly label: string
  /** Takes effect when typing pauses, on Enter, and on clearing. */
  readonly typed: RestingText
  readonly ref?: Ref<HTMLInputElement>
  readonly firstFocus?: boolean
}

export function FilterField({ label, typed, ref, firstFocus }: FilterFieldProps) {
  const { text, setText, settle } = typed
  return (
    <div role="search" aria-label={label} className={SEARCH_FIELD}>
      <SearchFrame filled={text !== ''} onClear={() => settle('')}>
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
            if (event.key === 'Enter') settle(text)
            if (event.key === 'Escape' && text !== '') settle('')
          }}
          className={clsx(CONTROL, 'px-8')}
        />
      </SearchFrame>
    </div>
  )
}
