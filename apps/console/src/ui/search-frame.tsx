import { type ReactNode, type RefObject, useRef } from 'react'
import type { Command } from '../lib/commands.ts'
import { useCommand } from '../lib/commands.ts'
import { useTexts } from '../lib/i18n/i18n.ts'
import { IconButton } from './button.tsx'
import { CloseIcon } from './icon.tsx'
import { SearchIcon } from './icons.tsx'
import { uiTexts } from './texts/ui-texts.ts'

/** For the element around a `SearchFrame`; the input leaves room with `px-8`. */
export const SEARCH_FIELD = 'relative min-w-0 grow sm:max-w-80'

interface SearchFrameProps {
  readonly filled: boolean
  readonly onClear: () => void
  readonly children: ReactNode
}

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

/** `/` focuses the input that is given the returned ref. */
export function useSearchKey(command: Pick<Command, 'id' | 'label' | 'group'>): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null)
  useCommand({ ...command, keys: '/', run: () => field.current?.focus() })
  return field
}
