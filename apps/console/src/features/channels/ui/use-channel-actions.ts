import { type Channel, CHANNEL_STATUS } from '@sluice/contract/channel'
import {
  deleteChannel,
  deleteDisabledChannels,
  duplicateChannel,
  updateChannel,
  updateChannelBalance,
} from '@sluice/contract/routes/channels'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Failure, isWorthTelling } from '../../../lib/http/call.ts'
import { useCall } from '../../../lib/http/use-call.ts'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { useConfirm } from '../../../ui/confirm.tsx'
import { useToasts } from '../../../ui/toast/toasts.ts'
import { CHANNEL_LISTS, type ChannelPage } from '../api/channel-list.ts'
import { channelTexts } from '../texts/channel-texts.ts'
import { useToldChannelTest } from './use-channel-test.ts'

/** Name of a channel in a sentence; its id where it has no name. */
export function useChannelLabel(): (channel: Pick<Channel, 'id' | 'name'>) => string {
  const t = useTexts(channelTexts)
  return ({ id, name }) => (name === '' ? t.nameOrId(String(id)) : name)
}

/** Long enough to read it and to reach for Undo, in milliseconds. */
const UNDO_TOAST_MS = 6_000

/** What the list can do to its channels. */
export interface ChannelActions {
  /** Enables a disabled channel and disables an enabled one: at once in the list, taken back on refusal, with Undo. */
  readonly toggle: (channel: Channel) => Promise<void>
  /** Sends one short request through the channel. */
  readonly test: (channel: Channel) => Promise<void>
  readonly isTesting: (channel: Channel) => boolean
  /** `null` stands for the cheapest model. */
  readonly saveTestingModel: (channel: Channel, model: string | null) => Promise<void>
  /** Changes priority or weight in its place: at once in the list, taken back on refusal. */
  readonly saveNumber: (
    channel: Channel,
    change: { readonly priority: number } | { readonly weight: number },
  ) => Promise<void>
  /** Copies a channel with its key and opens the copy. */
  readonly duplicate: (channel: Channel) => Promise<void>
  /** Asks the provider what is left of the account. */
  readonly askBalance: (channel: Channel) => Promise<void>
  readonly isAskingBalance: (channel: Channel) => boolean
  /** Deletes after a confirmation. */
  readonly remove: (channel: Channel) => void
  /** Deletes every disabled channel after a confirmation. */
  readonly removeDisabled: () => void
}

