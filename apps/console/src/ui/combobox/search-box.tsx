import { clsx } from 'clsx'
import { type Ref, useState } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { CONTROL } from '../field.tsx'
import { SEARCH_FIELD, SearchFrame } from '../search-frame.tsx'
import { uiTexts } from '../texts/ui-texts.ts'
import { LISTBOX, OPTION, useListbox } from './use-listbox.ts'
import { type Suggestion, useSuggestions } from './use-suggestions.ts'

interface SearchBoxProps {
  readonly label: string
  readonly value: string
  /** Called on Enter, on choosing a suggestion, or on clearing. */
  readonly onSearch: (text: string) => void
  /** `undefined` when the request failed. */
  readonly load: (text: string, signal: AbortSignal) => Promise<readonly Suggestion[] | undefined>
  readonly ref?: Ref<HTMLInputElement>
}

export function SearchBox({ label, value, onSearch, load, ref }: SearchBoxProps) {
  const t = useTexts(uiTexts)
  const [text, setText] = useState(value)
  const [inForce, setInForce] = useState(value)
  if (inForce !== value) {
    setInForce(value)
    setText(value)
  }
  const suggestions = useSuggestions(text, load)
  const items = suggestions.state === 'ready' ? suggestions.items : []
  const search = (wanted: string) => {
    setText(wanted)
    listbox.close()
    onSearch(wanted.trim())
  }
  const listbox = useListbox({
    count: items.length,
    onChoose: (index) => search(items[index]?.label ?? text),
    onEnter: () => search(text),
  })
  const remark = { short: t.typeMore, loading: t.searching, failed: t.searchFailed, ready: t.noMatches }[
    suggestions.state
  ]
  const open = listbox.open && text !== ''
  return (
    <div role="search" className={SEARCH_FIELD}>
      <SearchFrame filled={text !== ''} onClear={() => search('')}>
        <input
          {...listbox.inputProps}
          aria-expanded={open}
          ref={ref}
          type="text"
          enterKeyHint="search"
          aria-label={label}
          placeholder={label}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            listbox.setActive(-1)
            listbox.setOpen(true)
          }}
          onBlur={listbox.close}
          className={clsx(CONTROL, 'px-8')}
        />
      </SearchFrame>
      <div {...listbox.listProps} aria-label={label} hidden={!open} className={LISTBOX}>
        {items.map((item, index) => (
          <div key={item.id} {...listbox.optionProps(index)} className={OPTION}>
            <span className="min-w-0 grow truncate">{item.label}</span>
            {item.hint !== undefined && <span className="text-muted text-xs">{item.hint}</span>}
          </div>
        ))}
        {items.length === 0 && <div className="text-muted px-2.5 py-1.5">{remark}</div>}
      </div>
      <span role="status" className="sr-only">
        {open && items.length === 0 ? remark : ''}
      </span>
    </div>
  )
}
