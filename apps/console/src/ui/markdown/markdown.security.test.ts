import * as fc from 'fast-check'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { createI18n, I18nContext } from '~/lib/i18n/i18n.ts'
import { memoryStorage } from '~/lib/storage/stored-record.ts'
import { Block } from './block.tsx'
import { createBlockReader } from './blocks.ts'
import type { Drawing } from './inline.tsx'

const BASE = 'https://console.test/about'

/** HTML that represents React's elements, as a browser would get it. */
function drawn(text: string, more: Partial<Drawing> = {}): string {
  const drawing = { base: BASE, pictures: true, html: undefined, complete: true, depth: 0, ...more }
  const blocks = createBlockReader({ maths: true })
    .read(text)
    .map(({ key, token, level }) => createElement(Block, { key, token, drawing: { ...drawing, heading: 2 + level } }))
  const i18n = createI18n(memoryStorage(), { lang: '' } as HTMLElement, ['en'])
  return renderToStaticMarkup(createElement(I18nContext, { value: i18n }, ...blocks))
}

describe('hostile markdown', { tags: 'S14' }, () => {
  it.each([
    '[a](javascript:alert(1))',
    '[a](JaVaScRiPt:alert(1))',
    '[a](javascript&colon;alert(1))',
    '[a](&#106;avascript:alert(1))',
    '[a](<java\tscript:alert(1)>)',
    '[a](data:text/html;base64,PHNjcmlwdD4=)',
    '[a](vbscript:x)',
    '[a](file:///etc/passwd)',
    '[a](blob:https://console.test/x)',
    '<javascript:alert(1)>',
    '[a][b]\n\n[b]: javascript:alert(1)',
    '![a](javascript:alert(1))',
    '![a](data:image/svg+xml;base64,PHN2Zz4=)',
    '![a](http://tracker.test/x.png)',
  ])('creates no address: %s', (text) => {
    expect(drawn(text)).not.toMatch(/ (href|src)=/)
  })

  it('shows HTML as written instead of making it', () => {
    const html = drawn('<img src=x onerror=alert(1)>\n\nand <script>alert(1)</script> here <b onclick=x>bold</b>')
    expect(html).not.toMatch(/<(img|script|b)\b/)
    expect(html).toContain('&lt;script&gt;')
  })

  it('passes blocks of HTML to a renderer if there is one, and then drops tags between words', () => {
    const html = (raw: string) => createElement('i', null, String(raw.length))
    expect(drawn('<div>\n<b>x</b>\n</div>', { html })).toMatch(/^<i>\d+<\/i>$/)
    expect(drawn('a <u>b</u><br>c <!-- d -->', { html })).toBe('<p>a b<br/>c </p>')
  })

  it('shows no link with reversed text, and no program that reads differently from how it runs', () => {
    expect(drawn('[\u{202e}moc.knab](https://evil.test)')).toContain('>\u{fffd}moc.knab</a>')
    expect(drawn('&#8238;moc.knab ![&#x202E;moc.knab](https://evil.test/x.png)', { pictures: false })).not.toContain(
      '\u{202e}',
    )
    const program = 'if (isAdmin) { /*\u{202e} \u{2066}begin\u{2069} */ }'
    expect(drawn(`\`${program}\``)).not.toMatch(/[\u{202a}-\u{202e}\u{2066}-\u{2069}]/u)
    for (const complete of [true, false]) {
      expect(drawn(`\`\`\`js\n${program}\n\`\`\``, { complete })).not.toMatch(/[\u{202a}-\u{202e}\u{2066}-\u{2069}]/u)
    }
  })

  it('keeps the direction marks of right-to-left languages', () => {
    expect(drawn('a \u{2067}שלום\u{2069} b')).toBe('<p>a \u{2067}שלום\u{2069} b</p>')
  })

  it('does not take names of built-in object properties for character references', () => {
    expect(drawn('&valueOf; &toString;')).toBe('<p>&amp;valueOf; &amp;toString;</p>')
  })

  it('survives endless nesting', () => {
    expect(drawn('>'.repeat(30_000))).toContain('&gt;')
    expect(drawn(`${'*a **b '.repeat(500)}x`)).toContain('x')
    expect(drawn(`${'> '.repeat(100)}deep`)).toContain('deep')
  })

  it('creates only allowed elements and addresses, whatever is written', () => {
    const signs = [
      '[',
      ']',
      '(',
      ')',
      '<',
      '>',
      '!',
      '`',
      '*',
      '_',
      '\n',
      '|',
      '-',
      '#',
      ' ',
      '"',
      "'",
      '&#',
      ';',
      ':',
      '\\',
    ]
    const words = [
      'javascript:',
      'data:',
      'https://a.test',
      'script',
      'onerror=',
      'a',
      '1',
      '<svg onload=x>',
      'mailto:x',
      '$',
      '$$',
      '\\(',
      '\\)',
    ]
    const piece = fc.constantFrom(...signs, ...words)
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const html = drawn(pieces.join(''))
        const tags = [...html.matchAll(/<([a-z]\w*)/g)].map(([, name]) => name)
        const known =
          'p h2 h3 h4 h5 h6 strong em del code br hr a img ul ol li pre div blockquote table thead tbody tr th td'
        const drawnByUs = [...known.split(' '), 'button', 'span', 'svg', 'path']
        expect(tags.filter((name) => !drawnByUs.includes(name ?? ''))).toEqual([])
        for (const [, address] of html.matchAll(/ (?:href|src)="([^"]*)"/g)) {
          expect(address).toMatch(/^(https?:|mailto:|data:image\/(png|jpeg|gif|webp|avif);)/)
        }
        expect(html.match(/<[^>]* on\w+=/g)).toBeNull()
      }),
      { numRuns: 500 },
    )
  })
})

