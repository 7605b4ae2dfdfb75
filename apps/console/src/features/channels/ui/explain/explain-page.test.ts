import { expect, it } from 'vitest'
import { requestIdIn } from './explain-page.tsx'

const ID = '0199f000000070008000000000000004'

it.each([ID, ` ${ID}\n`, ID.toUpperCase(), '0199f000-0000-7000-8000-000000000004'])('reads the id in %j', (text) => {
  expect(requestIdIn(text)).toBe(ID)
})

it.each(['', '7', ID.slice(1), `${ID}0`, ID.replace('f', 'g')])('finds none in %j', (text) => {
  expect(requestIdIn(text)).toBeUndefined()
})
