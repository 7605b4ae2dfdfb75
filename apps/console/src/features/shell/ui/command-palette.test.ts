import { expect, test } from 'vitest'
import { isMac, keyNames } from '~/features/shell/ui/command-palette.tsx'

test.each([
  ['g t', false, ['g', 't']],
  ['/', false, ['/']],
  ['[Shift]+?', false, ['?']],
  ['$mod+k', false, ['Ctrl', 'K']],
  ['$mod+k', true, ['⌘', 'K']],
  ['Shift+x', true, ['⇧', 'X']],
  ['Enter', false, ['Enter']],
] as const)('%s is pressed with (Mac: %s) %j', (keys, mac, names) => {
  expect(keyNames(keys, mac)).toEqual(names)
})

test('Cmd replaces Ctrl on the machines of one maker', () => {
  expect(isMac('MacIntel')).toBe(true)
  expect(isMac('iPhone')).toBe(true)
  expect(isMac('Linux x86_64')).toBe(false)
})
