import type { Token, Tokens } from 'marked'
import { Fragment, type ReactNode } from 'react'
import { type MarkdownToken, plain } from './blocks.ts'
import { DEEPEST, type Drawing } from './drawing.ts'
import { decodeEntities } from './entities.ts'
import { Formula } from './formula.tsx'
import { orderedCode, orderedWords } from './reordering.ts'
import { safeLink, safePicture } from './safe-address.ts'

/** Text with its emphasis, links and pictures. */
export function Inline({ tokens, drawing }: { tokens: readonly Token[] | undefined; drawing: Drawing }): ReactNode {
  if (tokens === undefined) return null
  if (drawing.depth > DEEPEST) return tokens.map(({ raw }) => raw).join('')
  const inner: Drawing = { ...drawing, depth: drawing.depth + 1 }
  // A text has no identity except its position.
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

/** Line breaks and comments are understood; other tags are dropped where HTML is expected, and shown as written elsewhere. */
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
