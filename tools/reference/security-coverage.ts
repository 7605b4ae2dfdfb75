import { code, page } from './markdown-page.ts'
import { SECURITY_CLASSES } from './security-classes.ts'
import { SECURITY_CLASS, type TaggedTest } from './tagged-tests.ts'

/** Mismatches between classes and tags; empty when every class has a test or a reason. */
export function securityGaps(tests: readonly TaggedTest[]): readonly string[] {
  const tested = new Set(tests.flatMap(({ tags }) => tags.filter((tag) => SECURITY_CLASS.test(tag))))
  const known = new Set(SECURITY_CLASSES.map(({ id }) => id))
  return [
    ...SECURITY_CLASSES.filter(({ id, notYet }) => !tested.has(id) && notYet === undefined).map(
      ({ id, hole }) => `${id} has neither test nor reason: ${hole}`,
    ),
    ...SECURITY_CLASSES.filter(({ id, notYet }) => tested.has(id) && notYet !== undefined).map(
      ({ id }) => `${id} has a reason that it does not need`,
    ),
    ...[...tested].filter((id) => !known.has(id)).map((id) => `${id} is a tag and no class`),
  ]
}

export function securityPage(tests: readonly TaggedTest[], madeBy: string): string {
  return page(
    'Security classes',
    'Vulnerabilities that gateways of this family have had, each with the tests that keep it closed here, or the reason why it does not apply.',
    ['Class', 'Hole', 'Tests'],
    SECURITY_CLASSES.map(({ id, hole, notYet }) => [
      id,
      hole,
      notYet ?? testsByFile(tests.filter(({ tags }) => tags.includes(id))),
    ]),
    madeBy,
  )
}

function testsByFile(tests: readonly TaggedTest[]): string {
  const titles = Map.groupBy(tests, ({ file }) => file)
  return [...titles]
    .map(([file, found]) => `${code(file)}: ${found.map(({ title }) => title.replaceAll('<', '&lt;')).join(' · ')}`)
    .join('<br>')
}
