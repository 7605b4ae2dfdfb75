import { clsx } from 'clsx'
import { useState } from 'react'
import * as v from 'valibot'
import { useIsBelow } from '~/lib/dom/use-media.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { STORAGE_KEYS } from '~/lib/storage/keys.ts'
import { browserStorage, storedRecord } from '~/lib/storage/stored-record.ts'
import { IconButton } from '~/ui/button.tsx'
import { ChevronLeftIcon, ChevronRightIcon } from '~/ui/icons.tsx'
import { shellTexts } from '../texts/shell-texts.ts'
import { NavigationList } from './navigation-list.tsx'

/** The navigation at the left of wide windows; narrow on tablets, and wherever it was collapsed. */
export function NavigationRail() {
  const t = useTexts(shellTexts)
  const record = storedRecord(browserStorage(), STORAGE_KEYS.rail, v.picklist(['open', 'collapsed']))
  const [choice, setChoice] = useState(() => record.read())
  const tablet = useIsBelow('desktop')
  const collapsed = choice === undefined ? tablet : choice === 'collapsed'
  const toggle = () => {
    const next = collapsed ? 'open' : 'collapsed'
    record.write(next)
    setChoice(next)
  }
  return (
    <nav
      aria-label={t.navigation}
      className={clsx(
        'border-line bg-surface hidden shrink-0 flex-col overflow-y-auto border-r px-2 py-3 md:flex',
        collapsed ? 'w-13' : 'w-48',
      )}
    >
      <NavigationList collapsed={collapsed} />
      <div className="mt-auto pl-0.5">
        <IconButton
          label={collapsed ? t.expandNavigation : t.collapseNavigation}
          aria-expanded={!collapsed}
          onClick={toggle}
        >
          {collapsed ? <ChevronRightIcon /> : <ChevronLeftIcon />}
        </IconButton>
      </div>
    </nav>
  )
}
