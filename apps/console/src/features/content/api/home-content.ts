import { homePageContent } from '@sluice/contract/routes/system'
import * as v from 'valibot'
import { type Call, successOf } from '../../../lib/http/call.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'
import { STORAGE_KEYS } from '../../../lib/storage/keys.ts'
import { browserStorage, type StoredRecord, storedRecord } from '../../../lib/storage/stored-record.ts'

/** What the home page showed last on this browser. */
export function storedHomeContent(): StoredRecord<string> {
  return storedRecord(browserStorage(), STORAGE_KEYS.home, v.string())
}

/** The content of the home page, kept for the next visit. */
export function homeContentQuery(call: Call): QuerySpec<string> {
  return {
    queryKey: ['content', 'home'],
    queryFn: async ({ signal }) => {
      const { data } = successOf(await call(homePageContent, { signal }))
      storedHomeContent().write(data)
      return data
    },
  }
}