export function useChannelActions(): ChannelActions {
  const t = useTexts(channelTexts)
  const call = useCall()
  const cache = useQueryClient()
  const toasts = useToasts()
  const confirm = useConfirm()
  const label = useChannelLabel()
  const runTest = useToldChannelTest()
  const navigate = useNavigate()
  const [testing, setTesting] = useState<readonly number[]>([])
  const [asking, setAsking] = useState<readonly number[]>([])

  const tell = (title: string, failure: Failure) => {
    if (!isWorthTelling(failure)) return
    toasts.show({ tone: 'bad', title, ...(failure.message !== '' && { text: failure.message }) })
  }
  const refresh = () => cache.invalidateQueries({ queryKey: ['channels'] })

  /** Shows a change in every cached list before the gateway has agreed; the answer takes it back. */
  const showAhead = async (id: number, change: Partial<Channel>): Promise<() => void> => {
    await cache.cancelQueries({ queryKey: CHANNEL_LISTS })
    const before = cache.getQueriesData<ChannelPage>({ queryKey: CHANNEL_LISTS })
    cache.setQueriesData<ChannelPage>({ queryKey: CHANNEL_LISTS }, (page) => changed(page, id, change))
    return () => {
      for (const [key, page] of before) cache.setQueryData(key, page)
    }
  }

  const setStatus = async (channel: Channel, status: 1 | 2, undo?: () => void) => {
    const takeBack = await showAhead(channel.id, { status })
    const reply = await call(updateChannel, { query: { status_only: '1' }, body: { id: channel.id, status } })
    if (reply.ok) {
      const title = status === CHANNEL_STATUS.enabled ? t.enabledNow : t.disabledNow
      const way = undo && { action: { label: t.undo, run: undo }, duration: UNDO_TOAST_MS }
      toasts.show({ tone: 'good', title, text: label(channel), ...way })
    } else {
      takeBack()
      tell(t.statusFailed, reply)
    }
    await refresh()
  }

  const toggle = async (channel: Channel) => {
    const { enabled, disabled } = CHANNEL_STATUS
    const [next, back] = channel.status === enabled ? ([disabled, enabled] as const) : ([enabled, disabled] as const)
    await setStatus(channel, next, () => void setStatus(channel, back))
  }

  const test = async (channel: Channel) => {
    setTesting((ids) => [...ids, channel.id])
    await runTest({ id: channel.id, name: label(channel) })
    setTesting((ids) => ids.filter((id) => id !== channel.id))
  }

  const saveTestingModel = async (channel: Channel, model: string | null) => {
    const { id, name } = channel
    const takeBack = await showAhead(id, { testing_model: model })
    const reply = await call(updateChannel, { query: {}, body: { id, name, testing_model: model } })
    if (reply.ok) {
      toasts.show({ tone: 'good', title: t.testingModelSaved, text: label(channel) })
    } else {
      takeBack()
      tell(reply.kind === 'refused' ? t.saveFailed : t.testingModelFailed, reply)
    }
    await refresh()
  }

  const saveNumber: ChannelActions['saveNumber'] = async (channel, change) => {
    const takeBack = await showAhead(channel.id, change)
    const reply = await call(updateChannel, { query: {}, body: { id: channel.id, ...change } })
    if (!reply.ok) {
      takeBack()
      tell(t.numberFailed, reply)
    }
    await refresh()
  }

  const duplicate = async (channel: Channel) => {
    const reply = await call(duplicateChannel, { params: { id: channel.id } })
    await refresh()
    if (!reply.ok) return tell(t.duplicateFailed, reply)
    toasts.show({ tone: 'good', title: t.duplicated, text: reply.data.name })
    await navigate({ to: '/channels/edit/$id', params: { id: reply.data.id } })
  }

  const askBalance = async (channel: Channel) => {
    setAsking((ids) => [...ids, channel.id])
    const reply = await call(updateChannelBalance, { params: { id: channel.id } })
    setAsking((ids) => ids.filter((id) => id !== channel.id))
    if (!reply.ok) tell(t.balanceFailed, reply)
    await refresh()
  }

  const removeNow = async (channel: Channel) => {
    const reply = await call(deleteChannel, { params: { id: channel.id } })
    if (reply.ok) toasts.show({ tone: 'good', title: t.deleted, text: label(channel) })
    else tell(t.deleteFailed, reply)
    await refresh()
  }

  const removeDisabledNow = async () => {
    const reply = await call(deleteDisabledChannels, {})
    if (reply.ok) toasts.show({ tone: 'good', title: t.disabledDeleted })
    else tell(t.deleteFailed, reply)
    await refresh()
  }

  const destructive = { confirm: t.delete, busy: t.deleteBusy, danger: true }
  return {
    toggle,
    test,
    isTesting: ({ id }) => testing.includes(id),
    saveTestingModel,
    saveNumber,
    duplicate,
    askBalance,
    isAskingBalance: ({ id }) => asking.includes(id),
    remove: (channel) =>
      confirm({
        ...destructive,
        title: t.deleteTitle,
        text: t.deleteText(label(channel)),
        run: () => removeNow(channel),
      }),
    removeDisabled: () =>
      confirm({ ...destructive, title: t.deleteDisabledTitle, text: t.deleteDisabledText, run: removeDisabledNow }),
  }
}

function changed(page: ChannelPage | undefined, id: number, change: Partial<Channel>): ChannelPage | undefined {
  return page && { ...page, rows: page.rows.map((row) => (row.id === id ? { ...row, ...change } : row)) }
}
