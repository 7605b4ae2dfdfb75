import { type PartialReply, joinedReplies } from '@sluice/dialects/openai-embeddings/joined-replies'
import { addedReports } from '@sluice/dialects/usage/added-reports'
import type { PlainAnswer } from '../stages/answered.ts'
import { type AskDeps, askUpstream, type CallResult, type Running, type StoppableCall } from './ask-upstream.ts'
import { type Failure, failureOfCall } from './failure.ts'
import type { CallRequest, UpstreamCall } from './upstream-call.ts'

/** A request for some of the inputs, when the provider accepts fewer per call than the client sent. */
export interface Batch {
  readonly request: CallRequest
  readonly inputs: number
}

const AT_ONCE = 4

/** Joins the parts' answers in order. If one part fails, the whole request fails, with the usage of the other parts so far. */
export async function askInBatches(
  deps: AskDeps,
  batches: readonly Batch[],
  running: Running<StoppableCall>,
): Promise<CallResult> {
  const whole = new WholeOfBatches(deps, batches, running)
  running.call = whole
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, batches.length) }, () => whole.work()))
  return whole.result()
}

class WholeOfBatches implements StoppableCall {
  readonly #deps: AskDeps
  readonly #batches: readonly Batch[]
  readonly #running: Pick<Running, 'isStopped' | 'signal' | 'hold'>
  readonly #parts: Running[] = []
  readonly #answers: PlainAnswer[] = []
  /** Answer bytes collected by each running part, by its index in `#parts`. */
  readonly #gathering: number[] = []
  #next = 0
  #bytes = 0
  #last: UpstreamCall | undefined
  #failed: { readonly call: UpstreamCall; readonly outcome: Failure } | undefined

  constructor(deps: AskDeps, batches: readonly Batch[], running: Running<StoppableCall>) {
    this.#deps = deps
    this.#batches = batches
    this.#running = running
  }

  cancel(reason: string): void {
    for (const part of this.#parts) part.call?.cancel(reason)
  }

  abandon(reason: string): void {
    for (const part of this.#parts) part.call?.abandon(reason)
  }

  async work(): Promise<void> {
    const part = this.#openPart()
    for (let at = this.#next++; at < this.#batches.length; at = this.#next++) {
      const batch = this.#batches[at]
      if (batch === undefined) return
      const { call, outcome } = await askUpstream(this.#deps, batch.request, part)
      if (this.#failed !== undefined) return
      if ('retry' in outcome) this.#fail(call, outcome)
      else if (outcome.plain !== undefined) this.#take(at, call, outcome.plain, this.#parts.indexOf(part))
    }
  }

  #openPart(): Running {
    const isOver = () => this.#running.isStopped || this.#failed !== undefined
    const at = this.#parts.length
    const part: Running = {
      call: undefined,
      get isStopped() {
        return isOver()
      },
      signal: this.#running.signal,
      hold: (bytes) => this.#hold(at, bytes),
    }
    this.#parts.push(part)
    return part
  }

  /** Claims the memory of all finished parts and of what running parts have collected. */
  #hold(at: number, bytes: number): ReturnType<Running['hold']> {
    this.#gathering[at] = bytes
    return this.#running.hold(this.#gathering.reduce((sum, each) => sum + each, this.#bytes))
  }

  #take(at: number, call: UpstreamCall, answer: PlainAnswer, part: number): void {
    this.#last = call
    this.#gathering[part] = 0
    this.#answers[at] = answer
    this.#bytes += answer.body.length
    const { answerLimit, times } = this.#deps
    if (this.#bytes <= answerLimit) return
    this.#fail(call, failureOfCall({ cause: 'invalid', reason: `it exceeds ${answerLimit} bytes` }, times))
  }

  #fail(call: UpstreamCall, outcome: Failure): void {
    const counted = [...this.#answers.filter(Boolean).map(({ answer }) => answer.usage), outcome.usage]
    const usage = addedReports(counted.filter((report) => report !== undefined))
    this.#failed = { call, outcome: { ...outcome, usage } }
    this.cancel('another part of the request failed')
  }

  result(): CallResult {
    const [call, failed] = [this.#last, this.#failed]
    if (failed !== undefined) return failed
    const answers = this.#batches.map(({ inputs }, at): PartialReply => {
      return { inputs, body: this.#answers[at]?.body ?? NOTHING }
    })
    const joined = joinedReplies(answers)
    if (call === undefined) throw new Error('no part of the request was sent')
    if ('invalid' in joined) {
      const { times } = this.#deps
      return { call, outcome: failureOfCall({ cause: 'invalid', reason: joined.invalid }, times) }
    }
    const usage = addedReports(this.#answers.map(({ answer }) => answer.usage))
    const answer = { usage, error: undefined, delivered: undefined }
    return { call, outcome: { plain: { body: Buffer.concat(joined), answer } } }
  }
}

const NOTHING = Buffer.alloc(0)
