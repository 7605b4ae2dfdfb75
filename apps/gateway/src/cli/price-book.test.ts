import { expect, test } from 'vitest'
import { printPriceBook } from './price-book.ts'

async function printed(version?: string): Promise<readonly [code: number, text: string]> {
  const lines: string[] = []
  const code = await printPriceBook(version, (text) => lines.push(text))
  return [code, lines.join('\n')]
}

test('the current price book is printed, or that of a given version', async () => {
  const [code, text] = await printed()
  expect(code).toBe(0)
  const { version } = JSON.parse(text) as { version: string }
  expect(await printed(version)).toEqual([0, text])
  expect(JSON.parse((await printed('2026-11-20'))[1])).toMatchObject({ version: '2026-11-20' })
})

test('for an unknown version, the known ones are listed', async () => {
  const [code, text] = await printed('1999-01-01')
  expect(code).toBe(1)
  expect(text).toMatch(/^There is no price book 1999-01-01\. The price books are .*2026-11-20\.$/)
})
