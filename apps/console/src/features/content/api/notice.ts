import { notice } from '@sluice/contract/routes/system'
import * as v from 'valibot'
import { type Call, successOf } from '../../../lib/http/call.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'
import { STORAGE_KEYS } from '../../../lib/storage/keys.ts'
import { browserStorage, storedRecord } from '../../../lib/storage/stored-record.ts'

const kept = () => storedRecord(browserStorage(), STORAGE_KEYS.notice, v.object({ id: v.string(), text: v.string() }))
const dismissed = () => storedRecord(browserStorage(), STORAGE_KEYS.noticeDismissed, v.string())

/** The notice with this id, when this browser has read it before. */
export function keptNotice(id: string): string | undefined {
  const notice = kept().read()
  return notice?.id === id ? notice.text : undefined
}

/** The text of the notice with this id, which never changes; it is asked for once per browser. */
export function noticeQuery(call: Call, id: string): QuerySpec<string> {
  return {
    queryKey: ['content', 'notice', id],
    queryFn: async ({ signal }) => {
      const known = keptNotice(id)
      if (known !== undefined) return known
      const { data } = successOf(await call(notice, { signal }))
      kept().write({ id, text: data })
      return data
    },
    staleTime: Number.POSITIVE_INFINITY,
  }
}

/** Whether somebody dismissed this notice on this browser. */
export function isDismissed(id: string): boolean {
  return dismissed().read() === id
}

export function dismiss(id: string): void {
  dismissed().write(id)
}
