import { SENTENCES } from './console-sentences.ts'
import { page } from './markdown-page.ts'
import { ELSEWHERE } from './proved-elsewhere.ts'
import { SENTENCE, type TaggedTest } from './tagged-tests.ts'

/** Mismatches between sentences, tags and reasons; empty when everything is covered. */
export function coverageGaps(tests: readonly TaggedTest[]): readonly string[] {
  const known = new Set(SENTENCES.map(({ id }) => id))
  const tested = new Set(tests.flatMap(({ tags }) => tags.filter((tag) => SENTENCE.test(tag))))
  return [
    ...SENTENCES.filter(({ id }) => !tested.has(id) && ELSEWHERE[id] === undefined).map(
      ({ id, words }) => `${id} has neither test nor reason: ${words}`,
    ),
    ...[...tested].filter((id) => !known.has(id)).map((id) => `${id} is a tag and no sentence`),
    ...Object.keys(ELSEWHERE)
      .filter((id) => !known.has(id) || tested.has(id))
      .map((id) => `${id} has a reason that it does not need`),
  ]
}

export function coveragePage(tests: readonly TaggedTest[], madeBy: string): string {
  const byId = Map.groupBy(
    tests.flatMap((test) => test.tags.map((id) => ({ id, test }))),
    ({ id }) => id,
  )
  const proof = (id: string) => {
    const found = (byId.get(id) ?? []).map(({ test }) => `${test.file.split('/').at(-1)}: ${test.title}`)
    return found.length > 0 ? [...new Set(found)].join('<br>') : (ELSEWHERE[id] ?? '')
  }
  const tested = SENTENCES.filter(({ id }) => byId.has(id)).length
  return page(
    'What proves the console',
    'Every sentence of the specification, by its first words, with the tests that carry its number as a tag, or why there is none. ' +
      `${tested} of ${SENTENCES.length} sentences have tests of their own.`,
    ['No.', 'Sentence', 'Tests'],
    SENTENCES.map(({ id, words }) => [id, words, proof(id)]),
    madeBy,
  )
}
