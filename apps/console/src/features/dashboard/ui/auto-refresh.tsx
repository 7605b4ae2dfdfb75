import { useState } from 'react'
import * as v from 'valibot'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { STORAGE_KEYS } from '~/lib/storage/keys.ts'
import { browserStorage, storedRecord } from '~/lib/storage/stored-record.ts'
import { dashboardTexts } from '../texts/dashboard-texts.ts'

/** Pause between two refreshes, in milliseconds; none happen while the tab is hidden. */
export const AUTO_REFRESH_MS = 60_000

/** Whether the dashboard refreshes automatically; stored in this browser. */
export function useAutoRefresh() {
  const record = storedRecord(browserStorage(), STORAGE_KEYS.autoRefresh, v.boolean())
  const [on, setOn] = useState(() => record.read() ?? false)
  const set = (next: boolean) => {
    record.write(next)
    setOn(next)
  }
  return { on, set }
}

export function AutoRefreshSwitch({ on, onChange }: { on: boolean; onChange: (on: boolean) => void }) {
  const t = useTexts(dashboardTexts)
  return (
    <label
      className="text-muted flex min-h-7 items-center gap-1.5 text-sm pointer-coarse:min-h-11"
      data-tip={t.autoRefreshTip}
    >
      <input
        type="checkbox"
        className="accent-accent-solid size-4"
        checked={on}
        onChange={(event) => onChange(event.target.checked)}
      />
      {t.autoRefresh}
    </label>
  )
}
