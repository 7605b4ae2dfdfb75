import { describe, expect, it } from 'vitest'
import { createBlockReader, markdownBlocks } from './blocks.ts'

describe('a text that grows', () => {
  it('keeps all blocks except the last three unchanged', () => {
    const text = '# A\n\nFirst paragraph.\n\n- one\n- two\n\n```\ncode\n```\n\nThe last'
    const reader = createBlockReader()
    const before = reader.read(text)
    const after = reader.read(`${text} paragraph`)
    expect(after).toHaveLength(5)
    expect(after.filter((block, index) => block !== before[index])).toHaveLength(3)
  })

  it('reads a long text once, however often it grows', () => {
    const reader = createBlockReader()
    const paragraphs = Array.from({ length: 200 }, (_, index) => `Paragraph ${index}.`)
    const first = reader.read(paragraphs.slice(0, 5).join('\n\n'))[0]
    for (let count = 6; count <= 200; count++) reader.read(paragraphs.slice(0, count).join('\n\n'))
    expect(reader.read(paragraphs.join('\n\n'))[0]).toBe(first)
  })

  it('reads another text from its beginning', () => {
    const reader = createBlockReader()
    reader.read('# A\n\nb\n\nc\n\nd\n\ne')
    expect(reader.read('# B')).toEqual(markdownBlocks('# B'))
  })

  it('finds the target of a link that is defined later', () => {
    const reader = createBlockReader()
    const text = 'See [this][1].\n\na\n\nb\n\nc\n\nd'
    const found = (blocks: ReturnType<typeof reader.read>) => JSON.stringify(blocks).includes('https://a.test')
    expect(found(reader.read(text))).toBe(false)
    expect(found(reader.read(`${text}\n\n[1]: https://a.test`))).toBe(true)
  })
})

describe('headings', () => {
  const levels = (text: string) =>
    markdownBlocks(text).flatMap(({ token, level }) => (token.type === 'heading' ? [level] : []))

  it('skip no level, whatever their markup says', () => {
    expect(levels('# a\n### b\n## c\n#### d\n# e')).toEqual([0, 1, 1, 2, 0])
    expect(levels('### a\n## b\n# c')).toEqual([0, 0, 0])
  })

  it('are below the ones before them, so that none changes when others follow', () => {
    const text = '### a\n\nb\n\n# c\n\n## d'
    expect(levels(text.slice(0, 8))).toEqual(levels(text).slice(0, 1))
  })
})
