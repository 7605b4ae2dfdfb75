import { createElement, Fragment, type ReactNode } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import type { MathsToken } from './maths-syntax.ts'
import { markdownTexts } from './texts/markdown-texts.ts'
import type { FormulaNode } from './typeset/formula-tree.ts'
import { useTypeset } from './typeset/use-typeset.ts'

/** A formula as MathML, which the browser typesets and reads aloud; as written until it is converted, and if it is not TeX. */
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

/** Only what `formulaOf` allowed becomes an element. */
function element({ tag, attributes, style, children }: FormulaNode): ReactNode {
  const inner = children.map((child, index) => (
    <Fragment key={index}>{typeof child === 'string' ? child : element(child)}</Fragment>
  ))
  return createElement(tag, { ...attributes, style }, ...inner)
}
