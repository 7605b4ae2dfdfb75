import type { CodeRun } from './colouring.ts'
import type { FormulaNode } from './formula-tree.ts'

/** An order to the worker, one at a time. */
export type TypesetOrder =
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'maths'; readonly text: string; readonly display: boolean }

/** What is drawn in place of the text; undefined leaves it as written. */
export type Typeset =
  | { readonly kind: 'code'; readonly runs: readonly CodeRun[] }
  | { readonly kind: 'maths'; readonly root: FormulaNode }
  | undefined
