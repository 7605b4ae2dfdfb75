import { writeFile } from 'node:fs/promises'
import { generatedFiles } from './pages.ts'
import { readShapes, SHAPES_FILE, shapesText } from './shapes/read-shapes.ts'

/**
 * Writes everything generated, for `npm run fix`: the shapes from vendors' libraries, from which one page is made, the pages of
 * `docs/reference`, and the public part of the provider kinds.
 */
const shapes = readShapes()
if (shapes !== undefined) await writeFile(new URL(`../../${SHAPES_FILE}`, import.meta.url), shapesText(shapes))
for (const [path, text] of generatedFiles()) await writeFile(new URL(`../../${path}`, import.meta.url), text)
