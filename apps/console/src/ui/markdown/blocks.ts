import { type Links, type MarkedToken, type Token, Lexer, type Tokens, type TokensList } from 'marked'
import { type MathsToken, mathsOptions } from './maths-syntax.ts'

export type MarkdownToken = MarkedToken | MathsToken

/** Drawn as a whole and, once complete, never redrawn. */
export interface MarkdownBlock {
  /** Position of the block. Blocks are only ever appended, so it stays the same while a text grows. */
  readonly key: number
  readonly token: MarkdownToken
  /**
   * Number of headings above the block, not counting itself. Nothing after a block changes it, and no level is skipped: `# a` and
   * `### b` are levels 0 and 1, whatever the markup says.
   */
  readonly level: number
}

export interface BlockReader {
  /** Unchanged blocks are the same objects as in the previous call. */
  read(text: string): readonly MarkdownBlock[]
}

/**
 * Further text can still change this many blocks at the end: the last one grows, and its first line, while incomplete, may turn out
 * to belong to the block before.
 */
const UNSETTLED = 3

/** The part of a text that nothing after it can change. */
interface Settled {
  readonly blocks: readonly MarkdownBlock[]
  readonly end: number
  readonly headings: readonly number[]
  readonly links: Links
  /** Link targets of the whole text, as used when its links were drawn. */
  readonly targets: string
}

const NOTHING: Settled = { blocks: [], end: 0, headings: [], links: {}, targets: '{}' }

/**
 * Nothing here makes HTML: tokens are drawn as React elements, and HTML in the text is a token like any other. A text nested too
 * deeply for the lexer's stack becomes one plain paragraph. When a text grows, only its end is parsed again; the law tests check,
 * for every way to cut a text, that the blocks equal those of the whole.
 */
export function createBlockReader({ maths = false } = {}): BlockReader {
  let source = ''
  let settled = NOTHING
  let blocks: readonly MarkdownBlock[] = []

  function readFrom(start: Settled, text: string): boolean {
    const taken = tokensOf(text.slice(start.end), start, maths)
    if (taken === undefined) return false
    const { tokens, links } = taken
    const targets = JSON.stringify(links)
    if (start.end > 0 && targets !== start.targets) return false
    const found = withLevels(tokens, start)
    const last = settledCount(tokens, text.slice(start.end))
    const done = found.slice(0, last)
    settled = {
      blocks: [...start.blocks, ...done.map(({ block }) => block)],
      end: start.end + lengthOf(tokens.slice(0, last)),
      headings: done.at(-1)?.headings ?? start.headings,
      links: definedBy(tokens.slice(0, last), start.links),
      targets,
    }
    blocks = [...start.blocks, ...found.map(({ block }) => block)]
    return true
  }

  return {
    read(text) {
      const next = text.replaceAll(/\r\n|\r/g, '\n')
      if (next === source) return blocks.filter(isDrawn)
      const start = next.startsWith(source) ? settled : NOTHING
      source = next
      // A link target that was added later changes blocks that were read earlier.
      if (!readFrom(start, next)) readFrom(NOTHING, next)
      return blocks.filter(isDrawn)
    },
  }
}

/** For a text that does not grow. */
export function markdownBlocks(text: string): readonly MarkdownBlock[] {
  return createBlockReader().read(text)
}

function isDrawn({ token: { type } }: MarkdownBlock): boolean {
  return type !== 'space' && type !== 'def'
}

interface Taken {
  readonly tokens: readonly MarkdownToken[]
  readonly links: Links
}

/** Reads the tokens after `start`; undefined if they cannot be separated from those before. */
function tokensOf(text: string, start: Settled, maths: boolean): Taken | undefined {
  const before = start.blocks.at(-1)?.token
  try {
    const lexer = new BoundedLexer({ gfm: true, ...(maths ? mathsOptions() : {}) })
    Object.assign(lexer.tokens.links, start.links)
    // What can begin here depends on the token before.
    if (before !== undefined) lexer.tokens.push({ ...before })
    const [first, ...rest] = lexer.lex(text)
    const { links } = lexer.tokens
    if (before === undefined) return { tokens: plain(first === undefined ? [] : [first, ...rest]), links }
    return first?.raw === before.raw ? { tokens: plain(rest), links } : undefined
  } catch {
    if (before !== undefined) return undefined
    return { tokens: [paragraphAsWritten(text)], links: {} }
  }
}

