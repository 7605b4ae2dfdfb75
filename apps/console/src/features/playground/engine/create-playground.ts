import { createStore } from '~/lib/store.ts'
import {
  pathTo,
  withBranch,
  withEdit,
  withFigures,
  withLeaf,
  withMessage,
  withMessageInColumns,
  withoutMessage,
} from '../model/branches.ts'
import { type Asking, failureText } from '../model/failure-text.ts'
import {
  type ChatMessage,
  type Conversation,
  imagesOf,
  type MessageContent,
  newConversation,
  textOf,
} from '../model/message.ts'
import { requestBody } from '../model/request-body.ts'
import type { Playground, PlaygroundParts, PlaygroundState, Setup, ReplyCost } from './playground.ts'
import { errorMessage, replyMessage, type RunningReply, startReply } from './running-reply.ts'

/** A reply arriving in a column, and the end of the branch that is shown again when it is stopped. */
interface Running extends RunningReply {
  readonly before: string | null
}

/** @param initial the conversation that is open at first; undefined begins a new one. */
export function createPlayground(parts: PlaygroundParts, initial: Conversation | undefined): Playground {
  const begun = (columns: number) =>
    newConversation({ id: parts.newId(), timestamp: parts.now(), createdBy: parts.user }, columns)
  /** By column. */
  const running = new Map<number, Running>()
  const state = createStore<PlaygroundState>(shown(initial ?? begun(1)))
  /** The last one that was cleared, which is restored when that is undone. */
  let cleared: string | undefined
  const costs = createCostFinder(parts.receiptOf, (messageId, cost) => {
    const { conversation } = state.get()
    if (conversation.messages.some(({ id }) => id === messageId)) save(withFigures(conversation, messageId, cost))
  })

  function shown(conversation: Conversation): PlaygroundState {
    const columns = conversation.leaves.map((_, column) => ({ live: running.get(column)?.live }))
    return { conversation, columns, busy: running.size > 0 }
  }
  const show = (conversation: Conversation) => state.set(shown(conversation))
  const save = (conversation: Conversation) => {
    show(conversation)
    if (conversation.messages.length === 0) parts.forget(conversation.id)
    else parts.save(conversation)
  }
  const find = (id: string) => state.get().conversation.messages.find((message) => message.id === id)

  /** Requests a reply to the end of the branch that a column shows. */
  function ask(column: number, model: string, setup: Setup, asking: Asking, before: string | null): void {
    const { conversation } = state.get()
    const path = pathTo(conversation.messages, conversation.leaves[column] ?? null)
    const question = { key: setup.key, body: requestBody(path, model, setup) }
    const reply = startReply(parts, question, model, (arrived, end) => {
      running.delete(column)
      const place = placeIn(column, model)
      if (end.kind === 'aborted') return show(state.get().conversation)
      if (end.kind === 'complete') return settle(column, replyMessage(place, arrived, end))
      const text = failureText(end.failure, asking, parts.texts())
      settle(column, errorMessage(place, arrived, text))
      parts.notify({ kind: 'failed', text })
    })
    running.set(column, { ...reply, before })
  }

  const placeIn = (column: number, model: string) => {
    const parent = state.get().conversation.leaves[column] ?? null
    return { id: parts.newId(), parent, timestamp: parts.now(), model }
  }

  function settle(column: number, message: ChatMessage): void {
    save(withMessage(state.get().conversation, column, message))
    costs.find([message], true)
  }

  /** Ends all arriving replies; what has arrived stays. */
  function endAll(): void {
    const ended = [...running]
    running.clear()
    for (const [column, reply] of ended) {
      const arrived = reply.abandon()
      const isEmpty = arrived.text === '' && arrived.reasoning === ''
      if (isEmpty) save(backTo(state.get().conversation, column, reply.before))
      else
        save(
          withMessage(state.get().conversation, column, replyMessage(placeIn(column, reply.live.get().model), arrived)),
        )
    }
  }

  const canAsk = (columns: readonly number[], setup: Setup) =>
    running.size === 0 && setup.key !== '' && columns.every((column) => (setup.models[column] ?? '') !== '')

  function askAll(columns: readonly number[], setup: Setup): void {
    const { conversation } = state.get()
    for (const column of columns) {
      ask(column, setup.models[column] ?? '', setup, 'send', conversation.leaves[column] ?? null)
    }
    save(conversation)
  }

  const userMessage = (parent: string | null, content: MessageContent): ChatMessage => {
    return { id: parts.newId(), parent, role: 'user', content, reasoning_content: null, timestamp: parts.now() }
  }

  costs.find(state.get().conversation.messages, false)
  return {
    get: state.get,
    subscribe: state.subscribe,
    send(content, setup) {
      const { conversation } = state.get()
      const columns = [...conversation.leaves.keys()]
      if (!canAsk(columns, setup) || isEmptyContent(content)) return false
      // Columns that show the same branch also share the question.
      const parents = new Set(conversation.leaves)
      const withQuestions = [...parents].reduce(
        (grown, parent) =>
          withMessageInColumns(
            grown,
            columns.filter((column) => conversation.leaves[column] === parent),
            userMessage(parent, content),
          ),
        conversation,
      )
      show(withQuestions)
      askAll(columns, setup)
      return true
    },
    stop() {
      if (running.size === 0) return
      const stopped = [...running]
      running.clear()
      for (const [, reply] of stopped) reply.abandon()
      save(stopped.reduce((left, [column, { before }]) => backTo(left, column, before), state.get().conversation))
      parts.notify({ kind: 'cancelled', text: '' })
    },
    regenerate(column, id, setup) {
      const { conversation } = state.get()
      const path = pathTo(conversation.messages, conversation.leaves[column] ?? null)
      const at = path.findIndex((message) => message.id === id)
      const role = path[at]?.role
      const question = path.slice(0, Math.max(0, at)).findLast((message) => message.role === 'user')
      if (!canAsk([column], setup) || (role !== 'assistant' && role !== 'error') || question === undefined) return
      const before = conversation.leaves[column] ?? null
      show(withLeaf(conversation, column, question.id))
      ask(column, setup.models[column] ?? '', setup, 'regenerate', before)
      show(state.get().conversation)
    },
    editAndSend(column, id, content, setup) {
      const { conversation } = state.get()
      const changed = find(id)
      const showing = [...conversation.leaves].flatMap((leaf, each) =>
        pathTo(conversation.messages, leaf).some((message) => message.id === id) ? [each] : [],
      )
      if (changed?.role !== 'user' || !showing.includes(column)) return
      if (!canAsk(showing, setup) || isEmptyContent(content)) return
      show(withMessageInColumns(conversation, showing, userMessage(changed.parent, content)))
      askAll(showing, setup)
    },
    edit(id, content) {
      if (find(id) !== undefined) save(withEdit(state.get().conversation, id, content, parts.now()))
    },
    remove(id) {
      const { conversation } = state.get()
      const isAwaited = [...running.keys()].some((column) => conversation.leaves[column] === id)
      if (!isAwaited && find(id) !== undefined) save(withoutMessage(conversation, id))
    },
    showBranch(column, id) {
      if (!running.has(column) && find(id) !== undefined) save(withBranch(state.get().conversation, column, id))
    },
    clear() {
      for (const reply of running.values()) reply.abandon()
      running.clear()
      const { conversation } = state.get()
      cleared = conversation.id
      parts.forget(conversation.id)
      show(begun(conversation.leaves.length))
    },
    begin() {
      endAll()
      show(begun(state.get().conversation.leaves.length))
    },
    open(conversation) {
      const isSame = conversation.id === state.get().conversation.id
      if (!isSame) endAll()
      if (isSame || conversation.id === cleared) save(conversation)
      else show(conversation)
      costs.find(conversation.messages, false)
    },
    compare(columns) {
      const { conversation } = state.get()
      const { leaves } = conversation
      if (running.size > 0 || leaves.length === columns) return
      const first = leaves[0] ?? null
      save({ ...conversation, leaves: columns === 1 ? [first] : [first, first] })
    },
    rename(title) {
      save({ ...state.get().conversation, title })
    },
    leave() {
      if (running.size > 0) endAll()
      costs.stop()
    },
  }
}

/** Restores what a column showed, unless that was removed meanwhile. */
function backTo(conversation: Conversation, column: number, leaf: string | null): Conversation {
  return conversation.messages.some(({ id }) => id === leaf) ? withLeaf(conversation, column, leaf) : conversation
}

function isEmptyContent(content: MessageContent): boolean {
  return textOf(content).trim() === '' && imagesOf(content).length === 0
}

/** Replies of a conversation whose cost is looked up when it is opened: the newest that have none. */
const MOST_SOUGHT = 8

export interface CostFinder {
  /** Looks up the cost of those of the messages that have none; waits for the cost of replies that ended just now. */
  find(messages: readonly ChatMessage[], isFresh: boolean): void
  /** Ends every search; new ones can begin afterwards. */
  stop(): void
}

/** @param onCost called with each cost that was found, and the id of the message. */
function createCostFinder(
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
