import { memo, type ReactNode } from 'react'
import { Block } from './block.tsx'
import { isSameBlock, type MarkdownBlock, markdownBlocks } from './blocks.ts'

interface MarkdownProps {
  /** May grow: blocks that are complete are not drawn again. */
  readonly text: string
  /** Loads pictures of other hosts. For texts of operators; what a model wrote could tell them what was said. */
  readonly pictures?: boolean
  /** Draws blocks of HTML in the text. Must be stable between renders. */
  readonly html?: (html: string) => ReactNode
}

/** Markdown as React elements. No HTML is made on the way, so there is nothing in it that could run. */
export function Markdown({ text, pictures = false, html }: MarkdownProps) {
  return (
    <div className="prose">
      {markdownBlocks(text).map((block) => (
        <DrawnBlock key={block.key} block={block} pictures={pictures} html={html} />
      ))}
    </div>
  )
}

interface DrawnBlockProps extends Pick<MarkdownProps, 'pictures'> {
  readonly block: MarkdownBlock
  readonly html: MarkdownProps['html'] | undefined
}

const DrawnBlock = memo(
  function DrawnBlock({ block: { token, headingShift }, pictures = false, html }: DrawnBlockProps) {
    return <Block token={token} drawing={{ base: window.location.href, pictures, html, headingShift, depth: 0 }} />
  },
  (before, after) =>
    before.pictures === after.pictures && before.html === after.html && isSameBlock(before.block, after.block),
)