describe('markdown', () => {
  it('opens links to other hosts in a new tab, and its own in place', () => {
    expect(drawn('[a](https://b.test/?x=1&amp;y=2)')).toBe(
      '<p><a href="https://b.test/?x=1&amp;y=2" target="_blank" rel="noopener noreferrer nofollow">a</a></p>',
    )
    expect(drawn('[models](/models)')).toBe('<p><a href="https://console.test/models">models</a></p>')
    expect(drawn('<me@b.test>')).toContain('href="mailto:me@b.test"')
  })

  it('loads pictures only where they are allowed', () => {
    expect(drawn('![a](https://b.test/x.png)')).toContain('<img src="https://b.test/x.png" alt="a"')
    expect(drawn('![a](https://b.test/x.png)', { pictures: false })).toMatch(/^<p><a href="https:\/\/b\.test\/x\.png"/)
    expect(drawn('![a](data:image/png;base64,AAAA)', { pictures: false })).toContain('<img')
  })

  it('draws lists, tables, quotes, code and character references', () => {
    expect(drawn('3. a\n4. b')).toBe('<ol start="3"><li>a</li><li>b</li></ol>')
    expect(drawn('- [x] a')).toContain('☑ a')
    expect(drawn('|a|b|\n|-|-:|\n|1|2|')).toContain('<td class="text-end">2</td>')
    expect(drawn('> a')).toBe('<blockquote><p>a</p></blockquote>')
    expect(drawn('```ts\na < b\n```')).toContain('a &lt; b')
    expect(drawn('&copy; &#65;&#x42; &unknown; `&amp;`')).toBe('<p>© AB &amp;unknown; <code>&amp;amp;</code></p>')
  })

  it('draws formulas as written until they are typeset', () => {
    expect(drawn('a $x^2$')).toBe('<p>a <code class="whitespace-pre-wrap">x^2</code></p>')
    expect(drawn('$$\\href{javascript:alert(1)}{x}$$')).not.toMatch(/ (href|src)=/)
    expect(drawn('$$\n<img src=x onerror=alert(1)>\n')).not.toContain('<img')
  })

  it('starts its headings below the title of the page', () => {
    expect(drawn('# a\n## b')).toBe('<h2>a</h2><h3>b</h3>')
    expect(drawn('### a')).toBe('<h2>a</h2>')
  })
})
