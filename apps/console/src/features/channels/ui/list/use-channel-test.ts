import { testChannel } from '@sluice/contract/routes/channels'
import { useQueryClient } from '@tanstack/react-query'
import { channelTexts } from '~/features/channels/texts/channel-texts.ts'
import { formatLatency } from '~/lib/format/latency.ts'
import { UNKNOWN } from '~/lib/format/unknown.ts'
import { isWorthTelling } from '~/lib/http/call.ts'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useToasts } from '~/ui/toast/toasts.ts'

/** The message about a failure has to be read and compared, so it stays longer than other toasts. In milliseconds. */
const FAILURE_TOAST_MS = 6_000

interface TestResult {
  readonly ok: boolean
  /** Model and time of the reply, or what went wrong. */
  readonly text: string
}

interface Tested {
  readonly id: number
  readonly name: string
}

/** Tests a stored channel and refetches the lists, which show its result. `undefined` when there is nothing to show. */
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

/** The same, with the result as a toast, for places without a form to show it. */
export function useReportedChannelTest(): (channel: Tested) => Promise<TestResult | undefined> {
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
