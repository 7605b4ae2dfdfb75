import type { Capabilities } from '@sluice/contract/price-list'
import type { Store } from '~/lib/store.ts'
import type { ReplyFailure } from '../model/failure-text.ts'
import type { Conversation, MessageContent, ReplyFigures } from '../model/message.ts'
import type { Parameters } from '../model/parameters.ts'
import type { FailureTexts } from '../texts/failures-texts.ts'

export interface Setup {
  /** Key of the selected token; '' without one. */
  readonly key: string
  /** One per column; '' while none is selected. */
  readonly models: readonly string[]
  readonly capabilitiesOf: (model: string) => Capabilities
  readonly parameters: Parameters
}

/** A reply while it arrives. A new object at most once per animation frame. */
export interface LiveReply {
  readonly text: string
  readonly reasoning: string
  /** When the question was sent, in unix milliseconds. */
  readonly startedAt: number
  readonly model: string
}

export interface Column {
  /** Undefined when no reply is arriving. A separate store, so that a growing text re-renders nothing else. */
  readonly live: Store<LiveReply> | undefined
}

export interface PlaygroundState {
  readonly conversation: Conversation
  /** One per leaf of the conversation. */
  readonly columns: readonly Column[]
  readonly busy: boolean
}

/** The screen shows it as a toast. */
export interface Notification {
  readonly kind: 'cancelled' | 'failed'
  /** What went wrong, for `failed`. */
  readonly text: string
}

/**
 * The conversation, and everything that changes it. These calls have no effect: while a reply is arriving, a second question,
 * another reply or another number of columns; another reply to a message that is not a reply; removal of the question that is being
 * answered.
 */
export interface Playground extends Pick<Store<PlaygroundState>, 'get' | 'subscribe'> {
  /** Asks every column's model. Returns whether the question was accepted. */
  send(content: MessageContent, setup: Setup): boolean
  /** Stops and removes the arriving replies. Where a removed reply had alternatives, those become visible again. */
  stop(): void
  /** Asks the nearest preceding question again; the new reply becomes a branch beside this reply or error. */
  regenerate(column: number, id: string, setup: Setup): void
  /** Sends an edited question as a new branch, to be answered in every column that shows the old one. */
  editAndSend(column: number, id: string, content: MessageContent, setup: Setup): void
  edit(id: string, content: MessageContent): void
  remove(id: string): void
  showBranch(column: number, id: string): void
  clear(): void
  /** Starts a new, empty conversation; the previous one stays in the list. */
  begin(): void
  /**
   * Shows a stored conversation, or one as it was before a change. Arriving replies end and keep what has arrived; they continue if
   * the conversation is already open.
   */
  open(conversation: Conversation): void
  /** 2 adds a second column, which starts with the branch of the first; 1 removes it. */
  compare(columns: 1 | 2): void
  rename(title: string): void
  /** Called when the user leaves the page: arriving replies end and stay as they are. Can be called again. */
  leave(): void
}

export interface PlaygroundParts {
  /** Streams one reply; never rejects. Calls `onPiece` for each piece in order, never after the promise is settled. */
  readonly ask: (question: Question, onPiece: (piece: Piece) => void, signal: AbortSignal) => Promise<ReplyEnd>
  /** The cost of a reply, by request id; undefined when unknown. Waits briefly for a fresh reply. Never rejects. */
  readonly receiptOf: (requestId: string, isFresh: boolean, signal: AbortSignal) => Promise<ReplyCost | undefined>
  /** Unix milliseconds. */
  readonly now: () => number
  readonly newId: () => string
  /** Name of the signed-in user, or 'unknown'. */
  readonly user: string
  /** Calls back before the next frame is drawn; returns a function that cancels the call. */
  readonly onFrame: (draw: () => void) => () => void
  /** Called after each change that is worth storing, never per piece. */
  readonly save: (conversation: Conversation) => void
  readonly forget: (id: string) => void
  readonly notify: (notification: Notification) => void
  /** In the current language. */
  readonly texts: () => FailureTexts
}

export type ReplyCost = Pick<ReplyFigures, 'promptTokens' | 'completionTokens' | 'cost'>

export interface Question {
  readonly key: string
  readonly body: Readonly<Record<string, unknown>>
}

/** A piece of an arriving reply. `requestId` comes once, before everything else. */
export interface Piece {
  readonly kind: 'text' | 'reasoning' | 'requestId'
  readonly text: string
}

/** `finish` is the model's reason for ending the reply (`stop`, `length`, …); '' when it gave none. */
export type ReplyEnd =
  | { readonly kind: 'complete'; readonly finish: string }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'failed'; readonly failure: ReplyFailure }
