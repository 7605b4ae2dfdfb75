import { useState } from 'react'
import * as v from 'valibot'
import { useUser } from '~/lib/session/use-session.ts'
import { STORAGE_KEYS } from '~/lib/storage/keys.ts'
import { browserStorage, storedRecord } from '~/lib/storage/stored-record.ts'
import { SavedViewsMenu } from '~/ui/saved-views/saved-views-menu.tsx'
import { viewSearchOf } from '../model/filters/log-address.ts'
import type { LogSearch } from '../model/filters/log-search.ts'

interface LogViewsProps {
  readonly search: LogSearch
  readonly columns: readonly string[]
  readonly onView: (search: Readonly<Record<string, unknown>>) => void
}

/** The saved views of the logs. Columns are read and written through the record that the table keeps. */
export function LogViews({ search, columns, onView }: LogViewsProps) {
  const user = useUser()
  const [chosen] = useState(() =>
    storedRecord(browserStorage(), STORAGE_KEYS.columns('logs'), v.record(v.string(), v.boolean())),
  )
  if (user === undefined) return null
  return (
    <SavedViewsMenu
      list="logs"
      userId={user.id}
      search={viewSearchOf(search)}
      columns={() => chosen.read() ?? {}}
      shape={{ columns }}
      onApply={(view) => {
        chosen.write({ ...view.columns })
        onView(view.search)
      }}
    />
  )
}
