import type { FrameSocket } from '../../outbound/frame-socket.ts'

export type Passed = Uint8Array | string | undefined

/**
 * One direction of a session: frames in order, each after the work for the previous one. While that work waits, or the receiver is
 * behind, the sender is held back; frames that have already arrived wait here, at most those of one read of its socket. A sender
 * that does not read the replies to its own frames is held back too.
 */
export class Lane {
  readonly #from: FrameSocket
  readonly #to: FrameSocket
  readonly #work: (frame: Buffer, isText: boolean) => Passed | Promise<Passed>
  readonly #onBug: (error: unknown) => void
  readonly #waiting: { readonly frame: Buffer; readonly isText: boolean }[] = []
  #isBusy = false
  #last: (() => void) | undefined

  constructor(
    from: FrameSocket,
    to: FrameSocket,
    work: (frame: Buffer, isText: boolean) => Passed | Promise<Passed>,
    onBug: (error: unknown) => void,
  ) {
    this.#from = from
    this.#to = to
    this.#work = work
    this.#onBug = onBug
  }

  /** Begins to accept frames; the sender is still paused. */
  open(): void {
    this.#from.onFrame = (frame, isText) => {
      if (this.#isBusy) this.#waiting.push({ frame, isText })
      else this.#take(frame, isText)
    }
  }

  /** Must be called when either end has caught up. */
  goOn(): void {
    const last = this.#last
    if (!this.#isBusy && last !== undefined) {
      this.#last = undefined
      last()
    }
    if (!this.#isBusy && !this.#to.isFull && !this.#from.isFull) this.#from.resume()
  }

  /** Runs this once, after the frames that have arrived are processed. */
  afterAll(last: () => void): void {
    if (this.#isBusy) this.#last = last
    else last()
  }

  #take(frame: Buffer, isText: boolean): void {
    const passed = this.#work(frame, isText)
    if (!(passed instanceof Promise)) return this.#send(passed)
    this.#isBusy = true
    this.#from.pause()
    passed.then((result) => {
      this.#isBusy = false
      this.#send(result)
      for (let next = this.#nextWaiting(); next !== undefined; next = this.#nextWaiting()) {
        this.#take(next.frame, next.isText)
      }
      this.goOn()
    }, this.#onBug)
  }

  #nextWaiting() {
    return this.#isBusy ? undefined : this.#waiting.shift()
  }

  #send(passed: Passed): void {
    const isBehind = passed === undefined ? this.#from.isFull : !this.#to.send(passed)
    if (isBehind) this.#from.pause()
  }
}
