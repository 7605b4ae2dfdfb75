import type { Token, Tokens } from 'marked'
import { Fragment, type ReactNode, createElement } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { type MarkdownToken, plain } from './blocks.ts'
import type { MathsToken } from './maths-syntax.ts'
import { safeLink, safePicture } from './safe-address.ts'
import { markdownTexts } from './texts/markdown-texts.ts'
import type { FormulaNode } from './typeset/formula-tree.ts'
import { useTypeset } from './typeset/use-typeset.ts'

/** Deeper quotes, lists and emphasis are shown as written. */
export const DEEPEST = 20

export interface Drawing {
  readonly base: string
  /** Whether pictures from other hosts are loaded, which tells those hosts that the text is being read. */
  readonly pictures: boolean
  /** Draws a block of HTML. Without it, HTML is shown as written. */
  readonly html: ((html: string) => ReactNode) | undefined
  /** Level of a heading here: 2 to 6. */
  readonly heading: number
  /** False while the text can still grow here. Code and formulas are typeset once complete. */
  readonly complete: boolean
  readonly depth: number
}

export function Inline({ tokens, drawing }: { tokens: readonly Token[] | undefined; drawing: Drawing }): ReactNode {
  if (tokens === undefined) return null
  if (drawing.depth > DEEPEST) return tokens.map(({ raw }) => raw).join('')
  const inner: Drawing = { ...drawing, depth: drawing.depth + 1 }
  // A piece of text has no identity except its position.
  return plain(tokens).map((token, index) => <Fragment key={index}>{drawn(token, inner)}</Fragment>)
}

function drawn(token: MarkdownToken, drawing: Drawing): ReactNode {
  switch (token.type) {
    case 'text':
      return token.tokens === undefined ? (
        orderedWords(decodeEntities(token.text))
      ) : (
        <Inline tokens={token.tokens} drawing={drawing} />
      )
    case 'escape':
      return orderedWords(token.text)
    case 'strong':
      return (
        <strong>
          <Inline tokens={token.tokens} drawing={drawing} />
        </strong>
      )
    case 'em':
      return (
        <em>
          <Inline tokens={token.tokens} drawing={drawing} />
        </em>
      )
    case 'del':
      return (
        <del>
          <Inline tokens={token.tokens} drawing={drawing} />
        </del>
      )
    case 'codespan':
      return <code>{orderedCode(token.text)}</code>
    case 'br':
      return <br />
    case 'link':
      return <TextLink token={token} drawing={drawing} />
    case 'image':
      return <Picture token={token} drawing={drawing} />
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ '
    case 'maths':
      return <Formula token={token} complete={drawing.complete} />
    case 'html':
      return inlineHtml(token.raw, drawing)
    default:
      return token.raw
  }
}

/** Understands line breaks and comments; drops other tags where HTML is expected, and shows them as written elsewhere. */
function inlineHtml(raw: string, { html }: Drawing): ReactNode {
  if (/^<br\s*\/?>$/i.test(raw)) return <br />
  return raw.startsWith('<!--') || html !== undefined ? null : raw
}

function TextLink({ token, drawing }: { token: Tokens.Link; drawing: Drawing }) {
  const address = token.autolink === true ? token.href : decodeEntities(token.href)
  const link = safeLink(address, drawing.base)
  const text = <Inline tokens={token.tokens} drawing={drawing} />
  if (link === undefined) return text
  return <FollowedLink {...link}>{text}</FollowedLink>
}

function FollowedLink({ href, foreign, children }: { href: string; foreign: boolean; children: ReactNode }) {
  if (!foreign) return <a href={href}>{children}</a>
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}

/** A picture, or a link to it if loading it could tell its host that the text was read. */
function Picture({ token, drawing }: { token: Tokens.Image; drawing: Drawing }) {
  const src = safePicture(decodeEntities(token.href), drawing.base)
  const text = orderedWords(decodeEntities(token.text))
  if (src === undefined) return text
  if (drawing.pictures || src.startsWith('data:')) {
    return <img src={src} alt={text} loading="lazy" decoding="async" referrerPolicy="no-referrer" />
  }
  return (
    <FollowedLink href={src} foreign>
      {text === '' ? src : text}
    </FollowedLink>
  )
}

/** As MathML, which the browser typesets and reads aloud; as written until it is converted, and if it is not TeX. */
export function Formula({ token, complete }: { token: MathsToken; complete: boolean }) {
  const t = useTexts(markdownTexts)
  const { text, display } = token
  const typeset = useTypeset(complete ? { kind: 'maths', text, display } : undefined)
  const drawn = typeset?.kind === 'maths' ? element(typeset.root) : <code className="whitespace-pre-wrap">{text}</code>
  if (!display) return drawn
  return (
    <span role="group" aria-label={t.formula} tabIndex={0} className="block overflow-x-auto py-1 text-center">
      {drawn}
    </span>
  )
}

/** Only what `formulaOf` allows becomes an element. */
function element({ tag, attributes, style, children }: FormulaNode): ReactNode {
  const inner = children.map((child, index) => (
    <Fragment key={index}>{typeof child === 'string' ? child : element(child)}</Fragment>
  ))
  return createElement(tag, { ...attributes, style }, ...inner)
}

/** Has the same length as the invisible character that it replaces, so that positions in the text do not change. */
const SHOWN = '\u{fffd}'

/**
 * Makes invisible direction marks visible, because they make code read differently from how it runs (https://trojansource.codes).
 * Copying still yields the code as written.
 */
export function orderedCode(text: string): string {
  return text.replaceAll(/[\u{202a}-\u{202e}\u{2066}-\u{2069}]/gu, SHOWN)
}

/** The same for prose: keeps the marks that languages need and removes only those that reverse letters, as in `moc.live`. */
function orderedWords(text: string): string {
  return text.replaceAll(/[\u{202d}\u{202e}]/gu, SHOWN)
}

/** Names that people and models use; the other two thousand are left as written. */
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u{a0}',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  bull: '•',
  middot: '·',
  times: '×',
  deg: '°',
  plusmn: '±',
  larr: '←',
  rarr: '→',
  euro: '€',
  pound: '£',
  yen: '¥',
  colon: ':',
}

/** Character references stay in the lexer's tokens for an HTML renderer, and none is used here. */
function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi, (written, decimal, hex, name: string) => {
    if (name !== undefined) return (Object.hasOwn(NAMED, name) ? NAMED[name] : undefined) ?? written
    return characterOf(decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal)) ?? written
  })
}

function characterOf(code: number): string | undefined {
  const isCharacter = code > 0 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff)
  return isCharacter ? String.fromCodePoint(code) : undefined
}
