import { Lexer, type Token, type TokensList } from 'marked'

/** Signs that may begin or end emphasis and formulas. The lexer looks for the end of each through the rest of its paragraph. */
const SIGNS = /[*_~$]|\\[([]/g
/** Far more than a paragraph that somebody reads. */
const MOST_SIGNS = 500
/** Lists and quotes in each other; more than are ever drawn. */
const MOST_LEVELS = 24

/**
 * Takes what would hold up the page as it is written: paragraphs of nothing but signs, and nesting without end. So its time grows
 * with a text and not with the square of it (class S27).
 */
export class BoundedLexer extends Lexer {
  #level = 0

  override blockTokens(text: string, tokens?: Token[], lastParagraphClipped?: boolean): Token[]
  override blockTokens(text: string, tokens?: TokensList, lastParagraphClipped?: boolean): TokensList
  override blockTokens(text: string, tokens: Token[] = [], lastParagraphClipped?: boolean): Token[] {
    if (this.#level > MOST_LEVELS) {
      tokens.push({ type: 'paragraph', raw: text, text, tokens: [asWritten(text)] })
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

function asWritten(text: string): Token {
  return { type: 'text', raw: text, text, escaped: false }
}

function hasTooManySigns(text: string): boolean {
  let count = 0
  for (const _ of text.matchAll(SIGNS)) if (++count > MOST_SIGNS) return true
  return false
}
