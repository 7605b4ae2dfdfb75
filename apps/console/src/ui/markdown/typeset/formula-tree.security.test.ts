import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type FormulaNode, formulaOf } from './formula-tree.ts'

/** Everything in the tree that becomes part of an element. */
function partsOf(node: FormulaNode): { tags: string[]; values: string[] } {
  const inner = node.children.flatMap((child) => (typeof child === 'string' ? [] : [partsOf(child)]))
  return {
    tags: [node.tag, ...inner.flatMap(({ tags }) => tags)],
    values: [...Object.entries({ ...node.attributes, ...node.style }).flat(), ...inner.flatMap(({ values }) => values)],
  }
}

const drawn = (tex: string) => JSON.stringify(formulaOf(tex, true) ?? null)

describe('hostile formulas', { tags: 'S14' }, () => {
  it.each([
    String.raw`\href{javascript:alert(1)}{x}`,
    String.raw`\url{https://b.test}`,
    String.raw`\includegraphics{https://b.test/x.png}`,
    String.raw`\class{x}{y}`,
    String.raw`\id{x}{y}`,
    String.raw`\style{background:url(https://b.test)}{x}`,
    String.raw`\data{x=1}{y}`,
    String.raw`\text{<img src=x onerror=alert(1)>}`,
    String.raw`\colorbox{red;background:url(https://b.test)}{x}`,
    String.raw`\color{white}{x}`,
    String.raw`x \label{"><script>}`,
  ])('hold no link, picture, colour or name: %s', (tex) => {
    const found = formulaOf(tex, true)
    const { tags, values } = found === undefined ? { tags: [], values: [] } : partsOf(found)
    expect(tags.filter((tag) => !/^m[a-z]+$/.test(tag))).toEqual([])
    expect(values.filter((value) => !/^[\w.%+ -]*$/.test(value))).toEqual([])
    expect(values).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(href|src|class|id|style|mathcolor|mathbackground)$/)]),
    )
  })

  it.each([
    ['a macro that names itself', String.raw`\def\a{\a\a}\a`],
    [
      'a macro that doubles without end',
      String.raw`\def\a{xx}\def\b{\a\a\a\a}\def\c{\b\b\b\b\b}\def\d{\c\c\c\c\c}\def\e{\d\d\d\d\d\d\d}\e\e\e`,
    ],
    ['a text beyond the limit', 'x'.repeat(2_001)],
    ['roots without end', String.raw`\sqrt{`.repeat(280) + 'x' + '}'.repeat(280)],
    ['no TeX', String.raw`\unknown{`],
  ])('stay as written: %s', (_, tex) => {
    expect(formulaOf(tex, true)).toBeUndefined()
  })

  it('take up no more room than a page has', () => {
    expect(drawn(String.raw`\rule{9999em}{9999em} \hspace{99999pt}`)).not.toMatch(/\d{4,}/)
  })

  it.each([String.raw`\lower 50em\hbox{x}`, String.raw`\raisebox{200em}{x}`, String.raw`\raise -9em\hbox{x}`])(
    'are not drawn over what is around them: %s',
    (tex) => {
      expect(drawn(tex)).toContain('"x"')
      expect(drawn(tex)).not.toContain('voffset')
    },
  )

  it('make only elements of MathML, whatever is written', () => {
    const words = [
      '\\frac',
      '\\text',
      '{',
      '}',
      '^',
      '_',
      '&',
      '\\\\',
      '\\begin{matrix}',
      '\\end{matrix}',
      'x',
      '1',
      '<',
      '\\left(',
      '\\right)',
    ]
    const piece = fc.oneof(
      fc.constantFrom(...words, '\\color', '\\href', '\\class', '\\rule', '#1', '%', '~', '$'),
      fc.string({ maxLength: 3 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const found = formulaOf(pieces.join(' '), false)
        if (found === undefined) return
        expect(partsOf(found).tags.filter((tag) => !/^m[a-z]+$/.test(tag))).toEqual([])
      }),
      { numRuns: 500 },
    )
  })
})

describe('formulas', () => {
  it('become MathML', () => {
    expect(formulaOf('x^2', false)).toEqual({
      tag: 'math',
      attributes: {},
      style: {},
      children: [
        {
          tag: 'msup',
          attributes: {},
          style: {},
          children: [
            { tag: 'mi', attributes: {}, style: {}, children: ['x'] },
            { tag: 'mn', attributes: {}, style: {}, children: ['2'] },
          ],
        },
      ],
    })
  })

  it.each([
    String.raw`\frac{-b \pm \sqrt{b^2-4ac}}{2a}`,
    String.raw`\begin{pmatrix}1 & 2\\3 & 4\end{pmatrix}`,
    String.raw`\begin{align}a &= b\\c &= d\end{align}`,
    String.raw`\begin{cases}1 & x > 0\\0 & \text{else}\end{cases}`,
    String.raw`\int_0^\infty e^{-x^2}\,dx = \frac{\sqrt\pi}{2}`,
    String.raw`\boxed{\lim_{n\to\infty} \sum_{k=1}^n \mathbb{E}[X_k]}`,
  ])('of every common kind are understood: %s', (tex) => {
    expect(drawn(tex)).toContain('"math"')
  })
})
