import type { MarkedToken, Token, Tokens } from 'marked'
import { createElement, type ReactNode } from 'react'
import { useTexts } from '../../lib/i18n/i18n.ts'
import { CodeBlock } from '../code-block.tsx'
import { plain } from './blocks.ts'
import { DEEPEST, type Drawing } from './drawing.ts'
import { Inline } from './inline.tsx'
import { markdownTexts } from './texts/markdown-texts.ts'

/** One block of a text, with the blocks in it. */
export function Block({ token, drawing }: { token: MarkedToken; drawing: Drawing }): ReactNode {
  const inner: Drawing = { ...drawing, depth: drawing.depth + 1 }
  if (inner.depth > DEEPEST) return <p>{token.raw}</p>
  switch (token.type) {
    case 'heading':
      return createElement(
        `h${Math.max(2, Math.min(6, token.depth + drawing.headingShift))}`,
        null,
        <Inline tokens={token.tokens} drawing={inner} />,
      )
    case 'paragraph':
      return (
        <p>
          <Inline tokens={token.tokens} drawing={inner} />
        </p>
      )
    case 'code':
      return <CodeBlock text={token.text} language={/^[^\s{]*/.exec(token.lang ?? '')?.[0] ?? ''} />
    case 'blockquote':
      return (
        <blockquote>
          <Blocks tokens={token.tokens} drawing={inner} />
        </blockquote>
      )
    case 'list':
      return <List token={token} drawing={inner} />
    case 'table':
      return <Table token={token} drawing={inner} />
    case 'hr':
      return <hr />
    case 'html':
      return htmlBlock(token.text, drawing)
    case 'space':
    case 'def':
      return null
    default:
      return <Inline tokens={[token]} drawing={inner} />
  }
}

function Blocks({ tokens, drawing }: { tokens: readonly Token[]; drawing: Drawing }): ReactNode {
  return plain(tokens).map((token, index) => <Block key={index} token={token} drawing={drawing} />)
}

function htmlBlock(text: string, { html }: Drawing): ReactNode {
  if (/^\s*<!--[^]*-->\s*$/.test(text)) return null
  return html === undefined ? <p className="whitespace-pre-wrap">{text}</p> : html(text)
}

function List({ token, drawing }: { token: Tokens.List; drawing: Drawing }) {
  const items = token.items.map((item, index) => (
    <li key={index} className={item.task ? 'list-none' : undefined}>
      <Blocks tokens={item.tokens} drawing={drawing} />
    </li>
  ))
  if (!token.ordered) return <ul>{items}</ul>
  return <ol start={token.start === '' ? 1 : token.start}>{items}</ol>
}

const ALIGNED = { left: 'text-start', right: 'text-end', center: 'text-center' } as const

/** A table scrolls in itself, never the page. */
function Table({ token, drawing }: { token: Tokens.Table; drawing: Drawing }) {
  const t = useTexts(markdownTexts)
  const cell = (Cell: 'th' | 'td', { tokens, align }: Tokens.TableCell, index: number) => (
    <Cell key={index} className={align === null ? undefined : ALIGNED[align]}>
      <Inline tokens={tokens} drawing={drawing} />
    </Cell>
  )
  return (
    <div role="group" aria-label={t.table} tabIndex={0} className="overflow-x-auto">
      <table>
        <thead>
          <tr>{token.header.map((header, index) => cell('th', header, index))}</tr>
        </thead>
        <tbody>
          {token.rows.map((row, index) => (
            <tr key={index}>{row.map((each, at) => cell('td', each, at))}</tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
