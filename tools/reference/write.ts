import { writeFile } from 'node:fs/promises'
import { generatedFiles } from './pages.ts'

/** Writes what is generated: the pages of `docs/reference`, and the public part of the provider kinds; `npm run fix` runs it. */
for (const [path, text] of generatedFiles()) await writeFile(new URL(`../../${path}`, import.meta.url), text)
