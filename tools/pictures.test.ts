import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

it('commits the pictures that a document shows, and no others', () => {
  const committed = globSync('docs/pictures/**/*.{svg,webp}', { cwd: ROOT }).map((file) => file.replaceAll('\\', '/'))
  const texts = globSync(['*.md', 'docs/**/*.md', '{apps,packages,tests}/*/*.md'], { cwd: ROOT })
  const shown = texts.flatMap(
    (file) => readFileSync(join(ROOT, file), 'utf8').match(/docs\/pictures\/[\w/-]+\.(?:svg|webp)/g) ?? [],
  )
  expect(committed.toSorted()).toEqual([...new Set(shown)].toSorted())
})
