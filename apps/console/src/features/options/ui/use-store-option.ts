import { updateOption } from '@sluice/contract/routes/options'
import { useQueryClient } from '@tanstack/react-query'
import { useContext, createContext, useSyncExternalStore } from 'react'
import { type Reply, useCall } from '~/lib/http/call.ts'
import { SystemStatusContext } from '~/lib/status/system-status.ts'
import { type Store, useStore } from '~/lib/store.ts'
import { OPTIONS, type StoredOptions } from '../calls.ts'
import type { Setting } from '../model/setting.ts'

/**
 * An accepted value takes effect at once in this console too; whatever else depends on settings is refetched when it is next shown.
 * An empty secret is removed.
 */
export function useStoreOption(): (setting: Setting, value: string) => Promise<Reply<typeof updateOption>> {
  const call = useCall()
  const cache = useQueryClient()
  const status = useContext(SystemStatusContext)
  return async (setting, value) => {
    const { key, kind } = setting
    const isRemoval = kind === 'secret' && value === ''
    const reply = await call(updateOption, { body: { key, value, ...(isRemoval && { clear: true }) } })
    if (!reply.ok) return reply
    await cache.cancelQueries({ queryKey: OPTIONS })
    cache.setQueryData<StoredOptions>(OPTIONS, (before) => before && withStored(before, setting, value))
    void cache.invalidateQueries({ refetchType: 'none' })
    void cache.invalidateQueries({ queryKey: OPTIONS })
    void status?.refresh()
    return reply
  }
}

function withStored(
  { values, secretsSet, managedBy }: StoredOptions,
  { key, kind }: Setting,
  value: string,
): StoredOptions {
  if (kind !== 'secret') return { values: { ...values, [key]: value }, secretsSet, managedBy }
  const others = secretsSet.filter((name) => name !== key)
  return { values, secretsSet: value === '' ? others : [...others, key], managedBy }
}

/** By key. Unsaved entries outlive their rows, which a search can take off the page. */
export type Drafts = ReadonlyMap<string, string>

export const DraftsContext = createContext<Store<Drafts> | undefined>(undefined)

function useDraftStore(): Store<Drafts> {
  const store = useContext(DraftsContext)
  if (store === undefined) throw new Error('useDrafts needs a DraftsContext above it')
  return store
}

export function useDrafts(): Drafts {
  return useStore(useDraftStore())
}

/** `undefined` shows what is stored. */
export function useDraft(key: string): readonly [string | undefined, (entry: string | undefined) => void] {
  const store = useDraftStore()
  const draft = useSyncExternalStore(store.subscribe, () => store.get().get(key))
  return [
    draft,
    (entry) => {
      const next = new Map(store.get())
      if (entry === undefined) next.delete(key)
      else next.set(key, entry)
      store.set(next)
    },
  ]
}
