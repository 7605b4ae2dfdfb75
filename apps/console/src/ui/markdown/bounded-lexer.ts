import { Lexer, type Token, type Tokens, type TokensList } from 'marked'

/** Signs that may begin or end emphasis and formulas. The lexer looks for the end of each through the rest of its paragraph. */
const SIGNS = /[*_~$]|\\[([]/
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

/** A paragraph in which no sign means anything. */
export function paragraphAsWritten(text: string): Tokens.Paragraph {
  return { type: 'paragraph', raw: text, text, tokens: [asWritten(text)] }
}

function asWritten(text: string): Tokens.Escape {
  return { type: 'escape', raw: text, text }
}

/** Looks no further than it must. */
function hasTooManySigns(text: string): boolean {
  return text.split(SIGNS, MOST_SIGNS + 2).length > MOST_SIGNS + 1
}
