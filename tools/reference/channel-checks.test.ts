import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CHANNEL_KINDS } from '../../packages/providers/src/kind-rows.ts'
import { CHANNEL_CHECKS } from './channel-checks.ts'

const RECORDED = new URL('../../tests/recorded/', import.meta.url)

test('every channel type says what it was checked by, and the replies it names are there', () => {
  expect(Object.keys(CHANNEL_CHECKS).map(Number)).toEqual(CHANNEL_KINDS.map(({ code }) => code))
  for (const { recorded = [], written = [] } of Object.values(CHANNEL_CHECKS)) {
    const folders = [...recorded, ...[written].flat().map((folder) => `answers/${folder}`)]
    for (const folder of folders) expect(existsSync(new URL(folder, RECORDED)), folder).toBe(true)
  }
})
