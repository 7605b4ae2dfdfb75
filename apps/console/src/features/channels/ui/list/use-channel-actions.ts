import type { Channel } from '@sluice/contract/channel'
import {
  deleteDisabledChannels,
  duplicateChannel,
  updateChannel,
  updateChannelBalance,
  testChannel,
} from '@sluice/contract/routes/channels'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { channelChanges } from '~/features/channels/calls.ts'
import { channelTexts } from '~/features/channels/texts/channel-texts.ts'
import { formatLatency, UNKNOWN } from '~/lib/format/units.ts'
import { isWorthTelling, useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useConfirm } from '~/ui/confirm.tsx'
import { tableTexts } from '~/ui/table/texts/table-texts.ts'
import { type RowChanges, useRowChanges } from '~/ui/table/use-row-changes.ts'
import { useToasts } from '~/ui/toast/toasts.ts'
import { useChange } from '~/ui/use-change.ts'

/** The id where the channel has no name. */
export function useChannelLabel(): (channel: Pick<Channel, 'id' | 'name'>) => string {
  const t = useTexts(channelTexts)
  return ({ id, name }) => (name === '' ? t.nameOrId(String(id)) : name)
}

const CHANNELS = [['channels']]

export interface ChannelActions extends Pick<RowChanges<Channel>, 'toggle' | 'remove'> {
  /** Sends one short request through the channel. */
  readonly test: (channel: Channel) => Promise<void>
  readonly isTesting: (channel: Channel) => boolean
  /** `null` stands for the cheapest model. */
  readonly saveTestingModel: (channel: Channel, model: string | null) => Promise<void>
  /** Shows the new priority or weight at once; reverts it if the gateway refuses. */
  readonly saveNumber: (
    channel: Channel,
    change: { readonly priority: number } | { readonly weight: number },
  ) => Promise<void>
  /** Copies a channel with its key and opens the copy. */
  readonly duplicate: (channel: Channel) => Promise<void>
  readonly askBalance: (channel: Channel) => Promise<void>
  readonly isAskingBalance: (channel: Channel) => boolean
  /** Asks for confirmation first. */
  readonly removeDisabled: () => void
}

export function useChannelActions(): ChannelActions {
  const t = useTexts(channelTexts)
  const call = useCall()
  const label = useChannelLabel()
  const runTest = useReportedChannelTest()
  const rows = useRowChanges<Channel>({ area: 'channels', calls: channelChanges(call), nameOf: label, texts: t })
  const duplicate = useDuplication()
  const removeDisabled = useRemovalOfDisabled()
  const testing = usePending()
  const asking = usePending()
  const balance = useChange({
    send: (channel: Channel) => call(updateChannelBalance, { params: { id: channel.id } }),
    failed: t.balanceFailed,
    stale: CHANNELS,
  })

  return {
    toggle: rows.toggle,
    remove: rows.remove,
    test: (channel) => testing.during(channel, () => runTest({ id: channel.id, name: label(channel) })),
    isTesting: testing.has,
    saveTestingModel: (channel, model) =>
      rows.change(channel, (each) => ({ ...each, testing_model: model }), {
        send: () =>
          call(updateChannel, { query: {}, body: { id: channel.id, name: channel.name, testing_model: model } }),
        done: t.testingModelSaved,
        failed: ({ kind }) => (kind === 'refused' ? t.saveFailed : t.testingModelFailed),
      }),
    saveNumber: (channel, change) =>
      rows.change(channel, (each) => ({ ...each, ...change }), {
        send: () => call(updateChannel, { query: {}, body: { id: channel.id, ...change } }),
        failed: () => t.numberFailed,
      }),
    duplicate,
    askBalance: (channel) => asking.during(channel, () => balance.run(channel)),
    isAskingBalance: asking.has,
    removeDisabled,
  }
}

function usePending() {
  const [ids, setIds] = useState<readonly number[]>([])
  return {
    has: ({ id }: Channel) => ids.includes(id),
    during: async ({ id }: Channel, work: () => Promise<unknown>) => {
      setIds((pending) => [...pending, id])
      await work()
      setIds((pending) => pending.filter((other) => other !== id))
    },
  }
}

function useDuplication(): ChannelActions['duplicate'] {
  const t = useTexts(channelTexts)
  const call = useCall()
  const navigate = useNavigate()
  const duplication = useChange({
    send: (channel: Channel) => call(duplicateChannel, { params: { id: channel.id } }),
    failed: t.duplicateFailed,
    done: ({ data }) => ({ title: t.duplicated, text: data.name }),
    onDone: ({ data }) => void navigate({ to: '/channels/edit/$id', params: { id: data.id } }),
    stale: CHANNELS,
  })
  return duplication.run
}

function useRemovalOfDisabled(): ChannelActions['removeDisabled'] {
  const t = useTexts(channelTexts)
  const table = useTexts(tableTexts)
  const call = useCall()
  const confirm = useConfirm()
  const removal = useChange({
    send: () => call(deleteDisabledChannels, {}),
    failed: table.deleteFailed,
    done: t.disabledDeleted,
    stale: CHANNELS,
  })
  return () =>
    confirm({
      title: t.deleteDisabledTitle,
      text: t.deleteDisabledText,
      confirm: table.delete,
      busy: table.deleteBusy,
      danger: true,
      run: removal.run,
    })
}

/** A failure message has to be read and compared, so it stays longer than other toasts. In milliseconds. */
const FAILURE_TOAST_MS = 6_000

interface TestResult {
  readonly ok: boolean
  readonly text: string
}

interface Tested {
  readonly id: number
  readonly name: string
}

/** Refetches the lists, which show the result. `undefined` when there is nothing to show. */
function useChannelTest(): (channel: Tested) => Promise<TestResult | undefined> {
  const t = useTexts(channelTexts)
  const call = useCall()
  const cache = useQueryClient()
  return async ({ id, name }) => {
    const reply = await call(testChannel, { params: { id }, query: {} })
    void cache.invalidateQueries({ queryKey: ['channels'] })
    if (reply.ok) {
      const { modelName, time } = reply.extra
      return { ok: true, text: t.testResult(name, modelName || UNKNOWN, formatLatency(time * 1_000)) }
    }
    if (!isWorthTelling(reply)) return undefined
    return { ok: false, text: reply.kind === 'timeout' ? t.testTimeout : reply.message || t.unknownError }
  }
}

/** Shows the result as a toast, for places without a form. */
function useReportedChannelTest(): (channel: Tested) => Promise<TestResult | undefined> {
  const t = useTexts(channelTexts)
  const toasts = useToasts()
  const test = useChannelTest()
  return async (channel) => {
    const result = await test(channel)
    if (result?.ok === true) toasts.show({ tone: 'good', title: t.testSucceeded, text: result.text })
    if (result?.ok === false) {
      toasts.show({ tone: 'bad', title: t.testFailed, text: result.text, duration: FAILURE_TOAST_MS })
    }
    return result
  }
}
