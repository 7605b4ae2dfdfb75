import { ACCESS } from './console-sentences/access.ts'
import { ADMINISTRATION } from './console-sentences/administration.ts'
import { ELSEWHERE } from './console-sentences/elsewhere.ts'
import type { Sentence } from './console-sentences/sentence.ts'
import { SYSTEM } from './console-sentences/system.ts'
import { page } from './markdown-page.ts'
import type { TaggedTest } from './test-titles.ts'

/** A sentence's number in a test's title. */
export const SENTENCE = /\b[ABC][1-9]\.\d{1,3}\b/g

const SENTENCES: readonly Sentence[] = [...ACCESS, ...ADMINISTRATION, ...SYSTEM]

/** What is wrong between the sentences, the titles and the reasons; empty when everything is covered. */
export function coverageGaps(tests: readonly TaggedTest[]): readonly string[] {
  const known = new Set(SENTENCES.map(([id]) => id))
  const tested = new Set(tests.flatMap(({ tags }) => tags))
  return [
    ...SENTENCES.filter(([id]) => !tested.has(id) && ELSEWHERE[id] === undefined).map(
      ([id, text]) => `${id} has neither test nor reason: ${text}`,
    ),
    ...[...tested].filter((id) => !known.has(id)).map((id) => `${id} stands in a title and is no sentence`),
    ...Object.keys(ELSEWHERE)
      .filter((id) => !known.has(id) || tested.has(id))
      .map((id) => `${id} has a reason that it does not need`),
  ]
}

/** `console-coverage.md`: every sentence with the tests that prove it. */
export function coveragePage(tests: readonly TaggedTest[]): string {
  const byId = Map.groupBy(
    tests.flatMap((test) => test.tags.map((id) => ({ id, test }))),
    ({ id }) => id,
  )
  const proof = (id: string) => {
    const found = [...new Set((byId.get(id) ?? []).map(({ test }) => `${test.file.split('/').at(-1)}: ${plain(test)}`))]
    return found.length > 0 ? found.join('<br>') : (ELSEWHERE[id] ?? '')
  }
  const tested = SENTENCES.filter(([id]) => byId.has(id)).length
  return page(
    'What proves the console',
    'Every sentence of the specification with the tests that name it in their titles, or why there is none. ' +
      `${tested} of ${SENTENCES.length} sentences have tests of their own.`,
    ['No.', 'Sentence', 'Tests'],
    SENTENCES.map(([id, text]) => [id, text, proof(id)]),
  )
}

/** The title without its numbers and tags. */
function plain({ title }: TaggedTest): string {
  return title.replaceAll(/\s*(\[[^\]]*\]|@\w+)/g, '')
}
