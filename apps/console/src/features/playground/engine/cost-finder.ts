import type { ChatMessage } from '../model/message.ts'
import type { PlaygroundParts, ReplyCost } from './playground.ts'

/** Replies of a conversation whose cost is looked for when it is opened: the newest that have none. */
const MOST_SOUGHT = 8

export interface CostFinder {
  /** Looks for what those of the messages cost of which that is not known; those that ended just now are waited for. */
  find(messages: readonly ChatMessage[], isFresh: boolean): void
  /** Ends every search; another one may begin afterwards. */
  stop(): void
}

/** @param onCost told about each cost that was found, with the id of the message. */
export function createCostFinder(
  receiptOf: PlaygroundParts['receiptOf'],
  onCost: (messageId: string, cost: ReplyCost) => void,
): CostFinder {
  let searches = new AbortController()
  /** Request ids that are being looked for. */
  const sought = new Set<string>()

  async function search(messageId: string, requestId: string, isFresh: boolean): Promise<void> {
    const { signal } = searches
    sought.add(requestId)
    const cost = await receiptOf(requestId, isFresh, signal)
    if (signal.aborted) return
    sought.delete(requestId)
    if (cost !== undefined) onCost(messageId, cost)
  }

  return {
    find(messages, isFresh) {
      const lacking = messages.filter(({ figures }) => figures?.cost === undefined && (figures?.requestId ?? '') !== '')
      for (const { id, figures } of lacking.slice(-MOST_SOUGHT)) {
        const requestId = figures?.requestId ?? ''
        if (!sought.has(requestId)) void search(id, requestId, isFresh)
      }
    },
    stop() {
      searches.abort()
      searches = new AbortController()
      sought.clear()
    },
  }
}
