import type { Capabilities } from '@sluice/contract/price-list'
import type { Store } from '../../../lib/store/store.ts'
import type { ReplyFailure } from '../model/failure-text.ts'
import type { Conversation, MessageContent, ReplyFigures } from '../model/message.ts'
import type { Parameters } from '../model/parameters.ts'
import type { FailureTexts } from '../texts/failures/failures-texts.ts'

/** With what a question is asked: everything that the sidebar chose. */
export interface Setup {
  /** Key of the selected token; '' while there is none. */
  readonly key: string
  /** One per column; '' while none is selected. */
  readonly models: readonly string[]
  /** What a model takes. */
  readonly capabilitiesOf: (model: string) => Capabilities
  readonly parameters: Parameters
}

/** A reply while it arrives. A new object at most once per animation frame. */
export interface LiveReply {
  readonly text: string
  readonly reasoning: string
  /** Unix milliseconds at which the question was sent. */
  readonly startedAt: number
  readonly model: string
}

/** One column of the screen: a branch of the conversation, and the reply that is being written at its end. */
export interface Column {
  /** Undefined when nothing is on its way. Its own store, so that a growing text redraws nothing but itself. */
  readonly live: Store<LiveReply> | undefined
}

export interface PlaygroundState {
  readonly conversation: Conversation
  /** As many as the conversation has leaves. */
  readonly columns: readonly Column[]
  /** True while any column waits for a reply. */
  readonly busy: boolean
}

/** What happened that the screen should tell in a toast. */
export interface Notification {
  readonly kind: 'cancelled' | 'failed'
  /** What went wrong, for `failed`. */
  readonly text: string
}

/**
 * The conversation, and everything that changes it. Calls that make no sense at the moment change nothing: a second question, another
 * reply or another number of columns while a reply is on its way, another reply to what is no reply, a removal of the question that is
 * being answered.
 */
export interface Playground extends Pick<Store<PlaygroundState>, 'get' | 'subscribe'> {
  /** Asks every column's model. Answers whether the question was taken. */
  send(content: MessageContent, setup: Setup): boolean
  /** Ends the replies on their way and takes them out; one that was to stand beside others leaves them in sight. */
  stop(): void
  /** Another reply in the place of this one or of this error, to the nearest question before it, as a branch. */
  regenerate(column: number, id: string, setup: Setup): void
  /** Changed question as a new branch, answered in every column that shows the old one. */
  editAndSend(column: number, id: string, content: MessageContent, setup: Setup): void
  edit(id: string, content: MessageContent): void
  remove(id: string): void
  /** Shows another branch in a column. */
  showBranch(column: number, id: string): void
  /** A new, empty conversation; the one before is no longer stored. */
  clear(): void
  /** A new, empty conversation; the one before stays in the list. */
  begin(): void
  /**
   * Shows a stored conversation, or one as it was before a change. Replies on their way end, and what arrived of them stays where it
   * belongs; they go on when it is the conversation that is open anyway.
   */
  open(conversation: Conversation): void
  /** 2 puts a second column beside the first, which begins with the same branch; 1 takes it away. */
  compare(columns: 1 | 2): void
  rename(title: string): void
  /** The page is left: replies on their way end, and what arrived of them stays as a reply. Nothing else changes; may be called again. */
  leave(): void
}

export interface PlaygroundParts {
  /** One streamed reply; never rejects. `onPiece` is called for each piece in order, never after the promise is settled. */
  readonly ask: (question: Question, onPiece: (piece: Piece) => void, signal: AbortSignal) => Promise<ReplyEnd>
  /** What a reply cost, by its request id; undefined when nobody knows. A fresh one is waited for shortly. Never rejects. */
  readonly receiptOf: (requestId: string, isFresh: boolean, signal: AbortSignal) => Promise<ReplyCost | undefined>
  /** Unix milliseconds. */
  readonly now: () => number
  readonly newId: () => string
  /** Name of the signed-in user, or 'unknown'. */
  readonly user: string
  /** Calls back before the next frame is drawn; answers how to take that back. */
  readonly onFrame: (draw: () => void) => () => void
  /** Stores a conversation; called after each change that is worth keeping, never per piece. */
  readonly keep: (conversation: Conversation) => void
  readonly forget: (id: string) => void
  readonly notify: (notification: Notification) => void
  /** In the language of the moment. */
  readonly texts: () => FailureTexts
}

export type ReplyCost = Pick<ReplyFigures, 'promptTokens' | 'completionTokens' | 'cost'>

export interface Question {
  readonly key: string
  /** The JSON body of `POST /v1/chat/completions`. */
  readonly body: Readonly<Record<string, unknown>>
}

/** What arrives of a reply. `requestId` comes once, before everything else, when an answer begins. */
export interface Piece {
  readonly kind: 'text' | 'reasoning' | 'requestId'
  readonly text: string
}

/** How a reply ended. `finish` is why the model ended it, as it said (`stop`, `length`, …); '' when it did not. */
export type ReplyEnd =
  | { readonly kind: 'complete'; readonly finish: string }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'failed'; readonly failure: ReplyFailure }
