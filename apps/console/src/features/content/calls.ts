import { availableModels } from '@sluice/contract/routes/account'
import { about, homePageContent, notice } from '@sluice/contract/routes/system'
import * as v from 'valibot'
import { type Call, successOf } from '~/lib/http/call.ts'
import type { QuerySpec } from '~/lib/query/queries.ts'
import { STORAGE_KEYS } from '~/lib/storage/keys.ts'
import { browserStorage, type StoredRecord, storedRecord } from '~/lib/storage/stored-record.ts'

export function storedHomeContent(): StoredRecord<string> {
  return storedRecord(browserStorage(), STORAGE_KEYS.home, v.string())
}

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

/** Empty when the operators say nothing. */
export function aboutContentQuery(call: Call): QuerySpec<string> {
  return {
    queryKey: ['content', 'about'],
    queryFn: async ({ signal }) => successOf(await call(about, { signal })).data,
  }
}

const kept = () => storedRecord(browserStorage(), STORAGE_KEYS.notice, v.object({ id: v.string(), text: v.string() }))
const dismissed = () => storedRecord(browserStorage(), STORAGE_KEYS.noticeDismissed, v.string())

/** Undefined unless this browser has fetched the notice before. */
export function keptNotice(id: string): string | undefined {
  const notice = kept().read()
  return notice?.id === id ? notice.text : undefined
}

/** The text of a notice never changes, so each browser requests it once. */
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

export function isDismissed(id: string): boolean {
  return dismissed().read() === id
}

export function dismiss(id: string): void {
  dismissed().write(id)
}

/** The list changes only when channels do, which is rare. */
const MODELS_FRESH_MS = 60_000

/** Names of the models that the signed-in account can call. */
export function offeredModelsQuery(call: Call): QuerySpec<readonly string[]> {
  return {
    queryKey: ['content', 'offered-models'],
    queryFn: async ({ signal }) => successOf(await call(availableModels, { signal })).data,
    staleTime: MODELS_FRESH_MS,
  }
}
