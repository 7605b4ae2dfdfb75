import { createStore, type Store } from '~/lib/store.ts'
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

/** An arriving reply, and the end of the branch that is shown again when it is stopped. */
interface Running extends RunningReply {
  readonly before: string | null
}

/** @param initial the conversation that is open at first; undefined begins a new one. */
export function createPlayground(parts: PlaygroundParts, initial: Conversation | undefined): Playground {
  return new OpenPlayground(parts, initial)
}

class OpenPlayground implements Playground {
  readonly #parts: PlaygroundParts
  /** By column. */
  readonly #running = new Map<number, Running>()
  readonly #state: Store<PlaygroundState>
  readonly #costs: CostFinder
  /** Id of the conversation that was cleared last, which an undo restores. */
  #cleared: string | undefined
  readonly get: Playground['get']
  readonly subscribe: Playground['subscribe']

  constructor(parts: PlaygroundParts, initial: Conversation | undefined) {
    this.#parts = parts
    this.#state = createStore<PlaygroundState>(this.#shown(initial ?? this.#begun(1)))
    this.get = this.#state.get
    this.subscribe = this.#state.subscribe
    this.#costs = createCostFinder(parts.receiptOf, (messageId, cost) => {
      if (this.#has(messageId)) this.#save(withFigures(this.#conversation, messageId, cost))
    })
    this.#costs.find(this.#conversation.messages, false)
  }

  get #conversation(): Conversation {
    return this.#state.get().conversation
  }

  #begun(columns: number): Conversation {
    const { newId, now, user } = this.#parts
    return newConversation({ id: newId(), timestamp: now(), createdBy: user }, columns)
  }

  #shown(conversation: Conversation): PlaygroundState {
    const columns = conversation.leaves.map((_, column) => ({ live: this.#running.get(column)?.live }))
    return { conversation, columns, busy: this.#running.size > 0 }
  }

  #show(conversation: Conversation): void {
    this.#state.set(this.#shown(conversation))
  }

  #save(conversation: Conversation): void {
    this.#show(conversation)
    if (conversation.messages.length === 0) this.#parts.forget(conversation.id)
    else this.#parts.save(conversation)
  }

  #has(id: string): boolean {
    return this.#conversation.messages.some((message) => message.id === id)
  }

  #ask(column: number, model: string, setup: Setup, asking: Asking, before: string | null): void {
    const { messages, leaves } = this.#conversation
    const path = pathTo(messages, leaves[column] ?? null)
    const question = { key: setup.key, body: requestBody(path, model, setup) }
    const reply = startReply(this.#parts, question, model, (arrived, end) => {
      this.#running.delete(column)
      const place = this.#placeIn(column, model)
      if (end.kind === 'aborted') return this.#show(this.#conversation)
      if (end.kind === 'complete') return this.#settle(column, replyMessage(place, arrived, end))
      const text = failureText(end.failure, asking, this.#parts.texts())
      this.#settle(column, errorMessage(place, arrived, text))
      this.#parts.notify({ kind: 'failed', text })
    })
    this.#running.set(column, { ...reply, before })
  }

  #placeIn(column: number, model: string) {
    const parent = this.#conversation.leaves[column] ?? null
    return { id: this.#parts.newId(), parent, timestamp: this.#parts.now(), model }
  }

  #settle(column: number, message: ChatMessage): void {
    this.#save(withMessage(this.#conversation, column, message))
    this.#costs.find([message], true)
  }

  /** What has arrived stays. */
  #endAll(): void {
    const ended = [...this.#running]
    this.#running.clear()
    for (const [column, reply] of ended) {
      const arrived = reply.abandon()
      const isEmpty = arrived.text === '' && arrived.reasoning === ''
      if (isEmpty) this.#save(backTo(this.#conversation, column, reply.before))
      else {
        const message = replyMessage(this.#placeIn(column, reply.live.get().model), arrived)
        this.#save(withMessage(this.#conversation, column, message))
      }
    }
  }

  #canAsk(columns: readonly number[], setup: Setup): boolean {
    const hasModels = columns.every((column) => (setup.models[column] ?? '') !== '')
    return this.#running.size === 0 && setup.key !== '' && hasModels
  }

  #askAll(columns: readonly number[], setup: Setup): void {
    const conversation = this.#conversation
    for (const column of columns) {
      this.#ask(column, setup.models[column] ?? '', setup, 'send', conversation.leaves[column] ?? null)
    }
    this.#save(conversation)
  }

  #userMessage(parent: string | null, content: MessageContent): ChatMessage {
    const { newId, now } = this.#parts
    return { id: newId(), parent, role: 'user', content, reasoning_content: null, timestamp: now() }
  }

  send(content: MessageContent, setup: Setup): boolean {
    const conversation = this.#conversation
    const columns = [...conversation.leaves.keys()]
    if (!this.#canAsk(columns, setup) || isEmptyContent(content)) return false
    // Columns that show the same branch also share the question.
    const parents = new Set(conversation.leaves)
    const withQuestions = [...parents].reduce((grown, parent) => {
      const sharing = columns.filter((column) => conversation.leaves[column] === parent)
      return withMessageInColumns(grown, sharing, this.#userMessage(parent, content))
    }, conversation)
    this.#show(withQuestions)
    this.#askAll(columns, setup)
    return true
  }

  stop(): void {
    if (this.#running.size === 0) return
    const stopped = [...this.#running]
    this.#running.clear()
    for (const [, reply] of stopped) reply.abandon()
    this.#save(stopped.reduce((left, [column, { before }]) => backTo(left, column, before), this.#conversation))
    this.#parts.notify({ kind: 'cancelled', text: '' })
  }

  regenerate(column: number, id: string, setup: Setup): void {
    const conversation = this.#conversation
    const path = pathTo(conversation.messages, conversation.leaves[column] ?? null)
    const at = path.findIndex((message) => message.id === id)
    const role = path[at]?.role
    const question = path.slice(0, Math.max(0, at)).findLast((message) => message.role === 'user')
    if (!this.#canAsk([column], setup) || (role !== 'assistant' && role !== 'error') || question === undefined) return
    const before = conversation.leaves[column] ?? null
    this.#show(withLeaf(conversation, column, question.id))
    this.#ask(column, setup.models[column] ?? '', setup, 'regenerate', before)
    this.#show(this.#conversation)
  }

  editAndSend(column: number, id: string, content: MessageContent, setup: Setup): void {
    const conversation = this.#conversation
    const changed = conversation.messages.find((message) => message.id === id)
    const showing = [...conversation.leaves].flatMap((leaf, each) =>
      pathTo(conversation.messages, leaf).some((message) => message.id === id) ? [each] : [],
    )
    if (changed?.role !== 'user' || !showing.includes(column)) return
    if (!this.#canAsk(showing, setup) || isEmptyContent(content)) return
    this.#show(withMessageInColumns(conversation, showing, this.#userMessage(changed.parent, content)))
    this.#askAll(showing, setup)
  }

  edit(id: string, content: MessageContent): void {
    if (this.#has(id)) this.#save(withEdit(this.#conversation, id, content, this.#parts.now()))
  }

  remove(id: string): void {
    const conversation = this.#conversation
    const isAwaited = [...this.#running.keys()].some((column) => conversation.leaves[column] === id)
    if (!isAwaited && this.#has(id)) this.#save(withoutMessage(conversation, id))
  }

  showBranch(column: number, id: string): void {
    if (!this.#running.has(column) && this.#has(id)) this.#save(withBranch(this.#conversation, column, id))
  }

  clear(): void {
    for (const reply of this.#running.values()) reply.abandon()
    this.#running.clear()
    const { id, leaves } = this.#conversation
    this.#cleared = id
    this.#parts.forget(id)
    this.#show(this.#begun(leaves.length))
  }

  begin(): void {
    this.#endAll()
    this.#show(this.#begun(this.#conversation.leaves.length))
  }

  open(conversation: Conversation): void {
    const isSame = conversation.id === this.#conversation.id
    if (!isSame) this.#endAll()
    if (isSame || conversation.id === this.#cleared) this.#save(conversation)
    else this.#show(conversation)
    this.#costs.find(conversation.messages, false)
  }

  compare(columns: 1 | 2): void {
    const conversation = this.#conversation
    const { leaves } = conversation
    if (this.#running.size > 0 || leaves.length === columns) return
    const first = leaves[0] ?? null
    this.#save({ ...conversation, leaves: columns === 1 ? [first] : [first, first] })
  }

  rename(title: string): void {
    this.#save({ ...this.#conversation, title })
  }

  leave(): void {
    if (this.#running.size > 0) this.#endAll()
    this.#costs.stop()
  }
}

/** Shows again what the column showed before, unless that was removed meanwhile. */
function backTo(conversation: Conversation, column: number, leaf: string | null): Conversation {
  return conversation.messages.some(({ id }) => id === leaf) ? withLeaf(conversation, column, leaf) : conversation
}

function isEmptyContent(content: MessageContent): boolean {
  return textOf(content).trim() === '' && imagesOf(content).length === 0
}

/** When a conversation is opened, costs are looked up for at most this many replies: the newest without one. */
const MOST_SOUGHT = 8

interface CostFinder {
  /** Looks up missing costs; `isFresh` waits for the cost of replies that have only just ended. */
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