function withLevels(tokens: readonly MarkdownToken[], start: Settled) {
  let headings = start.headings
  return tokens.map((token, index) => {
    if (token.type === 'heading')
      headings = headings.slice(0, headings.findLastIndex((depth) => depth < token.depth) + 1)
    const block: MarkdownBlock = { key: start.blocks.length + index, token, level: headings.length }
    if (token.type === 'heading') headings = [...headings, token.depth]
    return { block, headings }
  })
}

const lengthOf = (tokens: readonly MarkdownToken[]) => tokens.reduce((sum, { raw }) => sum + raw.length, 0)

function definedBy(tokens: readonly MarkdownToken[], before: Links): Links {
  const links: Links = { ...before }
  for (const token of tokens) {
    if (token.type === 'def') links[token.tag] ??= { href: token.href, title: token.title }
  }
  return links
}

/** Number of tokens that further text cannot change. */
function settledCount(tokens: readonly MarkdownToken[], text: string): number {
  let end = 0
  let count = 0
  for (const token of tokens) {
    const after = end + token.raw.length
    // A token that does not match the text, for example because the lexer joined lines, is read again as a whole.
    if (!text.startsWith(token.raw, end) || isOpen(token, text.slice(after, after + 100))) break
    end = after
    count++
  }
  const drawn = tokens.flatMap(({ type }, index) => (type === 'space' ? [] : [index]))
  return Math.min(count, drawn.at(-UNSETTLED) ?? 0)
}

/** Whether the block might still become a link definition or part of one, whose label and title can extend across blocks. */
function isOpen({ type, raw }: MarkdownToken, next: string): boolean {
  if (type === 'def') return /^\s*(?:$|["'(])/.test(next)
  if (type !== 'paragraph' && type !== 'heading') return false
  const label = /^ {0,3}\[/m.exec(raw)
  // One search for all lines, because a text can be full of opening brackets.
  if (label !== null && raw.includes(']:', label.index + label[0].length)) return true
  return /^ {0,3}\[(?:\\[^]|[^[\]\\])*\\?$(?![^])/m.test(raw)
}

/** Drops the tokens of extensions other than ours. */
export function plain(tokens: readonly Token[]): readonly MarkdownToken[] {
  return tokens as readonly MarkdownToken[]
}

/**
 * Signs that can begin or end emphasis and formulas. For each beginning, the lexer searches the rest of the paragraph for an end.
 */
const SIGNS = /[*_~$]|\\[([]/
/** Far more than any readable paragraph contains. */
const MOST_SIGNS = 500
/** Maximum nesting of lists and quotes; more than is ever drawn. */
const MOST_LEVELS = 24

/**
 * Leaves input that would hold up the page as plain text: paragraphs of nothing but special characters, and endless nesting. So the
 * lexer's time is linear in the text, not quadratic (class S27).
 */
class BoundedLexer extends Lexer {
  #level = 0

  override blockTokens(text: string, tokens?: Token[], lastParagraphClipped?: boolean): Token[]
  override blockTokens(text: string, tokens?: TokensList, lastParagraphClipped?: boolean): TokensList
  override blockTokens(text: string, tokens: Token[] = [], lastParagraphClipped?: boolean): Token[] {
    if (this.#level > MOST_LEVELS) {
      tokens.push(paragraphAsWritten(text))
      return tokens
    }
    this.#level += 1
    try {
      return super.blockTokens(text, tokens, lastParagraphClipped)
    } finally {
      this.#level -= 1
    }
  }

  override inlineTokens(text: string, tokens: Token[] = []): Token[] {
    if (!hasTooManySigns(text)) return super.inlineTokens(text, tokens)
    tokens.push(asWritten(text))
    return tokens
  }
}

function paragraphAsWritten(text: string): Tokens.Paragraph {
  return { type: 'paragraph', raw: text, text, tokens: [asWritten(text)] }
}

function asWritten(text: string): Tokens.Escape {
  return { type: 'escape', raw: text, text }
}

/** Stops at the first sign beyond the limit. */
function hasTooManySigns(text: string): boolean {
  return text.split(SIGNS, MOST_SIGNS + 2).length > MOST_SIGNS + 1
}
