import type { ChatMessage } from '../model/message.ts'
import type { PlaygroundParts, ReplyCost } from './playground.ts'

/** Replies of a conversation whose cost is looked up when it is opened: the newest that have none. */
const MOST_SOUGHT = 8

export interface CostFinder {
  /** Looks up the cost of those of the messages that have none; waits for the cost of replies that ended just now. */
  find(messages: readonly ChatMessage[], isFresh: boolean): void
  /** Ends every search; new ones can begin afterwards. */
  stop(): void
}

/** @param onCost called with each cost that was found, and the id of the message. */
export function createCostFinder(
  receiptOf: PlaygroundParts['receiptOf'],
  onCost: (messageId: string, cost: ReplyCost) => void,
): CostFinder {
  let searches = new AbortController()
  /** Request ids that are being looked up. */
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
