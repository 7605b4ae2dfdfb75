import type { CodeRun } from './colouring.ts'
import type { FormulaNode } from './formula-tree.ts'

/** Colours programs and typesets formulas, one after the other, without blocking the page. */
export interface Typesetter {
  known(order: TypesetOrder): Typeset
  /** Never rejects. Undefined leaves the text as written: it was not understood, took too long, or was aborted. */
  typeset(order: TypesetOrder, signal: AbortSignal): Promise<Typeset>
  /** Ends the worker; the next order starts a new one. */
  rest(): void
}

export interface TypesetWorker {
  postMessage(order: TypesetOrder): void
  addEventListener(type: 'message' | 'error', listener: (event: { readonly data?: unknown }) => void): void
  terminate(): void
}

/** Time for one order, including the download of its grammar, after which the worker is ended. In milliseconds. */
const LONGEST_MS = 5_000
const MOST_KNOWN = 500

interface Waiting {
  readonly order: TypesetOrder
  readonly signal: AbortSignal
  readonly resolve: (typeset: Typeset) => void
}

export function createTypesetter(spawn: () => TypesetWorker, longestMs = LONGEST_MS): Typesetter {
  const known = new Map<string, Typeset>()
  const queue: Waiting[] = []
  let worker: TypesetWorker | undefined
  let settle: ((answer: Typeset) => void) | undefined

  function workerAtHand(): TypesetWorker {
    if (worker !== undefined) return worker
    const made = spawn()
    // Late messages of an ended worker belong to an order that is over.
    const answer = (typeset: Typeset) => {
      if (worker === made) settle?.(typeset)
    }
    made.addEventListener('message', ({ data }) => answer(data as Typeset))
    made.addEventListener('error', () => answer(undefined))
    worker = made
    return made
  }

  function end(): void {
    worker?.terminate()
    worker = undefined
  }

  function next(): void {
    const waiting = queue.shift()
    if (waiting === undefined) return
    const { order, signal, resolve } = waiting
    if (signal.aborted) {
      resolve(undefined)
      next()
      return
    }
    const timer = setTimeout(() => {
      end()
      settle?.(undefined)
    }, longestMs)
    settle = (answer) => {
      clearTimeout(timer)
      settle = undefined
      remember(keyOf(order), answer)
      resolve(answer)
      next()
    }
    try {
      workerAtHand().postMessage(order)
    } catch {
      settle(undefined)
    }
  }

  function remember(key: string, answer: Typeset): void {
    known.set(key, answer)
    if (known.size > MOST_KNOWN) for (const oldest of known.keys()) return void known.delete(oldest)
  }

  return {
    known: (order) => known.get(keyOf(order)),
    typeset(order, signal) {
      const key = keyOf(order)
      if (known.has(key)) return Promise.resolve(known.get(key))
      return new Promise((resolve) => {
        queue.push({ order, signal, resolve })
        if (settle === undefined) next()
      })
    },
    rest() {
      end()
      settle?.(undefined)
    },
  }
}

function keyOf(order: TypesetOrder): string {
  return JSON.stringify(order)
}

export type TypesetOrder =
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'maths'; readonly text: string; readonly display: boolean }

/** Replaces the text; undefined leaves it as written. */
export type Typeset =
  | { readonly kind: 'code'; readonly runs: readonly CodeRun[] }
  | { readonly kind: 'maths'; readonly root: FormulaNode }
  | undefined
