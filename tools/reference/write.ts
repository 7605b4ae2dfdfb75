import { writeFile } from 'node:fs/promises'
import { referencePages } from './pages.ts'

/** Writes the generated pages of `docs/reference`; `npm run fix` runs it. */
for (const [name, text] of await referencePages())
  await writeFile(new URL(`../../docs/reference/${name}`, import.meta.url), text)
