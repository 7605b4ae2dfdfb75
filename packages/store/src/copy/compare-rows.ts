import { createHash } from 'node:crypto'
import { compareKeys, type RowText, type RowValue, rowValues } from './row-text.ts'
import type { TableShape } from './table-shape.ts'

export interface Difference {
  /** Rows of the source that the target lacks. */
  readonly missing: RowText[]
  /** Rows of the source that are different in the target. */
  readonly changed: RowText[]
  /** Rows of the target that the source does not have. */
  readonly gone: RowText[]
}

/** One side of a finished comparison. */
export interface TableContent {
  readonly rows: number
  /** SHA-256 of the texts of all rows in the order of the key, hex. */
  readonly digest: string
}

export interface Comparison {
  readonly source: TableContent
  readonly target: TableContent
}

/**
 * At most this many rows of a difference, and roughly this many characters of their text, are collected before they are passed on.
 */
const MAX_ROWS = 4_000
const MAX_CHARACTERS = 4_000_000

/**
 * Compares two sorted tables row by row and passes on their differences in parts of bounded size; memory does not grow with the
 * tables. Ends early when `onDifference` returns false.
 */
export async function compareRows(
  shape: TableShape,
  source: AsyncGenerator<readonly RowText[]>,
  target: AsyncGenerator<readonly RowText[]>,
  onDifference: (difference: Difference) => Promise<boolean>,
): Promise<Comparison> {
  const [ours, theirs] = [openSide(source), openSide(target)]
  let found: Difference = { missing: [], changed: [], gone: [] }
  let size = 0
  const handOn = async (): Promise<boolean> => {
    const part = found
    found = { missing: [], changed: [], gone: [] }
    size = 0
    return await onDifference(part)
  }
  try {
    await Promise.all([ours.load(), theirs.load()])
    for (;;) {
      // Awaiting without need would cost more than the rest of the loop.
      if (ours.mustLoad()) await ours.load()
      if (theirs.mustLoad()) await theirs.load()
      const [own, other] = [ours.text(), theirs.text()]
      if (own === undefined && other === undefined) break
      if (own === other) {
        ours.next()
        theirs.next()
        continue
      }
      const order = orderOf(shape, ours, theirs)
      if (order < 0) found.missing.push(own ?? '')
      else if (order > 0) found.gone.push(other ?? '')
      else found.changed.push(own ?? '')
      if (order <= 0) ours.next()
      if (order >= 0) theirs.next()
      size += (order > 0 ? other : own)?.length ?? 0
      const rows = found.missing.length + found.changed.length + found.gone.length
      if ((rows >= MAX_ROWS || size >= MAX_CHARACTERS) && !(await handOn())) break
    }
    if (found.missing.length + found.changed.length + found.gone.length > 0) await handOn()
    return { source: ours.content(), target: theirs.content() }
  } finally {
    await Promise.all([source.return(undefined), target.return(undefined)])
  }
}

export async function readContent(pages: AsyncGenerator<readonly RowText[]>): Promise<TableContent> {
  const content = openContent()
  for await (const page of pages) content.add(page)
  return content.read()
}

interface GrowingContent {
  add(page: readonly RowText[]): void
  read(): TableContent
}

function openContent(): GrowingContent {
  const hash = createHash('sha256')
  let rows = 0
  return {
    add: (page) => {
      rows += page.length
      if (page.length > 0) hash.update(`${page.join('\n')}\n`)
    },
    read: () => ({ rows, digest: hash.digest('hex') }),
  }
}

/** The end of a table sorts after every row. */
function orderOf(shape: TableShape, ours: Side, theirs: Side): number {
  if (ours.text() === undefined) return 1
  return theirs.text() === undefined ? -1 : compareKeys(ours.values(), theirs.values(), shape)
}

interface Side {
  /** The current row; undefined after the last. */
  text(): RowText | undefined
  values(): readonly RowValue[]
  next(): void
  mustLoad(): boolean
  load(): Promise<void>
  content(): TableContent
}

function openSide(pages: AsyncGenerator<readonly RowText[]>): Side {
  const content = openContent()
  let page: readonly RowText[] = []
  let at = 0
  let isOver = false
  return {
    text: () => page[at],
    values: () => rowValues(page[at] ?? '[]'),
    next: () => {
      at += 1
    },
    mustLoad: () => at >= page.length && !isOver,
    load: async () => {
      const { done, value } = await pages.next()
      isOver = done === true
      page = done === true ? [] : value
      at = 0
      content.add(page)
    },
    content: () => content.read(),
  }
}
