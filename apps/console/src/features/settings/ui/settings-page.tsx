import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useCan } from '~/lib/session/session.ts'
import { buttonClass } from '~/ui/button.tsx'
import { Page } from '~/ui/page.tsx'
import type { SettingsTabId } from '../model/settings-tab.ts'
import { settingsTexts } from '../texts/settings-texts.ts'

interface SettingsPageProps {
  readonly tabs: ReadonlyArray<{ readonly id: SettingsTabId }>
  readonly current: SettingsTabId
  readonly children: ReactNode
}

/** The tabs are links: each has its own address, which can be shared and opened in a new tab. */
export function SettingsPage({ tabs, current, children }: SettingsPageProps) {
  const t = useTexts(settingsTexts)
  return (
    <Page
      title={t.title}
      width="wide"
      actions={
        useCan('data.import') && (
          <Link to="/import" className={buttonClass()}>
            {t.import}
          </Link>
        )
      }
    >
      <nav aria-label={t.title} className="border-line flex gap-1 overflow-x-auto border-b">
        {tabs.map(({ id }) => (
          <Link
            key={id}
            to="/settings"
            search={{ tab: id, find: '' }}
            // By default, all tabs would mark the first tab as current, because the address leaves it out.
            activeOptions={{ exact: true, includeSearch: true }}
            aria-current={id === current ? 'page' : undefined}
            className="text-muted hover:text-ink aria-[current]:border-accent aria-[current]:text-ink border-b-2 border-transparent px-3 py-2 text-sm font-medium whitespace-nowrap focus-visible:-outline-offset-2"
          >
            {t.tabs[id]}
          </Link>
        ))}
      </nav>
      {children}
    </Page>
  )
}
