import { testChannel } from '@sluice/contract/routes/channels'
import { useQueryClient } from '@tanstack/react-query'
import { formatLatency } from '../../../lib/format/latency.ts'
import { isWorthTelling } from '../../../lib/http/call.ts'
import { useCall } from '../../../lib/http/use-call.ts'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { useToasts } from '../../../ui/toast/toasts.ts'
import { channelTexts } from '../texts/channel-texts.ts'

/** What went wrong has to be read and compared: longer than other toasts, in milliseconds. */
const FAILURE_TOAST_MS = 10_000

export interface TestResult {
  readonly ok: boolean
  readonly text: string
}

/**
 * Tests a channel as it is stored and tells the result. Answers it too, or `undefined` when nobody should be told. The
 * lists are asked again, since a test is stored with its channel.
 */
export function useChannelTest(): (channel: {
  readonly id: number
  readonly name: string
}) => Promise<TestResult | undefined> {
  const t = useTexts(channelTexts)
  const call = useCall()
  const cache = useQueryClient()
  const toasts = useToasts()
  return async ({ id, name }) => {
    const reply = await call(testChannel, { params: { id }, query: {} })
    void cache.invalidateQueries({ queryKey: ['channels'] })
    if (reply.ok) {
      const { modelName, time } = reply.extra
      const text = t.testResult(name, modelName, formatLatency(time * 1_000))
      toasts.show({ tone: 'good', title: t.testSucceeded, text })
      return { ok: true, text }
    }
    if (!isWorthTelling(reply)) return undefined
    const text = reply.kind === 'timeout' ? t.testTimeout : reply.message || t.unknownError
    toasts.show({ tone: 'bad', title: t.testFailed, text, duration: FAILURE_TOAST_MS })
    return { ok: false, text }
  }
}
