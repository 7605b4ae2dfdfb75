import { testAllChannels } from '@sluice/contract/routes/channels'
import { useState } from 'react'
import { isWorthTelling } from '../../../lib/http/call.ts'
import { useCall } from '../../../lib/http/use-call.ts'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { useToasts } from '../../../ui/toast/toasts.ts'
import type { ChannelPage } from '../api/channel-list.ts'
import { type BulkTest, isAwaited, startBulkTest } from '../model/bulk-test.ts'
import { channelTexts } from '../texts/channel-texts.ts'

/** Pause between two looks at the list while a bulk test runs, in milliseconds. */
const LOOK_MS = 1_500

/** The bulk test this page has started, if any; it runs in the gateway and is followed by asking for the list again. */
export function useBulkTest() {
  const t = useTexts(channelTexts)
  const call = useCall()
  const toasts = useToasts()
  const [run, setRun] = useState<BulkTest>()
  const [starting, setStarting] = useState(false)
  const start = async (page: ChannelPage | undefined) => {
    setStarting(true)
    const followed = startBulkTest(page?.rows ?? [], Date.now())
    const reply = await call(testAllChannels, { query: {} })
    setStarting(false)
    if (reply.ok) {
      setRun(followed)
      toasts.show({ tone: 'info', title: t.bulkStarted })
    } else if (isWorthTelling(reply)) {
      toasts.show({ tone: 'bad', title: t.bulkFailed, ...(reply.message !== '' && { text: reply.message }) })
    }
  }
  return {
    run,
    starting,
    start,
    /** For the list's query: how long to wait before asking again. `asOf` in unix milliseconds. */
    refetchInterval: (page: ChannelPage | undefined, asOf: number) =>
      page?.rows.some((row) => isAwaited(run, row, asOf)) === true ? LOOK_MS : (false as const),
  }
}
