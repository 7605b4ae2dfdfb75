/**
 * One sentence, list entry or table row of the specification: its number (document, section, place) and its words. A test that
 * proves it names the number in its title: `'the confirm button says what it does [A2.4]'`.
 */
export type Sentence = readonly [id: string, text: string]
