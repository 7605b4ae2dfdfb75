import { Lexer, type MarkedToken, type Token } from 'marked'

/** One block of a text: what is drawn as a whole and, once complete, never again. */
export interface MarkdownBlock {
  /** Its place; blocks only ever come after others, so it stays the same while a text grows. */
  readonly key: number
  readonly token: MarkedToken
  /** Levels to add to its headings, so that the first one below the page's own title is the second. */
  readonly headingShift: number
}

const FIRST_HEADING = 2

/**
 * Takes a text apart. Nothing here makes HTML: tokens are drawn as React elements, and HTML in the text is a token like any
 * other. A text that is nested beyond what the lexer's stack holds is one paragraph of plain text.
 */
export function markdownBlocks(text: string): readonly MarkdownBlock[] {
  const tokens = tokensOf(text)
  const depths = tokens.flatMap((token) => (token.type === 'heading' ? [token.depth] : []))
  const headingShift = depths.length === 0 ? 0 : FIRST_HEADING - Math.min(...depths)
  return tokens.flatMap((token, key) =>
    token.type === 'space' || token.type === 'def' ? [] : [{ key, token, headingShift }],
  )
}

/** Whether two takes of a block look alike. A link may have found its target since, which its text does not tell. */
export function isSameBlock(a: MarkdownBlock, b: MarkdownBlock): boolean {
  return (
    a.token.raw === b.token.raw &&
    a.headingShift === b.headingShift &&
    (!a.token.raw.includes('[') || JSON.stringify(a.token) === JSON.stringify(b.token))
  )
}

function tokensOf(text: string): readonly MarkedToken[] {
  try {
    return plain(Lexer.lex(text, { gfm: true }))
  } catch {
    return [{ type: 'paragraph', raw: text, text, tokens: [{ type: 'escape', raw: text, text }] }]
  }
}

/** The lexer's tokens without those of extensions, of which there are none here. */
export function plain(tokens: readonly Token[]): readonly MarkedToken[] {
  return tokens as readonly MarkedToken[]
}
