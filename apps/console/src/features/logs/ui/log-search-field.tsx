import { clsx } from 'clsx'
import { type FormEvent, type Ref, useId, useState } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { CONTROL } from '~/ui/field.tsx'
import { SEARCH_FIELD, SearchFrame } from '~/ui/search-frame.tsx'
import { uiTexts } from '~/ui/texts/ui-texts.ts'
import { logTexts } from '../texts/log-texts.ts'

interface LogSearchFieldProps {
  readonly value: string
  readonly onSearch: (keyword: string) => void
  readonly ref?: Ref<HTMLInputElement>
}

/** Keywords that the gateway accepts. */
const KEYWORD = { min: 2, max: 100 } as const

/** Searches on Enter. There are no suggestions, because the results are the list itself. */
export function LogSearchField({ value, onSearch, ref }: LogSearchFieldProps) {
  const t = useTexts(logTexts)
  const ui = useTexts(uiTexts)
  const hintId = useId()
  const [text, setText] = useState(value)
  const [inForce, setInForce] = useState(value)
  if (inForce !== value) {
    setInForce(value)
    setText(value)
  }
  const keyword = text.trim()
  const [tooShort, setTooShort] = useState(false)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    const short = keyword !== '' && keyword.length < KEYWORD.min
    setTooShort(short)
    if (!short) onSearch(keyword)
  }
  const onClear = () => {
    setText('')
    if (value !== '') onSearch('')
  }
  return (
    <form role="search" onSubmit={onSubmit} className={SEARCH_FIELD}>
      <SearchFrame filled={text !== ''} onClear={onClear}>
        <input
          ref={ref}
          type="text"
          enterKeyHint="search"
          aria-label={t.searchLabel}
          placeholder={t.searchLabel}
          maxLength={KEYWORD.max}
          value={text}
          onChange={(event) => {
            setTooShort(false)
            setText(event.target.value)
          }}
          aria-describedby={hintId}
          className={clsx(CONTROL, 'px-8')}
        />
      </SearchFrame>
      <p id={hintId} role="status" className="text-muted absolute top-full mt-0.5 text-xs">
        {tooShort && ui.typeMore}
      </p>
    </form>
  )
}
