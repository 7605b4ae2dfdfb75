import type { ReactNode } from 'react'
import { useTexts } from '../lib/i18n/i18n.ts'
import { IconButton } from './button.tsx'
import { SearchIcon } from './icons.tsx'
import { CloseIcon } from './sign-icons.tsx'
import { uiTexts } from './texts/ui-texts.ts'

/** Styles of the element around a `SearchFrame`; the input leaves room with `px-8`. */
export const SEARCH_FIELD = 'relative min-w-0 grow sm:max-w-80'

interface SearchFrameProps {
  readonly filled: boolean
  readonly onClear: () => void
  readonly children: ReactNode
}

/** What every search field shows around its input: the magnifying glass and, while there is text, the cross that clears it. */
export function SearchFrame({ filled, onClear, children }: SearchFrameProps) {
  const t = useTexts(uiTexts)
  return (
    <>
      <span className="text-muted pointer-events-none absolute inset-y-0 start-2.5 flex items-center">
        <SearchIcon />
      </span>
      {children}
      {filled && (
        <span className="absolute inset-y-0 end-0.5 flex items-center">
          <IconButton label={t.clearSearch} onClick={onClear}>
            <CloseIcon />
          </IconButton>
        </span>
      )}
    </>
  )
}
