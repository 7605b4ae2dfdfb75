import { describe, expect, it } from 'vitest'
import { createColouring } from './colouring.ts'
import { languageOf } from './languages.ts'

const colouring = createColouring()

/** Styled pieces of a program, as [text, kind]. */
async function coloured(language: string, text: string) {
  const runs = await colouring.runsOf(language, text)
  let at = 0
  return runs?.flatMap(([length, kind]) => {
    const piece = text.slice(at, at + length)
    at += length
    return kind === '' ? [] : [[piece, kind]]
  })
}

describe('a program', () => {
  it('is split by its language', async () => {
    expect(await coloured('ts', 'const a: number = 1 // one')).toEqual([
      ['const', 'keyword'],
      ['a', 'name'],
      ['number', 'keyword'],
      ['1', 'number'],
      ['// one', 'comment'],
    ])
    expect(await coloured('py', 'def f():\n  return "x"')).toEqual([
      ['def', 'keyword'],
      ['f', 'name'],
      ['return', 'keyword'],
      ['"x"', 'string'],
    ])
    expect(await coloured('diff', '-a\n+b')).toEqual([
      ['-a', 'removed'],
      ['+b', 'added'],
    ])
  })

  it('keeps every character in its position', async () => {
    const text = '<style>a { color: red }</style>\n<script>const x = `${1}`</script>\n<b class="y">ü</b> 🙂\n'
    const runs = await colouring.runsOf('html', text)
    expect(runs?.reduce((sum, [length]) => sum + length, 0)).toBe(text.length)
    expect(await coloured('html', text)).toContainEqual(['const', 'keyword'])
  })

  it('stays plain in an unknown language, and when it is very long', async () => {
    expect(await colouring.runsOf('brainfuck', '+')).toBeUndefined()
    expect(await colouring.runsOf('constructor', '+')).toBeUndefined()
    expect(await colouring.runsOf('ts', 'x'.repeat(100_001))).toBeUndefined()
  })

  it('is recognised by the language names that people write', () => {
    expect(['JavaScript', 'jsx', 'C++', 'yml', 'Html'].map((name) => languageOf(name)?.name)).toEqual([
      'javascript',
      'javascript',
      'cpp',
      'yaml',
      'xml',
    ])
  })
})
