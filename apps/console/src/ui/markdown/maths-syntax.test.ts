import { describe, expect, it } from 'vitest'
import { createBlockReader } from './blocks.ts'

/** The text's formulas as [TeX, on a line of its own, complete]. */
function formulas(text: string): readonly (readonly [string, boolean, boolean])[] {
  const found: (readonly [string, boolean, boolean])[] = []
  JSON.stringify(createBlockReader({ maths: true }).read(text), (_, value: unknown) => {
    if (typeof value === 'object' && value !== null && 'type' in value && value.type === 'maths') {
      const { text: tex, display, closed } = value as unknown as { text: string; display: boolean; closed: boolean }
      found.push([tex, display, closed])
    }
    return value
  })
  return found
}

describe('formulas', () => {
  it.each([
    ['a $x^2$ b', 'x^2', false],
    ['($x$)', 'x', false],
    ['**bold $a*b$ and** more', 'a*b', false],
    [String.raw`a \(x_1\) b`, 'x_1', false],
    [String.raw`a \[x_1\] b`, 'x_1', true],
    ['a $$x$$ b', 'x', true],
    ['$$\nx\n=\ny\n$$', 'x\n=\ny', true],
    ['text\n$$\nx\n$$\nmore', 'x', true],
    ['- item\n  $$\n  x\n  $$', 'x', true],
    ['\\[\n\\frac{a}{b}\n\\]', String.raw`\frac{a}{b}`, true],
    [String.raw`$\$5$`, String.raw`\$5`, false],
    ['$3x + 4$', '3x + 4', false],
  ])('are found: %s', (text, tex, display) => {
    expect(formulas(text)).toEqual([[tex, display, true]])
  })

  it.each([
    '$5 and $10',
    'from $5 to $10, $15 at most',
    'US$5-$10',
    '$5, or US$ 6',
    '$20k$30',
    '`$x$`',
    '```\n$x$\n```',
    String.raw`\$x$`,
    '$ x $',
    '$HOME/$PATH',
    'a $ b',
    '$$',
    '[a](https://b.test/$x$)',
  ])('are not recognised in: %s', (text) => {
    expect(formulas(text).filter(([, , closed]) => closed)).toEqual([])
  })

  it('keep their content from becoming headings and lists before they are complete', () => {
    const reader = createBlockReader({ maths: true })
    expect(reader.read('$$\na\n=\n- b').map(({ token }) => token.type)).toEqual(['maths'])
    expect(reader.read('$$\na\n=\n- b\n\nmore').map(({ token }) => token.type)).not.toContain('maths')
  })

  it('are recognised only where they are expected', () => {
    expect(JSON.stringify(createBlockReader().read('a $x$ b'))).not.toContain('maths')
  })
})
