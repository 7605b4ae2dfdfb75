import { expect, test } from 'vitest'
import { committedShapes, readShapes, SHAPES_FILE, type VendorShape } from '../../tools/reference/shapes/read-shapes.ts'

/** `docs/reference/shapes.md` must describe the installed libraries. */
const installed = readShapes()
const committed = committedShapes()
const labels = (shapes: readonly VendorShape[]) => shapes.map(({ place, name, type }) => `${place}: ${type} (${name})`)

test.skipIf(installed === undefined)('no vendor’s library can say anything that was not looked at', () => {
  const known = new Set(labels(committed.shapes))
  const added = labels(installed?.shapes ?? []).filter((label) => !known.has(label))
  expect(added, 'npm run fix shows what becomes of them').toStrictEqual([])
})

test.skipIf(installed === undefined)(`${SHAPES_FILE} is what the libraries declare; npm run fix writes it`, () => {
  expect(committed).toStrictEqual(installed)
})
