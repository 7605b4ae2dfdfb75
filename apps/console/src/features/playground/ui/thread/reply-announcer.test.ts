import { describe, expect, it } from 'vitest'
import { endOfSentences, spoken } from './reply-announcer.tsx'

describe('the sentences of a growing text', () => {
  it('end where a punctuation mark is followed by a space', () => {
    expect(endOfSentences('One. Two is 1.5 and', 0)).toBe('One. '.length)
  })

  it('end with a line and with full-width punctuation', () => {
    expect(endOfSentences('# Title\nFirst', 0)).toBe('# Title\n'.length)
    expect(endOfSentences('你好。再', 0)).toBe('你好。'.length)
  })

  it('are not returned twice', () => {
    expect(endOfSentences('One. Two', 5)).toBe(5)
    expect(endOfSentences('One. Two! Thr', 5)).toBe('One. Two! '.length)
  })
})

describe('markdown read aloud', () => {
  it('keeps the words and drops the markup', () => {
    expect(spoken('## A **bold** [link](https://example.com) and `code`')).toBe('A bold link and code')
    expect(spoken('- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |')).toBe('one two a b 1 2')
  })

  it.each(['[', '[a](', ' ', '\n', '- |', '|'])(
    'reads an answer of nothing but %j quickly',
    { tags: 'S27' },
    (sign) => {
      expect(spoken(`${sign.repeat(100_000)}end`)).toContain('end')
    },
  )

  it('reads links by name even if their address contains brackets', () => {
    expect(spoken('see [Rust (language)](https://a.test/Rust_(language)) and ![a](b)')).toBe(
      'see Rust (language) and a',
    )
  })
})
