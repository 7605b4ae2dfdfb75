import type { Channel } from '@sluice/contract/channel'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { defaultBaseUrlQuery } from '~/features/channels/calls.ts'
import type { KeyRule } from '~/features/channels/model/channel-form-values.ts'
import { type KeyNeed, keyNeed, originOf } from '~/features/channels/model/channel-key.ts'
import { useCall } from '~/lib/http/use-call.ts'
import { useCan } from '~/lib/session/session.ts'

type Stored = Pick<Channel, 'type' | 'base_url'>

/** For the schema of the form, which calls it while it validates: what must be done about the key. */
export function useKeyRule(stored: Stored | undefined): KeyRule {
  const call = useCall()
  const cache = useQueryClient()
  const mayMove = useCan('channels.moveKeys')
  return (type, baseUrl) => {
    const standard = (code: number) => cache.getQueryData<string>(defaultBaseUrlQuery(call, code).queryKey)
    return needOf(stored, { type, baseUrl }, standard, mayMove)
  }
}

/** The same for the current values of the form. */
export function useKeyNeed(stored: Stored | undefined, type: number, baseUrl: string): KeyNeed {
  const call = useCall()
  const mayMove = useCan('channels.moveKeys')
  const here = useQuery(defaultBaseUrlQuery(call, type)).data
  const there = useQuery(defaultBaseUrlQuery(call, stored?.type ?? type)).data
  return needOf(stored, { type, baseUrl }, (code) => (code === type ? here : there), mayMove)
}

function needOf(
  stored: Stored | undefined,
  form: { readonly type: number; readonly baseUrl: string },
  standard: (type: number) => string | undefined,
  mayMove: boolean,
): KeyNeed {
  if (stored === undefined) return keyNeed(undefined, form.type, '', mayMove)
  const [from, to] = [standard(stored.type), standard(form.type)]
  // While an address is unknown, the gateway's reply to the save decides.
  const isKnown = from !== undefined && to !== undefined
  const origin = isKnown ? originOf(stored.base_url, from) : ''
  return keyNeed({ type: stored.type, origin }, form.type, isKnown ? originOf(form.baseUrl, to) : '', mayMove)
}
